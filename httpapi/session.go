package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// sessionCookie is the name of the cookie that holds a session's token. Under
// https its prefix makes browsers refuse it from any other host.
func (s *Server) sessionCookie() string {
	if s.secure() {
		return "__Host-larder_session"
	}
	return "larder_session"
}

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

// onlySession is session where a key is not taken.
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

// endSession ends the session of a request, so that a copy of its cookie is worth
// nothing. It returns the id of its key; 0 if there was no session. Then it writes
// nothing, since anybody can send that.
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

// noteKey logs what became of a key or session, by the key's id.
func (s *Server) noteKey(r *http.Request, what string, key int64) {
	s.Log.LogAttrs(r.Context(), slog.LevelInfo, what, append(requestAttrs(r, nil), slog.Int64("key_id", key))...)
}
