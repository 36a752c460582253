package state

import "errors"

var (
	// ErrUnknownKey is returned for a secret that no key has.
	ErrUnknownKey = errors.New("unknown key")
	// ErrKeyDisabled is returned for a key that was disabled.
	ErrKeyDisabled = errors.New("the key is disabled")
	// ErrKeyExpired is returned for a key past its expiry.
	ErrKeyExpired = errors.New("the key has expired")
	// ErrOverlap is returned for a rotation with an overlap while an earlier overlap runs.
	ErrOverlap = errors.New("the key has two secrets already: the old one is good")
	// ErrNoKey is returned for an id that no key has.
	ErrNoKey = errors.New("no such key")
	// ErrInvalid is returned by CreateKey and SetTerms for what no key can be.
	ErrInvalid = errors.New("can't make such a key")
	// ErrNoSession is returned for a token without a session that goes on.
	ErrNoSession = errors.New("no such session, or it has ended")
	// ErrNoLink is returned for a sign-in link that is not good any more, or never was.
	ErrNoLink = errors.New("the sign-in link is unknown, used or expired")
	// ErrQuota is returned when the month's quota is used up. The error is a *QuotaError.
	ErrQuota = errors.New("the month's quota is used up")

	// ErrServing is returned by Open when another server uses the file.
	ErrServing = errors.New("another server is using this state")
	// ErrUnavailable is returned when the database of a state can't be reached. What was to
	// be written is written or not, whole.
	ErrUnavailable = errors.New("the database can't be reached")
	// ErrClosed is returned by calls after Close.
	ErrClosed = errors.New("the state is closed")
	// ErrReplaced is returned when a running server's file was replaced or deleted:
	// by calls of that server, and by Open in other processes.
	ErrReplaced = errors.New("the state file was replaced or deleted under a running server")
	// ErrNotState is returned by Open for a file that is no state, or an outdated one.
	ErrNotState = errors.New("not a Larder state")
	// ErrVersion is returned by Open for a state with a newer schema version.
	ErrVersion = errors.New("the state has a newer schema version")
	// ErrNotEmpty is returned by Copy for a database that has keys.
	ErrNotEmpty = errors.New("it has keys already")
)
