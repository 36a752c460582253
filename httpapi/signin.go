package httpapi

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// failedPerMinute is how many sign-ins of one client may fail in a minute.
// Nobody guesses 190 random bits; it is the work that is bounded.
const failedPerMinute = 10

var (
	errSignInKey = &apiError{
		Status: http.StatusUnauthorized, Code: "unauthorized",
		Message: "the key is not known; if it is lost, ask the publisher for a sign-in link and rotate it",
	}
	errSignInLink = &apiError{
		Status: http.StatusUnauthorized, Code: "unauthorized",
		Message: "the sign-in link is unknown, used or expired; ask the publisher for another one",
	}
)

// signIn starts a session, with the key or with a one-time link.
func (a *accounts) signIn(w http.ResponseWriter, r *http.Request) error {
	members, err := readMembers(w, r, "key", "signin")
	if err != nil {
		return err
	}
	key, link := members["key"], members["signin"]
	if (key == "") == (link == "") || len(members) != 1 {
		return badBody("", `send one of {"key": "<key>"} and {"signin": "<token of the link>"}, not empty`)
	}
	now, client := a.Now(), a.client(r)
	// Taken before and given back on success: many at once can't get past it.
	use := a.failed.take(client, bucketLimit{failedPerMinute}, now)
	if !use.ok {
		use.setHeaders(w.Header(), now)
		return tooMany(use, "this address may fail to sign in %d times a minute", failedPerMinute)
	}
	token, session, err := a.start(r.Context(), key, link)
	if refused := signInRefusal(err); refused != nil {
		use.setHeaders(w.Header(), now)
		return refused
	}
	a.failed.giveBack(client, a.Now())
	if err != nil {
		return err
	}
	// The browser has one cookie: without this, nothing could end the session
	// that it had so far.
	if _, err := a.endSession(r); err != nil {
		a.Log.LogAttrs(r.Context(), levelOf(err), "the earlier session goes on until it expires", requestAttrs(r, err)...)
	}
	a.note(r, "signed in", session.Key.ID)
	a.setSession(w, token, session.Expires.Sub(a.Now()))
	return writeJSON(w, r, describe(session))
}

func (a *accounts) start(ctx context.Context, key, link string) (token string, s state.Session, err error) {
	if link != "" {
		return a.State.Redeem(ctx, link)
	}
	return a.State.SignIn(ctx, key)
}

// signInRefusal returns what somebody is told who may not sign in; nil if it is
// not that which failed.
func signInRefusal(err error) error {
	switch {
	case errors.Is(err, state.ErrUnknownKey):
		return errSignInKey
	case errors.Is(err, state.ErrNoLink):
		return errSignInLink
	case errors.Is(err, state.ErrKeyDisabled), errors.Is(err, state.ErrKeyExpired):
		return refusal(err)
	}
	return nil
}

// giveBack undoes one take. The limiter itself keeps to its burst.
func (b *buckets[K]) giveBack(who K, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.all[who]; x != nil {
		x.AllowN(now, -1)
	}
}
