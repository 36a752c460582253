package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// maxID is the largest whole number that every reader of JSON keeps exactly.
const maxID = 1<<53 - 1

// Codes of JSON-RPC 2.0.
const (
	invalidRequest = -32600
	methodNotFound = -32601
)

// refusalOf returns an error of JSON-RPC for a message that the SDK would not answer rightly,
// else nil. The SDK would change some ids: it reads every number as a 64-bit integer and takes
// a request with the id null for a notification. It would wait for events, and this server
// sends no event. It would take a batch, which the protocol no longer has.
func refusalOf(message []byte) []byte {
	if bytes.HasPrefix(bytes.TrimSpace(message), []byte("[")) {
		return rpcError(nil, invalidRequest, "batches are not taken; send each message by itself")
	}
	var m struct {
		ID     json.RawMessage
		Method *string
	}
	if json.Unmarshal(message, &m) != nil || len(m.ID) == 0 {
		return nil // the SDK says what is wrong
	}
	if m.Method != nil && *m.Method == "subscriptions/listen" {
		return rpcError(m.ID, methodNotFound, "there is nothing to subscribe to: the tools never change")
	}
	if m.ID[0] == '"' || m.Method == nil && string(m.ID) == "null" {
		return nil
	}
	if n, err := strconv.ParseInt(string(m.ID), 10, 64); err == nil && n >= -maxID && n <= maxID {
		return nil
	}
	return rpcError(nil, invalidRequest, fmt.Sprintf("an id is a text, or a whole number of up to %d written without fraction and exponent", int64(maxID)))
}

// rpcError returns an error as a message. The id is null if it could not be read.
func rpcError(id json.RawMessage, code int, text string) []byte {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
	if err != nil {
		panic("mcp: " + err.Error()) // ids are JSON
	}
	return b
}
