package state

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Terms are what a key allows. Nil is what is not said: of a change, what stays
// as it is.
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

// SetTerms changes what a key allows; its secret, sessions and history stay. The
// new terms hold from the key's next request on, also for what the month has
// already counted: a quota that is now used up refuses it. A key's own limits
// outlast a change of its tier. ErrInvalid for terms that no key can have, and
// for none at all.
func (db *DB) SetTerms(ctx context.Context, id int64, m Terms) (k Key, err error) {
	if m == (Terms{}) {
		return Key{}, fmt.Errorf("%w: say what to change: tier, limits or expiry", ErrInvalid)
	}
	if err := m.check(db.options.Now()); err != nil {
		return Key{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	err = db.changeKey(ctx, id, &k, func(t tx, _ Key) error {
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
	return k, err
}
