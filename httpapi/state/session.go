package state

import (
	"context"
	"time"
)

// Session is a signed-in subscriber.
type Session struct {
	Key     Key       // as it is now
	Expires time.Time // the first moment at which it has ended
}

const (
	// MaxSessions is how many sessions of a key go on at once: when another begins,
	// the oldest ends.
	MaxSessions = 50

	sessionLife = 12 * time.Hour
	linkLife    = 15 * time.Minute // of a sign-in link
)

// SignIn starts a session with a key's secret, and returns the token that continues
// it. The errors are those of Lookup. The secret is looked up in the transaction that
// adds the session, so a secret that is replaced meanwhile starts no session.
func (db *DB) SignIn(ctx context.Context, secret string) (token string, s Session, err error) {
	if !WellFormed(secret) {
		return "", Session{}, ErrUnknownKey
	}
	return db.startSession(ctx, func(t tx, _ time.Time) (Key, error) {
		return t.keyOf(secret)
	})
}

// NewLink makes a sign-in link for a key: a token that Redeem takes once, until
// it expires. Earlier links of the key stay good.
func (db *DB) NewLink(ctx context.Context, keyID int64) (token string, expires time.Time, err error) {
	now := db.options.Now()
	expires = now.Add(linkLife).UTC()
	token, err = write(ctx, db, func(t tx) (string, error) {
		k, err := t.key(keyID)
		if err != nil {
			return "", err
		}
		return t.newToken("signin_links", k, now, expires)
	})
	return token, expires, err
}

// Redeem starts a session with a sign-in link. Of many that try at once, one
// succeeds and the others get ErrNoLink. ErrKeyExpired if the key has expired. The
// links of a disabled or rotated key are void.
func (db *DB) Redeem(ctx context.Context, link string) (token string, s Session, err error) {
	if !isToken(link) {
		return "", s, ErrNoLink
	}
	return db.startSession(ctx, func(t tx, now time.Time) (Key, error) {
		s, err := t.held("signin_links", ErrNoLink, link, now)
		if err == nil {
			_, err = t.exec("DELETE FROM signin_links WHERE hash = $1", hashOf(link))
		}
		return s.Key, err
	})
}

func (db *DB) startSession(ctx context.Context, find func(tx, time.Time) (Key, error)) (
	token string, s Session, err error,
) {
	now := db.options.Now()
	s = Session{Expires: now.Add(sessionLife).UTC()}
	s.Key, err = write(ctx, db, func(t tx) (k Key, err error) {
		if k, err = find(t, now); err != nil {
			return k, err
		}
		if token, err = t.newToken("sessions", k, now, s.Expires); err != nil {
			return k, err
		}
		_, err = t.exec(`DELETE FROM sessions WHERE key_id = $1 AND hash IS DISTINCT FROM $2 AND hash NOT IN (
			SELECT hash FROM sessions WHERE key_id = $3 ORDER BY created_at DESC LIMIT $4)`,
			k.ID, hashOf(token), k.ID, MaxSessions)
		return k, err
	})
	return token, s, err
}

// newToken adds a token of a valid key to the sessions or to the links. It removes expired
// ones, so that they do not pile up.
func (t tx) newToken(table string, k Key, now, expires time.Time) (token string, err error) {
	if err := k.Valid(now); err != nil {
		return "", err
	}
	if _, err := t.exec("DELETE FROM "+table+" WHERE expires_at <= $1", now.UnixNano()); err != nil {
		return "", err
	}
	token = newToken()
	_, err = t.exec("INSERT INTO "+table+" (hash, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
		hashOf(token), k.ID, now.UnixNano(), expires.UnixNano())
	return token, err
}

// Session returns the session that a token continues. ErrNoSession if it has ended.
// ErrKeyExpired if its key has expired: then the session is returned too.
func (db *DB) Session(ctx context.Context, token string) (Session, error) {
	return read(ctx, db, func(t tx) (Session, error) {
		return t.held("sessions", ErrNoSession, token, db.options.Now())
	})
}

// held returns the session or the sign-in link of a token, and the error missing where there is none.
func (t tx) held(table string, missing error, token string, now time.Time) (s Session, err error) {
	if !isToken(token) {
		return s, missing
	}
	s.Key, err = scanKey(missing, t.row("SELECT "+keyColumns+", s.expires_at FROM "+table+` s
		JOIN keys ON keys.id = s.key_id WHERE s.hash = $1
		AND s.expires_at > $2`+t.lock, hashOf(token), now.UnixNano()).Scan, at{&s.Expires})
	if err != nil {
		return s, err
	}
	return s, s.Key.Valid(now)
}

// SignOut ends a session. Ending one that has ended is no error.
func (db *DB) SignOut(ctx context.Context, token string) error {
	_, err := write(ctx, db, func(t tx) (int64, error) {
		return t.exec("DELETE FROM sessions WHERE hash = $1", hashOf(token))
	})
	return err
}

// endSessions ends a key's sessions and voids its links. It keeps the session with
// the hash keep, which may be nil.
func endSessions(t tx, keyID int64, keep []byte) error {
	if _, err := t.exec("DELETE FROM sessions WHERE key_id = $1 AND hash IS DISTINCT FROM $2", keyID,
		keep); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM signin_links WHERE key_id = $1", keyID)
	return err
}
