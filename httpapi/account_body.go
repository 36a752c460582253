package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxAccountBody is how many bytes the body of a request about an account may
// have: a key or a link needs under a hundred.
const maxAccountBody = 4096

// readMembers reads a body that is one JSON object of texts, with members of the
// given names only, each at most once. Any of them may be absent, and so may
// the object. No error repeats anything of the body: it is where secrets are.
func readMembers(w http.ResponseWriter, r *http.Request, names ...string) (map[string]string, error) {
	if err := checkJSONType(r.Header); err != nil {
		return nil, err
	}
	body, err := readBody(w, r, maxAccountBody)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil, err
	}
	return parseMembers(body, names)
}

func parseMembers(body []byte, names []string) (map[string]string, error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, badJSON("the body is not one JSON value in UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body)) // what follows can't fail: the JSON is valid
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, badBody("", "the body is no JSON object")
	}
	members := map[string]string{}
	for d.More() {
		t, _ := d.Token()
		name, _ := t.(string)
		if !slices.Contains(names, name) {
			return nil, badBody("", "the body has a member that is not known here; %s", known(names))
		}
		if _, twice := members[name]; twice {
			return nil, badJSON(`"` + name + `" stands in the body twice; keep one`)
		}
		t, _ = d.Token()
		value, ok := t.(string)
		if !ok {
			return nil, badBody(name, "%q is no text in quotes", name)
		}
		members[name] = value
	}
	return members, nil
}

func known(names []string) string {
	if len(names) == 0 {
		return "send no members"
	}
	return "the members are " + strings.Join(names, ", ")
}

// checkJSONType accepts application/json alone: a form on another site's page
// can't send that.
func checkJSONType(h http.Header) error {
	types := h.Values("Content-Type")
	if len(types) == 1 {
		media, params, err := mime.ParseMediaType(types[0])
		charset, given := params["charset"]
		if err == nil && media == "application/json" && (!given || strings.EqualFold(charset, "utf-8")) && len(h.Values("Content-Encoding")) == 0 {
			return nil
		}
	}
	return &apiError{
		Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type",
		Message: `send the header "Content-Type: application/json" and the body as plain UTF-8, not compressed`,
	}
}

// readBody reads a body of at most so many bytes.
func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, &apiError{
			Status: http.StatusRequestEntityTooLarge, Code: "body_too_large",
			Message: fmt.Sprintf("the body is longer than %d bytes", most),
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, &apiError{
			Status: http.StatusRequestTimeout, Code: "request_timeout",
			Message: "the body took too long to arrive; send the request again",
		}
	}
	if err != nil {
		return nil, badJSON("the body ended too early")
	}
	return body, nil
}

// badJSON refuses what is not JSON as it should be.
func badJSON(message string) *apiError {
	return &apiError{Status: http.StatusBadRequest, Code: "invalid_json", Message: message}
}

// badBody refuses JSON that is not what the address takes.
func badBody(member, format string, a ...any) *apiError {
	return &apiError{
		Status: http.StatusBadRequest, Code: "invalid_body", Parameter: member, Message: fmt.Sprintf(format, a...),
	}
}
