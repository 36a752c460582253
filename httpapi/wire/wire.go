// Package wire holds the JSON bodies of the HTTP interface as Go structs.
//
// It decides the names and the order of members and the form of their values:
// days are YYYY-MM-DD, moments RFC 3339, money in the currency of the publication, and an unknown
// value is null. The server writes rows of the index (package jevons/table) and of prices
// (package prepared) by hand, several times as fast.
package wire

import (
	"encoding/json"
	"time"
)

// Text is a JSON string. The empty text is null.
type Text string

// MarshalJSON implements json.Marshaler. It never fails.
func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Number is a JSON number in the digits in which it is sent. The empty text is
// null.
type Number string

// MarshalJSON implements json.Marshaler. It fails if the text is no JSON number.
func (n Number) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(n))
}

// Refusal is the body of every error, except under /api/shopper.
type Refusal struct {
	Error     string   `json:"error"`
	Code      string   `json:"code"`
	RequestID string   `json:"requestId"`
	Parameter string   `json:"parameter,omitempty"`
	Accepted  []string `json:"accepted,omitempty"` // values of the parameter
	Upgrade   string   `json:"upgrade_url,omitempty"`
	Required  string   `json:"required_tier,omitempty"`
	Current   string   `json:"current_tier,omitempty"`
}

// ShopperRefusal is the body of every error under /api/shopper.
type ShopperRefusal struct {
	Error struct {
		Code    string `json:"code"`
		Message string `json:"message"` // what to change
	} `json:"error"`
	CatalogURL string `json:"catalogUrl"`
}

// SignedIn is the body of /account/session.
type SignedIn struct {
	KeyID      int64      `json:"key_id"`
	Name       string     `json:"name"`
	Tier       string     `json:"tier"`
	Expires    time.Time  `json:"expires"`     // of the session
	KeyExpires *time.Time `json:"key_expires"` // null for never
}

// RotatedKey is the body of /account/key/rotate: a key with its new secret.
type RotatedKey struct {
	ID      int64      `json:"id"`
	Name    string     `json:"name"`
	Tier    string     `json:"tier"`
	Key     string     `json:"key"`
	Expires *time.Time `json:"expires"` // null for never
}
