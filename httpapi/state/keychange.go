package state

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// NewKey describes a key to make.
type NewKey struct {
	Name      string // 1 to 200 bytes of printable text
	Tier      Tier
	Prefix    string    // of the secret: small letters and digits; default DefaultPrefix
	Expires   time.Time // see Key; zero for never. It must lie ahead
	PerMinute int64     // 0 for the tier's
	PerMonth  int64     // 0 for the tier's; Unlimited for no quota
}

const maxName = 200

func (n *NewKey) check(now time.Time) error {
	switch {
	case strings.TrimSpace(n.Name) != n.Name || n.Name == "" || len(n.Name) > maxName || !utf8.ValidString(n.Name) ||
		strings.ContainsFunc(n.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name %q: use 1 to %d bytes of printable text without white space around it", n.Name, maxName)
	case WellFormed(n.Name) || Redact(n.Name) != n.Name:
		return errors.New("the name looks like a key; name the subscriber instead")
	}
	if err := (&Terms{&n.Tier, &n.PerMinute, &n.PerMonth, &n.Expires}).check(now); err != nil {
		return err
	}
	return checkPrefix(n.Prefix)
}

// ParseExpiry reads when a key expires: a day, YYYY-MM-DD, through the end of
// which it is valid in UTC, or the moment, in RFC 3339, from which on it is
// refused. It returns the first moment at which the key is refused.
func ParseExpiry(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t.AddDate(0, 0, 1), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is neither a day such as 2026-12-31, through which the key is valid (UTC), nor a moment such as 2026-12-31T18:00:00Z", s)
	}
	return t.UTC(), nil
}

// CreateKey makes a key. The secret is returned this once and stored nowhere.
func (db *DB) CreateKey(ctx context.Context, n NewKey) (k Key, secret string, err error) {
	if n.Prefix == "" {
		n.Prefix = DefaultPrefix
	}
	now := db.options.Now()
	if err := n.check(now); err != nil {
		return Key{}, "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	secret = newSecret(n.Prefix)
	h := hashOf(secret)
	k, err = write(ctx, db, func(t tx) (Key, error) {
		var id int64
		err := t.row(`INSERT INTO keys (name, tier, prefix, start, hash, per_minute, per_month, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			n.Name, n.Tier.String(), n.Prefix, startOf(secret), h[:], orNull(n.PerMinute), orNull(n.PerMonth), now.UnixNano(), orNull(n.Expires)).Scan(&id)
		if err != nil {
			return Key{}, err
		}
		return keyByID(t.row(selectKey, id), id)
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// RotateKey gives a key a new secret. The old one is dead when the call returns. All
// sessions of the key end and its sign-in links are void. The rest of the key stays,
// also that it is disabled or expired.
func (db *DB) RotateKey(ctx context.Context, id int64) (k Key, secret string, err error) {
	now := db.options.Now()
	k, err = db.changeKey(ctx, id, func(t tx, k Key) (err error) {
		secret, err = rotate(t, k, now, nil)
		return err
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// RotateKeyFrom is RotateKey for a signed-in subscriber, whose session goes on. It
// returns ErrNoSession when that has ended, so of two sessions that rotate at once
// one succeeds.
func (db *DB) RotateKeyFrom(ctx context.Context, token string) (k Key, secret string, err error) {
	if !isToken(token) {
		return Key{}, "", ErrNoSession
	}
	now := db.options.Now()
	keep := hashOf(token)
	k, err = write(ctx, db, func(t tx) (Key, error) {
		s, err := sessionOf(t.row(selectSession, keep[:], now.UnixNano()), now)
		if err != nil {
			return Key{}, err
		}
		if secret, err = rotate(t, s.Key, now, keep[:]); err != nil {
			return Key{}, err
		}
		return keyByID(t.row(selectKey, s.Key.ID), s.Key.ID)
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

func rotate(t tx, k Key, now time.Time, keep []byte) (secret string, err error) {
	secret = newSecret(k.Prefix)
	h := hashOf(secret)
	if _, err := t.exec("UPDATE keys SET hash = ?, start = ?, rotated_at = ? WHERE id = ?", h[:], startOf(secret), now.UnixNano(), k.ID); err != nil {
		return "", err
	}
	return secret, endSessions(t, k.ID, keep)
}

// DisableKey makes a key refused until it is enabled again. Its sessions end
// and its sign-in links are void. Disabling a disabled key changes nothing.
func (db *DB) DisableKey(ctx context.Context, id int64) (Key, error) {
	now := db.options.Now()
	return db.changeKey(ctx, id, func(t tx, k Key) error {
		if _, err := t.exec("UPDATE keys SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?", now.UnixNano(), id); err != nil {
			return err
		}
		return endSessions(t, id, nil)
	})
}

// EnableKey ends what DisableKey did, but for the sessions.
func (db *DB) EnableKey(ctx context.Context, id int64) (Key, error) {
	return db.changeKey(ctx, id, func(t tx, k Key) error {
		_, err := t.exec("UPDATE keys SET disabled_at = NULL WHERE id = ?", id)
		return err
	})
}

// changeKey changes the key with an id and returns it as it is then.
func (db *DB) changeKey(ctx context.Context, id int64, f func(tx, Key) error) (Key, error) {
	return write(ctx, db, func(t tx) (Key, error) {
		k, err := keyByID(t.row(selectKey, id), id)
		if err != nil {
			return k, err
		}
		if err := f(t, k); err != nil {
			return k, err
		}
		return keyByID(t.row(selectKey, id), id)
	})
}

// Terms are the tier, limits and expiry of a key. A change leaves nil members as
// they are.
type Terms struct {
	Tier      *Tier
	PerMinute *int64     // 0 for the tier's
	PerMonth  *int64     // 0 for the tier's; Unlimited for no quota
	Expires   *time.Time // see Key; zero for never. It must lie ahead
}

func (m *Terms) check(now time.Time) error {
	switch {
	case m.Tier != nil && (*m.Tier < Research || *m.Tier > Enterprise):
		return fmt.Errorf("tier: use %s", strings.Join(tierNames, ", "))
	case m.PerMinute != nil && *m.PerMinute < 0, m.PerMonth != nil && *m.PerMonth < 0:
		return errors.New("limits per minute and per month can't be negative")
	case m.Expires == nil || m.Expires.IsZero():
		return nil
	case !m.Expires.After(now):
		return fmt.Errorf("expiry %s is not in the future", m.Expires.UTC().Format(time.RFC3339))
	case !storable(*m.Expires):
		return fmt.Errorf("expiry %s is beyond the year %d; leave it out", m.Expires.UTC().Format(time.RFC3339), lastYear)
	}
	return nil
}

// SetTerms changes what a key allows, from its next request on. The month's count
// stays, so a lower quota may be used up at once. A key's own limits outlast a change
// of its tier. ErrInvalid for terms that no key can have, and for empty terms.
func (db *DB) SetTerms(ctx context.Context, id int64, m Terms) (Key, error) {
	if m == (Terms{}) {
		return Key{}, fmt.Errorf("%w: say what to change: tier, limits or expiry", ErrInvalid)
	}
	if err := m.check(db.options.Now()); err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return db.changeKey(ctx, id, func(t tx, _ Key) error {
		set := func(column string, value any) error {
			_, err := t.exec("UPDATE keys SET "+column+" = ? WHERE id = ?", value, id)
			return err
		}
		var errs []error
		if m.Tier != nil {
			errs = append(errs, set("tier", m.Tier.String()))
		}
		if m.PerMinute != nil {
			errs = append(errs, set("per_minute", orNull(*m.PerMinute)))
		}
		if m.PerMonth != nil {
			errs = append(errs, set("per_month", orNull(*m.PerMonth)))
		}
		if m.Expires != nil {
			errs = append(errs, set("expires_at", orNull(*m.Expires)))
		}
		return errors.Join(errs...)
	})
}
