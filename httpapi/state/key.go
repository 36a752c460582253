package state

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/larder-index/larder/internal/enum"
)

// Key is a licence key, without its secret.
type Key struct {
	ID     int64
	Name   string // of the subscriber, for people
	Tier   Tier
	Prefix string // of its secret, before "_live_"
	Start  string // the 4 characters after "_live_"
	Limits Limits // in force: its own, or else its tier's
	// Networks are those that the key may be used from; the caller checks them.
	Networks Networks
	Created  time.Time
	Used     time.Time // last use of the secret, to the minute; zero if never
	// Expires is the first moment at which the key is refused; zero is never.
	Expires  time.Time
	Rotated  time.Time // last time; zero if never
	Disabled time.Time // zero if enabled
	Old      OldSecret // the secret before the last rotation with an overlap
	// ByOld says that Lookup or SignIn was given the old secret.
	ByOld bool
}

// OldSecret is the secret that a rotation with an overlap left alive for a while.
type OldSecret struct {
	Start string    // see Key
	Until time.Time // the first moment at which it is refused; zero if there is no old secret
	Used  time.Time // see Key
}

// Overlaps reports whether the old secret is accepted at a moment.
func (k Key) Overlaps(at time.Time) bool { return at.Before(k.Old.Until) }

// Ends returns the first moment at which the secret that was looked up is refused: the
// end of the key or, before it, that of the old secret. Zero is never.
func (k Key) Ends() time.Time {
	if k.ByOld && (k.Expires.IsZero() || k.Old.Until.Before(k.Expires)) {
		return k.Old.Until
	}
	return k.Expires
}

// Secret returns the Start of the secret that was looked up.
func (k Key) Secret() string {
	if k.ByOld {
		return k.Old.Start
	}
	return k.Start
}

// Shown returns the part of the secret that tells keys apart and reveals nothing:
// the prefix, "_live_" and 4 characters.
func (k Key) Shown() string { return k.Prefix + liveMark + k.Start }

// OldShown is Shown for the old secret.
func (k Key) OldShown() string { return k.Prefix + liveMark + k.Old.Start }

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

const keyColumns = `k.id, k.name, k.tier, k.prefix, coalesce(k.per_minute, 0), coalesce(k.per_month, 0), k.created_at, k.expires_at, k.rotated_at, k.disabled_at, k.start,
	k.networks, k.used_at, coalesce(k.old_start, ''), k.old_until, k.old_used_at`

// scanKey reads keyColumns and, behind them, more columns. Without a row it returns none.
func scanKey(none error, scan func(...any) error, more ...any) (k Key, err error) {
	var tier string
	own := &k.Limits
	to := []any{&k.ID, &k.Name, &tier, &k.Prefix, &own.PerMinute, &own.PerMonth, at{&k.Created}, at{&k.Expires}, at{&k.Rotated}, at{&k.Disabled}, &k.Start,
		&k.Networks, at{&k.Used}, &k.Old.Start, at{&k.Old.Until}, at{&k.Old.Used}}
	if err = scan(append(to, more...)...); errors.Is(err, sql.ErrNoRows) {
		err = none
	}
	if err != nil {
		return Key{}, err
	}
	if k.Tier, err = ParseTier(tier); err != nil {
		return Key{}, fmt.Errorf("key %d: %w", k.ID, err)
	}
	of := k.Tier.Limits()
	k.Limits = Limits{cmp.Or(own.PerMinute, of.PerMinute), cmp.Or(own.PerMonth, of.PerMonth)}
	return k, nil
}

func moment(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds).UTC() }

// at reads a moment from a column. NULL leaves it zero.
type at struct{ *time.Time }

// Scan implements sql.Scanner.
func (a at) Scan(v any) error {
	if n, ok := v.(int64); ok {
		*a.Time = moment(n)
	}
	return nil
}

// orNull returns the stored form of a limit or an id: NULL for zero.
func orNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// timeOrNull returns the stored form of a moment: NULL for zero.
func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}

// Lookup returns the key of a secret. A secret that is malformed, was never issued
// or was replaced by a rotation, whose overlap is over, is ErrUnknownKey. With ErrKeyDisabled and
// ErrKeyExpired the key is returned too, so that the refusal can be logged. Lookup
// reads the state every time, so a change by any process counts at once.
func (db *DB) Lookup(ctx context.Context, secret string) (Key, error) {
	if !WellFormed(secret) {
		return Key{}, ErrUnknownKey
	}
	now := db.options.Now()
	k, err := read(ctx, db, func(t tx) (Key, error) { return t.keyOf(secret, now) })
	if err != nil {
		return Key{}, err
	}
	return k, k.Valid(now)
}

// keyOf finds a key by the hash of its secret, or of the old one until that ends.
func (t tx) keyOf(secret string, now time.Time) (Key, error) {
	var old bool
	k, err := scanKey(ErrUnknownKey, t.row("SELECT "+keyColumns+", k.hash <> $1 FROM keys k WHERE k.hash = $1 OR (k.old_hash = $1 AND k.old_until > $2)"+t.lock,
		hashOf(secret), now.UnixNano()).Scan, &old)
	k.ByOld = old
	return k, err
}

// Key returns the key with an id. ErrNoKey if no key has it.
func (db *DB) Key(ctx context.Context, id int64) (Key, error) {
	return read(ctx, db, func(t tx) (Key, error) { return t.key(id) })
}

func (t tx) key(id int64) (Key, error) {
	return scanKey(fmt.Errorf("%w: %d", ErrNoKey, id), t.row("SELECT "+keyColumns+" FROM keys k WHERE k.id = $1"+t.lock, id).Scan)
}

// Keys returns all keys by id.
func (db *DB) Keys(ctx context.Context) ([]Key, error) {
	return read(ctx, db, func(t tx) ([]Key, error) {
		return list(t, func(r *sql.Rows) (Key, error) { return scanKey(nil, r.Scan) }, "SELECT "+keyColumns+" FROM keys k ORDER BY k.id")
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
// The empty list means anywhere. Make one with NetworksOf.
type Networks string

// NetworksOf returns the list of some networks.
func NetworksOf(all []netip.Prefix) Networks {
	var list []string
	for _, p := range all {
		list = append(list, p.String())
	}
	return Networks(strings.Join(list, ","))
}

// Allow reports whether an address is in one of the networks.
func (n Networks) Allow(a netip.Addr) bool {
	if n == "" {
		return true
	}
	for s := range strings.SplitSeq(string(n), ",") {
		if p, err := netip.ParsePrefix(s); err == nil && p.Contains(a) {
			return true
		}
	}
	return false
}
