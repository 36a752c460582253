package state

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Session is a signed-in subscriber.
type Session struct {
	Key     Key // as it is now
	Created time.Time
	Expires time.Time // the first moment at which it has ended
}

// MaxSessions is how many sessions of a key go on at once: when another begins,
// the oldest ends.
const MaxSessions = 50

// SignIn starts a session with a key's secret, and returns the token that continues
// it. The errors are those of Lookup. The secret is looked up in the transaction that
// adds the session, so a secret that is replaced meanwhile starts no session.
func (db *DB) SignIn(ctx context.Context, secret string) (token string, s Session, err error) {
	if !WellFormed(secret) {
		return "", Session{}, ErrUnknownKey
	}
	h := hashOf(secret)
	return db.startSession(ctx, func(t tx, now time.Time) (Key, error) {
		k, err := keyBySecret(t.row(selectBySecret+t.lock, h[:], now.UnixNano()))
		if err != nil || k.Valid(now) != nil {
			return k, err
		}
		return k, noteUse(t, k.ID, k.Secret(), now)
	})
}

// NewLink makes a sign-in link for a key: a token that Redeem takes once, until
// it expires. Earlier links of the key stay good.
func (db *DB) NewLink(ctx context.Context, keyID int64) (token string, expires time.Time, err error) {
	token = newToken()
	h, now := hashOf(token), db.options.Now()
	expires = moment(now.Add(db.options.LinkLife).UnixNano())
	_, err = write(ctx, db, func(t tx) (Key, error) {
		k, err := keyByID(t.row(selectKey+t.lock, keyID), keyID)
		if err != nil {
			return k, err
		}
		if err := k.Valid(now); err != nil {
			return k, err
		}
		if err := dropExpired(t, now); err != nil {
			return k, err
		}
		_, err = t.exec("INSERT INTO signin_links (hash, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
			h[:], keyID, now.UnixNano(), expires.UnixNano())
		return k, err
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return token, expires, nil
}

// Redeem starts a session with a sign-in link. Of many that try at once, one
// succeeds and the others get ErrNoLink. ErrKeyExpired if the key has expired. The
// links of a disabled or rotated key are void.
func (db *DB) Redeem(ctx context.Context, link string) (token string, s Session, err error) {
	if !isToken(link) {
		return "", Session{}, ErrNoLink
	}
	h := hashOf(link)
	return db.startSession(ctx, func(t tx, now time.Time) (Key, error) {
		var id int64
		err := t.row("DELETE FROM signin_links WHERE hash = $1 AND expires_at > $2 RETURNING key_id", h[:], now.UnixNano()).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return Key{}, ErrNoLink
		}
		if err != nil {
			return Key{}, err
		}
		return keyByID(t.row(selectKey+t.lock, id), id)
	})
}

func (db *DB) startSession(ctx context.Context, find func(tx, time.Time) (Key, error)) (token string, s Session, err error) {
	if err := db.Intact(); err != nil {
		return "", Session{}, err
	}
	token = newToken()
	h, now := hashOf(token), db.options.Now()
	s, err = write(ctx, db, func(t tx) (Session, error) {
		k, err := find(t, now)
		if err != nil {
			return Session{}, err
		}
		if err := k.Valid(now); err != nil {
			return Session{}, err
		}
		if err := dropExpired(t, now); err != nil {
			return Session{}, err
		}
		s := Session{Key: k, Created: moment(now.UnixNano()), Expires: moment(now.Add(db.options.SessionLife).UnixNano())}
		_, err = t.exec("INSERT INTO sessions (hash, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
			h[:], k.ID, s.Created.UnixNano(), s.Expires.UnixNano())
		if err != nil {
			return s, err
		}
		_, err = t.exec(`DELETE FROM sessions WHERE key_id = $1 AND hash IS DISTINCT FROM $2 AND hash NOT IN (
			SELECT hash FROM sessions WHERE key_id = $3 ORDER BY created_at DESC LIMIT $4)`, k.ID, h[:], k.ID, MaxSessions)
		return s, err
	})
	if err != nil {
		return "", Session{}, err
	}
	return token, s, nil
}

const selectSession = "SELECT " + keyColumns + `, s.created_at, s.expires_at
	FROM sessions s JOIN keys k ON k.id = s.key_id WHERE s.hash = $1 AND s.expires_at > $2`

// Session returns the session that a token continues. ErrNoSession if it has ended.
// ErrKeyExpired if its key has expired: then the session is returned too.
func (db *DB) Session(ctx context.Context, token string) (Session, error) {
	if !isToken(token) {
		return Session{}, ErrNoSession
	}
	if err := db.Intact(); err != nil {
		return Session{}, err
	}
	ctx, cancel := db.bounded(ctx)
	defer cancel()
	h, now := hashOf(token), db.options.Now()
	s, err := sessionOf(db.readers.QueryRowContext(ctx, selectSession, h[:], now.UnixNano()), now)
	return s, db.readError(err)
}

func sessionOf(row *sql.Row, now time.Time) (Session, error) {
	var s Session
	k, err := scanKey(row.Scan, at{&s.Created}, at{&s.Expires})
	if errors.Is(err, sql.ErrNoRows) {
		return s, ErrNoSession
	}
	if err != nil {
		return s, err
	}
	s.Key = k
	return s, k.Valid(now)
}

// SignOut ends a session. Ending one that has ended is no error.
func (db *DB) SignOut(ctx context.Context, token string) error {
	if !isToken(token) {
		return nil
	}
	h := hashOf(token)
	_, err := write(ctx, db, func(t tx) (int64, error) {
		return t.exec("DELETE FROM sessions WHERE hash = $1", h[:])
	})
	return err
}

// endSessions ends a key's sessions and voids its links. It keeps the session with
// the hash keep, which may be nil.
func endSessions(t tx, keyID int64, keep []byte) error {
	if _, err := t.exec("DELETE FROM sessions WHERE key_id = $1 AND hash IS DISTINCT FROM $2", keyID, keep); err != nil {
		return err
	}
	_, err := t.exec("DELETE FROM signin_links WHERE key_id = $1", keyID)
	return err
}

// dropExpired removes expired sessions and links, so that they do not pile up.
func dropExpired(t tx, now time.Time) error {
	for _, table := range []string{"sessions", "signin_links"} {
		if _, err := t.exec("DELETE FROM "+table+" WHERE expires_at <= $1", now.UnixNano()); err != nil {
			return err
		}
	}
	return nil
}
