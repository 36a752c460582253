package state

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/enum"
)

// Key is a licence key, without its secret.
type Key struct {
	ID       int64
	Name     string // of the subscriber, for people
	Tier     Tier
	Prefix   string   // of its secret, before "_live_"
	Start    string   // the 4 characters after "_live_"
	Limits   Limits   // in force: its own, or else its tier's
	Networks Networks // that it may be used from; the caller checks them
	Created  time.Time
	Expires  time.Time // the first moment at which it is refused; zero is never
	Rotated  time.Time // last time; zero if never
	Disabled time.Time // zero if enabled
}

// Shown returns the part of the secret that tells keys apart and reveals nothing:
// the prefix, "_live_" and 4 characters.
func (k Key) Shown() string { return k.Prefix + liveMark + k.Start }

// Valid returns ErrKeyDisabled or ErrKeyExpired if the key is refused at a
// moment. A key that is both is disabled.
func (k Key) Valid(at time.Time) error {
	switch {
	case !k.Disabled.IsZero():
		return ErrKeyDisabled
	case !k.Expires.IsZero() && !at.Before(k.Expires):
		return ErrKeyExpired
	}
	return nil
}

const keyColumns = `keys.id, keys.name, keys.tier, keys.prefix, coalesce(keys.per_minute, 0),
	coalesce(keys.per_month, 0), keys.networks,
	keys.created_at, keys.expires_at, keys.rotated_at, keys.disabled_at, keys.start`

// scanKey reads keyColumns and, behind them, more columns. Without a row it returns none.
func scanKey(none error, scan func(...any) error, more ...any) (k Key, err error) {
	var tier string
	err = scan(append([]any{
		&k.ID, &k.Name, &tier, &k.Prefix, &k.Limits.PerMinute, &k.Limits.PerMonth, &k.Networks,
		at{&k.Created}, at{&k.Expires}, at{&k.Rotated}, at{&k.Disabled}, &k.Start,
	}, more...)...)
	if errors.Is(err, sql.ErrNoRows) {
		err = none
	}
	if err != nil {
		return Key{}, err
	}
	k.Tier, _ = ParseTier(tier) // the schema knows these alone
	of := k.Tier.Limits()
	k.Limits = Limits{cmp.Or(k.Limits.PerMinute, of.PerMinute), cmp.Or(k.Limits.PerMonth, of.PerMonth)}
	return k, nil
}

func moment(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }

// at is a moment in a column. NULL is the zero moment when it is read, and none when written.
type at struct{ *time.Time }

// Scan implements sql.Scanner.
func (a at) Scan(v any) error {
	if n, ok := v.(int64); ok {
		*a.Time = moment(n)
	}
	return nil
}

// Value implements driver.Valuer. The zero moment is 0.
func (a at) Value() (driver.Value, error) {
	switch {
	case a.Time == nil:
		return nil, nil
	case a.IsZero():
		return int64(0), nil
	}
	return a.UnixNano(), nil
}

// Lookup returns the key of a secret, as it is now. A secret that is malformed, was never issued
// or was replaced by a rotation is ErrUnknownKey. With ErrKeyDisabled and ErrKeyExpired the key is
// returned too, so that the refusal can be logged.
func (db *DB) Lookup(ctx context.Context, secret string) (Key, error) {
	if !WellFormed(secret) {
		return Key{}, ErrUnknownKey
	}
	now := db.options.Now()
	k, err := read(ctx, db, func(t tx) (Key, error) { return t.keyOf(secret) })
	if err != nil {
		return Key{}, err
	}
	return k, k.Valid(now)
}

// keyOf finds a key by the hash of its secret.
func (t tx) keyOf(secret string) (Key, error) {
	return scanKey(ErrUnknownKey, t.row("SELECT "+keyColumns+" FROM keys WHERE hash = $1"+t.lock, hashOf(secret)).Scan)
}

func (t tx) key(id int64) (Key, error) {
	return t.oneKey(id, "SELECT "+keyColumns+" FROM keys WHERE id = $1"+t.lock)
}

// oneKey returns the key with an id, by a statement whose last argument is that.
func (t tx) oneKey(id int64, query string, args ...any) (Key, error) {
	return scanKey(fmt.Errorf("%w: %d", ErrNoKey, id), t.row(query, append(args, id)...).Scan)
}

// Keys returns all keys by id.
func (db *DB) Keys(ctx context.Context) ([]Key, error) {
	return read(ctx, db, func(t tx) ([]Key, error) {
		return list(t, func(r *sql.Rows) (Key, error) { return scanKey(nil, r.Scan) },
			"SELECT "+keyColumns+" FROM keys ORDER BY id")
	})
}

// Empty reports whether no key was ever made.
func (db *DB) Empty(ctx context.Context) (bool, error) {
	return read(ctx, db, func(t tx) (empty bool, err error) {
		err = t.row("SELECT NOT EXISTS (SELECT 1 FROM keys)").Scan(&empty)
		return empty, err
	})
}

// Tier is a subscription tier. Tiers are ordered: a key may use what its tier
// or a lower one unlocks, so compare with <. The zero Tier is no tier.
type Tier uint8

// The tiers, lowest first.
const (
	Research Tier = iota + 1
	Standard
	Professional
	Enterprise
)

var tiers = enum.New("tier", Research, "research", "standard", "professional", "enterprise")

// Tiers returns all tiers, lowest first.
func Tiers() []Tier { return tiers.Values() }

// ParseTier reads a tier's name.
func ParseTier(s string) (Tier, error) { return tiers.Parse(s) }

// String returns the tier's name.
func (t Tier) String() string { return tiers.String(t) }

// MarshalText returns the tier's name.
func (t Tier) MarshalText() ([]byte, error) { return tiers.MarshalText(t) }

// Value implements driver.Valuer.
func (t Tier) Value() (driver.Value, error) { return t.String(), nil }

// Unlimited is the PerMonth of a key without a monthly quota.
const Unlimited = math.MaxInt64

// Limits bounds the use of a key.
type Limits struct {
	PerMinute int64 // authenticated requests in a minute
	PerMonth  int64 // requests answered 2xx in a UTC calendar month, or Unlimited
}

var tierLimits = map[Tier]Limits{
	Research:     {60, 5_000},
	Standard:     {120, 50_000},
	Professional: {600, 500_000},
	Enterprise:   {3_000, Unlimited},
}

// Limits returns what a key of the tier may use unless it has limits of its
// own. The zero Tier may use nothing.
func (t Tier) Limits() Limits { return tierLimits[t] }

// Networks lists the networks that a key may be used from, in CIDR with commas between.
// The empty list means anywhere.
type Networks string

// Allow reports whether an address is in one of the networks.
func (n Networks) Allow(a netip.Addr) bool {
	return n == "" || slices.ContainsFunc(strings.Split(string(n), ","), func(s string) bool {
		p, err := netip.ParsePrefix(s)
		return err == nil && p.Contains(a)
	})
}
