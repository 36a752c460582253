package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

var errSessionOnly = &apiError{
	Status: http.StatusUnauthorized, Code: "unauthorized",
	Message: "this address is for a signed-in subscriber and takes no key: leave the Authorization header out; keys are for /api/",
}

// sessionCookie is the name of the cookie that a session is known by. Under
// https it has the prefix that makes browsers refuse it from anyone but this
// very host.
func (s *Server) sessionCookie() string {
	if s.secure() {
		return "__Host-larder_session"
	}
	return "larder_session"
}

func (s *Server) secure() bool { return strings.HasPrefix(s.BaseURL, "https://") }

// token returns the session token of a request; false unless there is exactly
// one: of two cookies of the name, one was planted.
func (s *Server) token(r *http.Request) (string, bool) {
	cookies := r.CookiesNamed(s.sessionCookie())
	if len(cookies) != 1 {
		return "", false
	}
	return cookies[0].Value, true
}

// session finds the session of a request. The errors are those of
// state.DB.Session.
func (s *Server) session(r *http.Request) (state.Session, error) {
	token, ok := s.token(r)
	if !ok {
		return state.Session{}, state.ErrNoSession
	}
	return s.State.Session(r.Context(), token)
}

// onlySession does so where a key is not taken.
func (s *Server) onlySession(r *http.Request) (state.Session, error) {
	if len(r.Header.Values("Authorization")) > 0 {
		return state.Session{}, errSessionOnly
	}
	return s.session(r)
}

// setSession gives the browser a session's token until the session ends. Scripts
// can't read it, and requests from other sites don't bear it.
func (s *Server) setSession(w http.ResponseWriter, token string, left time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: s.sessionCookie(), Value: token, Path: "/", MaxAge: int(left / time.Second),
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteStrictMode,
	})
}

// clearSession makes the browser forget the token.
func (s *Server) clearSession(w http.ResponseWriter) { s.setSession(w, "", -time.Second) }

// endSession ends the session of a request here, so that a copy of the cookie
// is worth nothing any more. It returns the id of its key, 0 if there was no
// session: then nothing is written, since anyone can send that.
func (s *Server) endSession(r *http.Request) (key int64, err error) {
	session, err := s.session(r)
	switch {
	case errors.Is(err, state.ErrNoSession):
		return 0, nil
	case err != nil && session.Key.ID == 0:
		return 0, err
	}
	token, _ := s.token(r)
	return session.Key.ID, s.State.SignOut(r.Context(), token)
}

// signOut ends the session. Who is not signed in is signed out already.
func (a *accounts) signOut(w http.ResponseWriter, r *http.Request) error {
	key, err := a.endSession(r)
	if err != nil {
		return err
	}
	if key != 0 {
		a.note(r, "signed out", key)
	}
	a.clearSession(w)
	w.WriteHeader(http.StatusNoContent)
	return nil
}
