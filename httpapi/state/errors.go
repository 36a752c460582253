package state

import "errors"

// What is wrong with a secret, a key, a session or a sign-in link.
var (
	ErrUnknownKey  = errors.New("unknown key")
	ErrKeyDisabled = errors.New("the key is disabled")
	ErrKeyExpired  = errors.New("the key has expired")
	ErrNoKey       = errors.New("no such key")
	ErrInvalid     = errors.New("can't make such a key")
	ErrNoSession   = errors.New("no such session, or it has ended")
	ErrNoLink      = errors.New("the sign-in link is unknown, used or expired")
)

// What is wrong with a state.
var (
	ErrServing = errors.New("another server is using this state")
	// With ErrUnavailable what was to be written is written or not, whole.
	ErrUnavailable = errors.New("the database can't be reached")
	ErrClosed      = errors.New("the state is closed")
	// ErrReplaced is returned by calls of that server, and by Open in other processes.
	ErrReplaced = errors.New("the state file was replaced or deleted under a running server")
	ErrNotState = errors.New("not a Larder state") // of this version
)
