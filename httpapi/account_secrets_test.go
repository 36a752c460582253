package httpapi

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/larder-index/larder/httpapi/state"
)

// column reads a column of the state file, as another program would.
func (f *fixture) column(query string) []string {
	f.t.Helper()
	db, err := sql.Open("sqlite3", "file:"+f.statePath+"?mode=ro")
	if err != nil {
		f.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(f.t.Context(), query)
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			f.t.Fatal(err)
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		f.t.Fatal(err)
	}
	return all
}

// Whatever is done with an account, neither the log nor the state holds a key, a
// link or a session's token, not even in other letters or as bytes.
func TestSecretsAreKeptNowhere(t *testing.T) {
	f := serveDemo(t)
	k, first := f.created(state.NewKey{Tier: state.Standard})
	link, _, err := f.state.NewLink(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	linked := f.post("/account/session", `{"signin": "`+link+`"}`).Cookies()[0]
	session := f.signIn(first)
	second, _ := f.post("/account/key/rotate", "{}", withCookie(session)).json(t)["key"].(string)
	if second == "" {
		t.Fatal("no new key")
	}
	kept := f.signIn(second)
	for _, secret := range []string{first, second, link, session.Value, kept.Value} {
		both := []func(*http.Request){withCookie(session), header("Authorization", "Bearer "+secret)}
		f.post("/account/session", `{"key": "`+secret+`"}`)
		f.post("/account/session", `{"key": "`+secret)
		f.post("/account/session", `{"`+secret+`": 1}`)
		f.post("/account/session?key="+secret, "")
		f.post("/account/"+secret, "")
		f.get("/account/usage", "", both...)
		f.get("/account/session", "", withCookie(&http.Cookie{Name: kept.Name, Value: secret}))
		f.get("/api/public/index?banner="+first+"&city="+second, "", withCookie(kept))
	}
	wantStatus(t, f.get("/api/public/index", "", withCookie(kept)), http.StatusOK)
	wantStatus(t, f.do(http.MethodDelete, "/account/session", "", "", withCookie(session)), http.StatusNoContent)

	places := map[string][]byte{"the log": []byte(f.log.String())}
	for _, end := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(f.statePath + end)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		places["the state"+end] = content
	}
	if len(places["the state"])+len(places["the state-wal"]) < 10_000 {
		t.Fatal("the state file was not read")
	}
	for name, secret := range map[string]string{
		"first key": first, "second key": second, "link": link, "linked session": linked.Value, "session": session.Value, "kept session": kept.Value,
	} {
		needles := [][]byte{[]byte(strings.TrimPrefix(secret, "larder_live_"))}
		if raw, err := base64.RawURLEncoding.DecodeString(secret); err == nil {
			needles = append(needles, raw)
		}
		for place, content := range places {
			for _, needle := range needles {
				if bytes.Contains(content, needle) {
					t.Errorf("the %s stands in %s", name, place)
				}
			}
		}
	}
	for _, want := range []string{`"msg":"signed in"`, `"msg":"key rotated"`, `"msg":"signed out"`, `"key_id":1`} {
		if !bytes.Contains(places["the log"], []byte(want)) {
			t.Errorf("the log lacks %s", want)
		}
	}
}
