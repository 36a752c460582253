package reply

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

// CheckJSONType accepts application/json alone: a form on another site's page
// can't send that type.
func CheckJSONType(h http.Header) error {
	types := h.Values("Content-Type")
	if len(types) == 1 && len(h.Values("Content-Encoding")) == 0 {
		kind, params, err := mime.ParseMediaType(types[0])
		charset, given := params["charset"]
		if err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8")) {
			return nil
		}
	}
	return Refuse("unsupported_media_type",
		`send the header "Content-Type: application/json" and the body as plain UTF-8, not compressed`)
}

// ReadBody reads a body of at most so many bytes into the buffer. A longer one is
// tooLarge, and one that ends too early is cutOff.
func ReadBody(body io.Reader, buffer []byte, most int, tooLarge, cutOff *Error) ([]byte, error) {
	b := bytes.NewBuffer(buffer[:0])
	_, err := b.ReadFrom(io.LimitReader(body, int64(most)+1))
	_, over := errors.AsType[*http.MaxBytesError](err)
	switch {
	case over || b.Len() > most:
		return nil, tooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errBodyTimeout
	case err != nil:
		return nil, cutOff
	}
	return b.Bytes(), nil
}

// maxMembers is how many bytes ReadMembers reads: a key or a link takes less than
// a hundred.
const maxMembers = 4096

// ReadMembers reads a body that is one JSON object of texts, with members of the
// given names only, each at most once. A member may be absent, and so may the
// object. No error repeats anything of the body, which holds secrets.
func ReadMembers(w http.ResponseWriter, r *http.Request, names ...string) (map[string]string, error) {
	if err := CheckJSONType(r.Header); err != nil {
		return nil, err
	}
	body, err := ReadBody(http.MaxBytesReader(w, r.Body, maxMembers), nil, maxMembers,
		Refuse("body_too_large", fmt.Sprintf("the body is longer than %d bytes", maxMembers)),
		Refuse("invalid_json", "the body ended too early"))
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil, err
	}
	return parseMembers(body, names)
}

func parseMembers(body []byte, names []string) (map[string]string, error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, Refuse("invalid_json", "the body is not one JSON value in UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body)) // can't fail from here on: the JSON is valid
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, Refuse("invalid_body", "the body is no JSON object")
	}
	members := map[string]string{}
	for d.More() {
		t, _ := d.Token()
		name, _ := t.(string)
		if !slices.Contains(names, name) {
			known := "send no members"
			if len(names) > 0 {
				known = "the members are " + strings.Join(names, ", ")
			}
			return nil, Refuse("invalid_body", "the body has a member that is not known here; "+known)
		}
		if _, twice := members[name]; twice {
			return nil, Refuse("invalid_json", `"`+name+`" stands in the body twice; keep one`)
		}
		t, _ = d.Token()
		value, ok := t.(string)
		if !ok {
			e := Refuse("invalid_body", fmt.Sprintf("%q is no text in quotes", name))
			e.Parameter = name
			return nil, e
		}
		members[name] = value
	}
	return members, nil
}
