//go:build linux && torture

package torture

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// secrets are texts that only one subscriber may have, by name.
type secrets map[string]string

// needles are the forms of a secret to look for: its own characters without the common
// beginning, those in hex, in base64, and the bytes that they decode to. The state may
// hold its hash.
func needles(secret string) [][]byte {
	core := secret[strings.LastIndex(secret, "_")+1:]
	if !strings.Contains(secret, "_live_") {
		core = secret
	}
	all := [][]byte{[]byte(core), []byte(hex.EncodeToString([]byte(core))), []byte(base64.StdEncoding.EncodeToString([]byte(secret)))[:len(secret)]}
	if raw, err := base64.RawURLEncoding.DecodeString(secret); err == nil {
		all = append(all, raw)
	}
	return all
}

// scan fails when a place holds a secret.
func (s secrets) scan(t *testing.T, place string, content []byte) {
	t.Helper()
	for name, secret := range s {
		for _, needle := range needles(secret) {
			if at := bytes.Index(content, needle); at >= 0 {
				t.Errorf("the %s is in %s: %q", name, place, content[max(0, at-80):min(len(content), at+20)])
			}
		}
	}
}

// everywhere sends each secret in every place of a request. It returns all answers but
// those that must hold a secret.
func (s secrets) everywhere(t *testing.T, x *server, key string) (answers []byte) {
	send := func(method, target, body string, header ...string) {
		r, err := http.NewRequest(method, x.public+target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			r.Header.Add(header[i], header[i+1])
		}
		got, err := once.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		all, err := io.ReadAll(got.Body)
		if err != nil {
			t.Fatal(err)
		}
		got.Header.Del("Set-Cookie") // the one place of a session's token
		head, _ := json.Marshal(got.Header)
		answers = append(append(answers, head...), all...)
	}
	for _, secret := range s {
		escaped := url.QueryEscape(secret)
		double := strings.ReplaceAll(hexEscaped(secret), "%", "%25")
		for _, target := range []string{"/api/v1/index", "/api/public/index", "/api/v1/prices", "/api/shopper/compare", "/account/session", "/nowhere", "/mcp", "/readyz"} {
			for _, query := range []string{"?key=" + escaped, "?city=" + escaped, "?" + escaped, "?from=" + hexEscaped(secret), "?banner=" + double} {
				// What is in the query of a request with a key is logged for billing:
				// keys are taken out of that, anything else is as it was sent.
				if strings.Contains(secret, "_live_") {
					send("GET", target+query, "", "Authorization", "Bearer "+key)
				}
				send("GET", target+query, "")
			}
			send("GET", target, "", "Authorization", "Basic "+secret)
			send("GET", target, "", "Authorization", "Bearer "+secret+" "+secret)
			send("GET", target, "", "X-Api-Key", secret, "User-Agent", secret, "Referer", x.public+"/?key="+secret, "Cookie", "larder_session="+secret)
			send("POST", target, `{"key": "`+secret+`"`)
			send("POST", target, `{"`+secret+`": 1}`)
			send("PUT", target+"/"+secret, secret)
		}
		send("GET", "/"+secret, "")
		send("GET", "/account/"+secret+"/usage", "", "Authorization", "Bearer "+secret)
	}
	return answers
}

// hexEscaped is a text with every byte percent-encoded.
func hexEscaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + hex.EncodeToString([]byte{s[i]}))
	}
	return b.String()
}
