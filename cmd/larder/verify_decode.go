package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// readRows reads an array of rows, each in the form J first.
func readRows[J, R any](raw []byte, read func(*J) (R, error)) ([]R, error) {
	var list []J
	if err := decodeJSON(raw, &list); err != nil {
		return nil, err
	}
	rows := make([]R, len(list))
	for i := range list {
		var err error
		if rows[i], err = read(&list[i]); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return rows, nil
}

// decodeJSON reads one JSON text and says in words what is wrong with it.
func decodeJSON(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("member %q holds a %s, which does not belong there", wrong.Field, wrong.Value)
	}
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is no JSON, or was cut off: %w at byte %d; download it again", err, wrong.Offset)
	}
	return err
}

// decompress unpacks what a client stored as it was sent.
func decompress(content []byte) ([]byte, error) {
	if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return withinBounds(content)
	}
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err == nil {
		content, err = io.ReadAll(io.LimitReader(r, maxPage+1))
	}
	if err != nil {
		return nil, fmt.Errorf("it begins as gzip and can't be unpacked: %w", err)
	}
	return withinBounds(content)
}

func withinBounds(content []byte) ([]byte, error) {
	if len(content) > maxPage {
		return nil, fmt.Errorf("it has more than %d bytes: no page has", maxPage)
	}
	return content, nil
}
