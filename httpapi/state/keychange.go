package state

import (
	"cmp"
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
	Networks  Networks  // see Key; empty for anywhere
}

func (n *NewKey) check(now time.Time) error {
	const maxName = 200
	switch {
	case strings.TrimSpace(n.Name) != n.Name || n.Name == "" || len(n.Name) > maxName || !utf8.ValidString(n.Name) ||
		strings.ContainsFunc(n.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return fmt.Errorf("name %q: use 1 to %d bytes of printable text without white space around it", n.Name, maxName)
	case WellFormed(n.Name) || Redact(n.Name) != n.Name:
		return errors.New("the name looks like a key; name the subscriber instead")
	case !prefixShape.MatchString(n.Prefix):
		return fmt.Errorf("prefix %q: use small letters a to z and digits, a letter first, 16 at most", n.Prefix)
	}
	return n.terms().check(now)
}

func (n *NewKey) terms() Terms {
	return Terms{&n.Tier, &n.PerMinute, &n.PerMonth, &n.Expires, &n.Networks}
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
		return time.Time{}, fmt.Errorf(
			"%q is neither a day such as 2026-12-31, through which the key is valid (UTC), nor a moment such as "+
				"2026-12-31T18:00:00Z", s)
	}
	return t.UTC(), nil
}

// CreateKey makes a key. The secret is returned this once and stored nowhere.
func (db *DB) CreateKey(ctx context.Context, n NewKey) (k Key, secret string, err error) {
	n.Prefix = cmp.Or(n.Prefix, DefaultPrefix)
	now := db.options.Now()
	if err := n.check(now); err != nil {
		return Key{}, "", fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	k, err = write(ctx, db, func(t tx) (Key, error) {
		var id int64
		secret = newSecret(n.Prefix)
		err := t.row(`INSERT INTO keys (name, tier, prefix, start, hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)
			RETURNING id`,
			n.Name, n.Tier, n.Prefix, startOf(secret), hashOf(secret), now.UnixNano()).Scan(&id)
		if err != nil {
			return Key{}, err
		}
		return t.setTerms(id, n.terms())
	})
	return k, secret, err
}

// RotateKey gives a key a new secret. The rest of the key stays, also that it is
// disabled or expired. The older secret is dead when the call returns, the key's
// sessions end and its sign-in links are void.
func (db *DB) RotateKey(ctx context.Context, id int64) (k Key, secret string, err error) {
	return db.rotate(ctx, nil, func(t tx, _ time.Time) (Key, error) { return t.key(id) })
}

// RotateKeyFrom is RotateKey for a signed-in subscriber, whose session goes on. It
// returns ErrNoSession when that has ended, so of two sessions that rotate at once
// one succeeds.
func (db *DB) RotateKeyFrom(ctx context.Context, token string) (k Key, secret string, err error) {
	return db.rotate(ctx, hashOf(token), func(t tx, now time.Time) (Key, error) {
		s, err := t.held("sessions", ErrNoSession, token, now)
		return s.Key, err
	})
}

// rotate gives the key that find finds a new secret. keep is the hash of the session that
// goes on.
func (db *DB) rotate(ctx context.Context, keep []byte, find func(tx, time.Time) (Key, error)) (
	k Key, secret string, err error,
) {
	now := db.options.Now()
	k, err = write(ctx, db, func(t tx) (Key, error) {
		k, err := find(t, now)
		if err == nil {
			err = endSessions(t, k.ID, keep)
		}
		if err != nil {
			return k, err
		}
		secret = newSecret(k.Prefix)
		return t.setKey(k.ID, "hash = $1, start = $2, rotated_at = $3", hashOf(secret), startOf(secret), now.UnixNano())
	})
	return k, secret, err
}

// DisableKey makes a key refused until it is enabled again. Its sessions end
// and its sign-in links are void. Disabling a disabled key changes nothing.
func (db *DB) DisableKey(ctx context.Context, id int64) (Key, error) {
	return write(ctx, db, func(t tx) (Key, error) {
		k, err := t.setKey(id, "disabled_at = coalesce(disabled_at, $1)", db.options.Now().UnixNano())
		if err != nil {
			return k, err
		}
		return k, endSessions(t, id, nil)
	})
}

// EnableKey ends what DisableKey did, but for the sessions.
func (db *DB) EnableKey(ctx context.Context, id int64) (Key, error) {
	return write(ctx, db, func(t tx) (Key, error) { return t.setKey(id, "disabled_at = NULL") })
}

func (t tx) setKey(id int64, set string, args ...any) (Key, error) {
	return t.oneKey(id, fmt.Sprintf("UPDATE keys SET %s WHERE id = $%d RETURNING %s", set, len(args)+1, keyColumns),
		args...)
}

// Terms are the tier, limits, expiry and networks of a key. A change leaves nil members
// as they are.
type Terms struct {
	Tier      *Tier
	PerMinute *int64     // 0 for the tier's
	PerMonth  *int64     // 0 for the tier's; Unlimited for no quota
	Expires   *time.Time // see Key; zero for never. It must lie ahead
	Networks  *Networks  // see Key; empty for anywhere
}

func (m Terms) check(now time.Time) error {
	switch {
	case m.Tier != nil && (*m.Tier < Research || *m.Tier > Enterprise):
		return fmt.Errorf("tier: use %s", strings.Join(tiers.List(), ", "))
	case m.PerMinute != nil && *m.PerMinute < 0, m.PerMonth != nil && *m.PerMonth < 0:
		return errors.New("limits per minute and per month can't be negative")
	case m.Expires == nil || m.Expires.IsZero():
		return nil
	case !m.Expires.After(now):
		return fmt.Errorf("expiry %s is not in the future", m.Expires.UTC().Format(time.RFC3339))
	case !storable(*m.Expires):
		return fmt.Errorf("expiry %s is beyond the year %d; leave it out", m.Expires.UTC().Format(time.RFC3339),
			lastYear)
	}
	return nil
}

// SetTerms changes what a key allows, from its next request on. The month's count
// stays, so a lower quota may be used up at once. A key's own limits outlast a change
// of its tier. ErrInvalid for terms that no key can have, and for empty terms.
func (db *DB) SetTerms(ctx context.Context, id int64, m Terms) (Key, error) {
	if m == (Terms{}) {
		return Key{}, fmt.Errorf("%w: say what to change: tier, limits, expiry or networks", ErrInvalid)
	}
	if err := m.check(db.options.Now()); err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return write(ctx, db, func(t tx) (Key, error) { return t.setTerms(id, m) })
}

func (t tx) setTerms(id int64, m Terms) (Key, error) {
	return t.setKey(id, `tier = coalesce($1, tier), per_minute = nullif(coalesce($2, per_minute), 0),
		per_month = nullif(coalesce($3, per_month), 0),
		expires_at = nullif(coalesce($4, expires_at), 0), networks = coalesce($5,
			networks)`, m.Tier, m.PerMinute, m.PerMonth, at{m.Expires}, m.Networks)
}
