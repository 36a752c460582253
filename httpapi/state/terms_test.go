package state

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSetTerms(t *testing.T) {
	db := open(t, statePath(t), Options{})
	other, _ := newKey(t, db, NewKey{})
	k, secret := newKey(t, db, NewKey{Tier: Research, PerMinute: 7})
	later := noon.Add(time.Hour)
	for _, c := range []struct {
		name  string
		terms Terms
		want  func(*Key)
	}{
		{"tier; its own limit stays", Terms{Tier: new(Professional)}, func(k *Key) { k.Tier, k.Limits = Professional, Limits{7, 500_000} }},
		{"limits", Terms{PerMinute: new(int64(9)), PerMonth: new(int64(Unlimited))}, func(k *Key) { k.Limits = Limits{9, Unlimited} }},
		{"one limit", Terms{PerMonth: new(int64(11))}, func(k *Key) { k.Limits = Limits{9, 11} }},
		{"the tier's limits", Terms{PerMinute: new(int64(0)), PerMonth: new(int64(0))}, func(k *Key) { k.Limits = Limits{600, 500_000} }},
		{"expiry", Terms{Expires: &later}, func(k *Key) { k.Expires = later }},
		{"networks", Terms{Networks: new(Networks("192.0.2.0/24"))}, func(k *Key) { k.Networks = "192.0.2.0/24" }},
		{"everything", Terms{new(Standard), new(int64(1)), new(int64(2)), new(time.Time{}), new(Networks)}, func(k *Key) {
			k.Tier, k.Limits, k.Expires, k.Networks = Standard, Limits{1, 2}, time.Time{}, ""
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want(&k)
			got, err := db.SetTerms(t.Context(), k.ID, c.terms)
			if d := cmp.Diff(k, got); d != "" || err != nil {
				t.Error(err, d)
			}
			if found, err := db.Lookup(t.Context(), secret); err != nil || found != got {
				t.Error(found, err)
			}
		})
	}
	if still, err := db.Key(t.Context(), other.ID); err != nil || still != other {
		t.Errorf("another key was changed: %+v, %v", still, err)
	}
}

func TestSetTermsRefuses(t *testing.T) {
	db := open(t, statePath(t), Options{})
	k, _ := newKey(t, db, NewKey{})
	for _, c := range []struct {
		name  string
		terms Terms
		want  string
	}{
		{"nothing", Terms{}, "say what to change"},
		{"no tier", Terms{Tier: new(Tier(0))}, "tier: use research"},
		{"tier beyond", Terms{Tier: new(Enterprise + 1)}, "tier: use research"},
		{"negative minute", Terms{PerMinute: new(int64(-1))}, "can't be negative"},
		{"negative month", Terms{PerMonth: new(int64(-1))}, "can't be negative"},
		{"past", Terms{Tier: new(Enterprise), Expires: new(noon)}, "is not in the future"},
		{"far", Terms{Expires: new(time.Date(2262, 4, 12, 0, 0, 0, 0, time.UTC))}, "is beyond the year"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := db.SetTerms(t.Context(), k.ID, c.terms); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if still, err := db.Key(t.Context(), k.ID); err != nil || still != k {
		t.Errorf("changed to %+v, %v", still, err)
	}
	if _, err := db.SetTerms(t.Context(), 99, Terms{Tier: new(Standard)}); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
}
