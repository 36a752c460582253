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
	Networks  Networks  // see Key; empty for anywhere
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
	if err := (&Terms{&n.Tier, &n.PerMinute, &n.PerMonth, &n.Expires, nil}).check(now); err != nil {
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
		err := t.row(`INSERT INTO keys (name, tier, prefix, start, hash, per_minute, per_month, created_at, expires_at, networks)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
			n.Name, n.Tier.String(), n.Prefix, startOf(secret), h[:], orNull(n.PerMinute), orNull(n.PerMonth), now.UnixNano(), orNull(n.Expires), n.Networks).Scan(&id)
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

// MaxOverlap is the longest time for which an old secret stays good.
const MaxOverlap = 30 * 24 * time.Hour

// RotateKey gives a key a new secret. The rest of the key stays, also that it is
// disabled or expired.
//
// Without an overlap the old secret is dead when the call returns, and so is one that an
// earlier overlap kept. All sessions of the key end and its sign-in links are void.
//
// With an overlap, of up to MaxOverlap, the old secret is good for that long; sessions and
// links go on. A key has two live secrets at most, so ErrOverlap while an old one is
// still good and the newer one was used. A newer one that never was used, such as one whose
// answer was lost, is replaced.
func (db *DB) RotateKey(ctx context.Context, id int64, overlap time.Duration) (k Key, secret string, err error) {
	if err := checkOverlap(overlap); err != nil {
		return Key{}, "", err
	}
	now := db.options.Now()
	k, err = db.changeKey(ctx, id, func(t tx, k Key) (err error) {
		secret, err = rotate(t, k, now, overlap, nil)
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
func (db *DB) RotateKeyFrom(ctx context.Context, token string, overlap time.Duration) (k Key, secret string, err error) {
	if !isToken(token) {
		return Key{}, "", ErrNoSession
	}
	if err := checkOverlap(overlap); err != nil {
		return Key{}, "", err
	}
	now := db.options.Now()
	keep := hashOf(token)
	k, err = write(ctx, db, func(t tx) (Key, error) {
		s, err := sessionOf(t.row(selectSession+t.lock, keep[:], now.UnixNano()), now)
		if err != nil {
			return Key{}, err
		}
		if secret, err = rotate(t, s.Key, now, overlap, keep[:]); err != nil {
			return Key{}, err
		}
		return keyByID(t.row(selectKey, s.Key.ID), s.Key.ID)
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

func checkOverlap(d time.Duration) error {
	if d < 0 || d > MaxOverlap {
		return fmt.Errorf("%w: an overlap of %s is not between 0 and %s", ErrInvalid, d, MaxOverlap)
	}
	return nil
}

func rotate(t tx, k Key, now time.Time, overlap time.Duration, keep []byte) (secret string, err error) {
	var until time.Time
	old := ""
	switch {
	case overlap == 0:
		old = "old_hash = NULL, old_start = NULL, old_used_at = NULL,"
	case !k.Overlaps(now):
		until, old = now.Add(overlap), "old_hash = hash, old_start = start, old_used_at = used_at,"
	case k.Used.IsZero(): // the old one stays good for as long as was promised, or longer
		if until = now.Add(overlap); until.Before(k.Old.Until) {
			until = k.Old.Until
		}
	default:
		return "", fmt.Errorf("%w until %s, and the newer one is in use", ErrOverlap, k.Old.Until.Format(time.RFC3339))
	}
	secret = newSecret(k.Prefix)
	h := hashOf(secret)
	_, err = t.exec("UPDATE keys SET "+old+" old_until = $1, hash = $2, start = $3, rotated_at = $4, used_at = NULL WHERE id = $5",
		orNull(until), h[:], startOf(secret), now.UnixNano(), k.ID)
	if err != nil || overlap > 0 {
		return secret, err
	}
	return secret, endSessions(t, k.ID, keep)
}

// noteUse keeps when a secret, told by its Start, was used. A secret that was replaced for
// good has no row any more.
func noteUse(t tx, keyID int64, start string, at time.Time) error {
	for _, secret := range []string{"", "old_"} {
		n, err := t.exec("UPDATE keys SET "+secret+"used_at = $1 WHERE id = $2 AND "+secret+"start = $3 AND coalesce("+secret+"used_at, 0) < $1",
			at.UnixNano(), keyID, start)
		if n > 0 || err != nil {
			return err
		}
	}
	return nil
}

// DisableKey makes a key refused until it is enabled again. Its sessions end
// and its sign-in links are void. Disabling a disabled key changes nothing.
func (db *DB) DisableKey(ctx context.Context, id int64) (Key, error) {
	now := db.options.Now()
	return db.changeKey(ctx, id, func(t tx, k Key) error {
		if _, err := t.exec("UPDATE keys SET disabled_at = coalesce(disabled_at, $1) WHERE id = $2", now.UnixNano(), id); err != nil {
			return err
		}
		return endSessions(t, id, nil)
	})
}

// EnableKey ends what DisableKey did, but for the sessions.
func (db *DB) EnableKey(ctx context.Context, id int64) (Key, error) {
	return db.changeKey(ctx, id, func(t tx, k Key) error {
		_, err := t.exec("UPDATE keys SET disabled_at = NULL WHERE id = $1", id)
		return err
	})
}

// changeKey changes the key with an id and returns it as it is then.
func (db *DB) changeKey(ctx context.Context, id int64, f func(tx, Key) error) (Key, error) {
	return write(ctx, db, func(t tx) (Key, error) {
		k, err := keyByID(t.row(selectKey+t.lock, id), id)
		if err != nil {
			return k, err
		}
		if err := f(t, k); err != nil {
			return k, err
		}
		return keyByID(t.row(selectKey, id), id)
	})
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
		return Key{}, fmt.Errorf("%w: say what to change: tier, limits, expiry or networks", ErrInvalid)
	}
	if err := m.check(db.options.Now()); err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return db.changeKey(ctx, id, func(t tx, _ Key) error {
		set := func(column string, value any) error {
			_, err := t.exec("UPDATE keys SET "+column+" = $1 WHERE id = $2", value, id)
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
		if m.Networks != nil {
			errs = append(errs, set("networks", *m.Networks))
		}
		return errors.Join(errs...)
	})
}
