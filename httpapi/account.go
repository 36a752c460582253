package httpapi

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// accounts answers what a subscriber does about the own session and key. None
// of it counts against the key's limits: whoever finds that a key leaked must
// be able to rotate it while strangers use it up.
type accounts struct {
	*Server
	failed *buckets[netip.Prefix] // sign-ins, by client
}

// addAccount registers the addresses of sessions and of rotation. What else is
// under /account is licensed, and stands in addLicensed.
func (s *Server) addAccount() {
	a := &accounts{Server: s, failed: newBuckets[netip.Prefix]()}
	s.add(&route{
		path: "/account/session", methods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete},
		handle: a.guard(func(w http.ResponseWriter, r *http.Request) error {
			switch r.Method {
			case http.MethodPost:
				return a.signIn(w, r)
			case http.MethodDelete:
				return a.signOut(w, r)
			}
			return a.who(w, r)
		}),
	})
	s.add(&route{path: "/account/key/rotate", methods: methodsPost, handle: a.guard(a.rotate)})
}

var (
	errCrossSite = &apiError{
		Status: http.StatusForbidden, Code: "cross_site",
		Message: "the request comes from another site's page; only pages of this site may make it",
	}
	errQuery = &apiError{
		Status: http.StatusBadRequest, Code: "invalid_parameter",
		Message: "this address takes no parameters in the query, which others may log: send a JSON body",
	}
)

// guard keeps away what other sites make a subscriber's browser send, and
// queries. Whether the browser sends the cookie along is not asked: signing
// somebody in unasked is an attack too.
func (a *accounts) guard(next func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		if a.cross.Check(r) != nil {
			return errCrossSite
		}
		if r.URL.RawQuery != "" {
			return errQuery
		}
		return next(w, r)
	}
}

// signedIn says who is signed in.
type signedIn struct {
	KeyID      int64      `json:"key_id"`
	Name       string     `json:"name"`
	Tier       state.Tier `json:"tier"`
	Expires    time.Time  `json:"expires"`     // of the session
	KeyExpires *time.Time `json:"key_expires"` // null for never
}

func (a *accounts) who(w http.ResponseWriter, r *http.Request) error {
	session, err := a.onlySession(r)
	if err != nil {
		return refusal(err)
	}
	return writeJSON(w, r, describe(session))
}

func describe(s state.Session) signedIn {
	return signedIn{s.Key.ID, s.Key.Name, s.Key.Tier, s.Expires.Truncate(time.Second), orNever(s.Key.Expires)}
}

func orNever(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// rotatedKey is a key with its new secret, as "larder keys rotate" prints it.
type rotatedKey struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Tier    state.Tier `json:"tier"`
	Key     string     `json:"key"`
	Expires *time.Time `json:"expires"` // null for never
}

// rotate gives the subscriber's key a new secret, which is in this response and
// nowhere else.
func (a *accounts) rotate(w http.ResponseWriter, r *http.Request) error {
	if _, err := a.onlySession(r); err != nil {
		return refusal(err) // before the body is looked at
	}
	if _, err := readMembers(w, r); err != nil {
		return err
	}
	token, _ := a.token(r)
	key, secret, err := a.State.RotateKeyFrom(r.Context(), token)
	if err != nil {
		return refusal(err)
	}
	a.note(r, "key rotated", key.ID)
	return writeJSON(w, r, rotatedKey{key.ID, key.Name, key.Tier, secret, orNever(key.Expires)})
}

// note logs what became of a key or session, by the key's id.
func (a *accounts) note(r *http.Request, what string, key int64) {
	a.Log.LogAttrs(r.Context(), slog.LevelInfo, what, append(requestAttrs(r, nil), slog.Int64("key_id", key))...)
}

func writeJSON(w http.ResponseWriter, r *http.Request, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
	return nil
}
