package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// failedPerMinute is how many sign-ins of one client may fail in a minute. Nobody
// guesses 190 random bits: the limit bounds the work.
const failedPerMinute = 10

var (
	errQuery = reply.Refuse("invalid_parameter",
		"this address takes no parameters in the query, which others may log: send a JSON body")
	errSignInBody = reply.Refuse("invalid_body",
		`send one of {"key": "<key>"} and {"signin": "<token of the link>"}, not empty`)
	errSignInKey = reply.Refuse("unauthorized",
		"the key is not known; if it is lost, ask the publisher for a sign-in link and rotate it")
	errSignInLink = reply.Refuse("unauthorized",
		"the sign-in link is unknown, used or expired; ask the publisher for another one")
)

// ownSite guards a handler of an account from queries and from what pages of other
// sites make a browser send, with the cookie or without. Calls don't count against
// the key's limits, so a subscriber can rotate a leaked key while strangers use it up.
func (s *Server) ownSite(next func(*call) error) func(*call) error {
	return func(c *call) error {
		c.w.Header().Set("Cache-Control", "no-store")
		if s.foreign(c.r) {
			return errCrossSite
		}
		if c.r.URL.RawQuery != "" {
			return errQuery
		}
		return next(c)
	}
}

func (s *Server) signedIn(c *call) error {
	session, err := s.onlySession(c.r)
	if err != nil {
		return err
	}
	return reply.JSON(c.w, c.r, http.StatusOK, describe(session))
}

func describe(s state.Session) wire.SignedIn {
	return wire.SignedIn{
		KeyID: s.Key.ID, Name: s.Key.Name, Tier: s.Key.Tier.String(), Expires: s.Expires.Truncate(time.Second),
		KeyExpires: orNull(s.Key.Expires, time.Time{}),
	}
}

func (s *Server) signIn(c *call) error {
	members, err := reply.ReadMembers(c.w, c.r, "key", "signin")
	if err != nil {
		return err
	}
	key, link := members["key"], members["signin"]
	if (key == "") == (link == "") || len(members) != 1 {
		return errSignInBody
	}
	// The token is taken first and given back on success, so that many sign-ins at
	// once can't get past the limit.
	use := s.take(c.r, s.limits.signIns, c.now)
	if !use.OK {
		use.SetHeaders(c.w.Header(), c.now)
		return use.TooMany()
	}
	token, session, err := s.startSession(c.r, key, link)
	if err != nil && s.told(err) != nil {
		use.SetHeaders(c.w.Header(), c.now)
		return err
	}
	s.limits.signIns.GiveBack(s.client(c.r), c.now)
	if err != nil {
		return err
	}
	// The browser has one cookie. Nothing could end the session it had so far.
	if _, err := s.endSession(c.r); err != nil {
		s.note(c.r, levelOf(err), "the earlier session goes on until it expires", err)
	}
	s.note(c.r, slog.LevelInfo, "signed in", nil, slog.Int64("key_id", session.Key.ID))
	s.setSession(c.w, token, session.Expires.Sub(c.now))
	return reply.JSON(c.w, c.r, http.StatusOK, describe(session))
}

// startSession redeems a link or, without one, signs in with a key.
func (s *Server) startSession(r *http.Request, key, link string) (token string, x state.Session, err error) {
	if link != "" {
		token, x, err = s.State.Redeem(r.Context(), link)
	} else {
		token, x, err = s.State.SignIn(r.Context(), key)
	}
	switch {
	case errors.Is(err, state.ErrUnknownKey):
		err = errSignInKey
	case errors.Is(err, state.ErrNoLink):
		err = errSignInLink
	case err == nil:
		if err = s.onNetwork(r, x.Key); err != nil {
			err = errors.Join(err, s.State.SignOut(r.Context(), token))
		}
	}
	return token, x, err
}

// signOut ends the session. Nothing is left to do for a client without one.
func (s *Server) signOut(c *call) error {
	key, err := s.endSession(c.r)
	if err != nil {
		return err
	}
	if key != 0 {
		s.note(c.r, slog.LevelInfo, "signed out", nil, slog.Int64("key_id", key))
	}
	s.setSession(c.w, "", -time.Second)
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// rotate gives the subscriber's key a new secret, which is in this response and
// nowhere else.
func (s *Server) rotate(c *call) error {
	if _, err := s.onlySession(c.r); err != nil {
		return err // before the body is looked at
	}
	if _, err := reply.ReadMembers(c.w, c.r); err != nil {
		return err
	}
	key, secret, err := s.State.RotateKeyFrom(c.r.Context(), s.token(c.r))
	if err != nil {
		return err
	}
	s.note(c.r, slog.LevelInfo, "key rotated", nil, slog.Int64("key_id", key.ID))
	return reply.JSON(c.w, c.r, http.StatusOK, wire.RotatedKey{ID: key.ID, Name: key.Name, Tier: key.Tier.String(),
		Key: secret, Expires: orNull(key.Expires, time.Time{})})
}

// sessionCookie is the name of the cookie that holds a session's token. Under
// https its prefix makes browsers refuse it from any other host.
func (s *Server) sessionCookie() string {
	if s.secure() {
		return "__Host-larder_session"
	}
	return "larder_session"
}

// token returns the session token of a request; empty unless there is exactly
// one: of two cookies of the name, one was planted.
func (s *Server) token(r *http.Request) string {
	if cookies := r.CookiesNamed(s.sessionCookie()); len(cookies) == 1 {
		return cookies[0].Value
	}
	return ""
}

// session finds the session of a request. The errors are those of
// state.DB.Session, and the one of onNetwork, with which the session is returned too.
func (s *Server) session(r *http.Request) (state.Session, error) {
	token := s.token(r)
	if token == "" {
		return state.Session{}, state.ErrNoSession
	}
	x, err := s.State.Session(r.Context(), token)
	if err == nil {
		err = s.onNetwork(r, x.Key)
	}
	return x, err
}

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
	if errors.Is(err, state.ErrNoSession) {
		return 0, nil
	}
	if err != nil && session.Key.ID == 0 {
		return 0, err
	}
	return session.Key.ID, s.State.SignOut(r.Context(), s.token(r))
}
