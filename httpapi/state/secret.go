package state

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
)

const (
	// DefaultPrefix starts the secrets of keys that ask for no other prefix.
	DefaultPrefix = "larder"

	liveMark     = "_live_"
	randomLength = 32 // base62 characters, 190 bits
	crcLength    = 6  // base62 characters: 62^6 is above 2^32

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// hashOf returns the SHA-256 of a secret. Only passwords need a slow hash: 190 random bits
// can't be guessed at any speed.
func hashOf(secret string) []byte {
	h := sha256.Sum256([]byte(secret))
	return h[:]
}

// newSecret makes the secret of a key: the prefix, "_live_", 32 random base62
// characters, and the CRC-32 (IEEE) of all that as 6 more, big end first.
func newSecret(prefix string) string {
	body := prefix + liveMark + randomBase62(randomLength)
	return body + checksum(body)
}

// startOf returns the first 4 random characters of a secret: 24 of its 190 bits.
func startOf(secret string) string {
	_, random, _ := strings.Cut(secret, liveMark)
	return random[:4]
}

func randomBase62(n int) string {
	out := make([]byte, n)
	for i := range out {
		// crypto/rand never fails: it ends the program
		place, _ := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		out[i] = base62[place.Int64()]
	}
	return string(out)
}

func checksum(body string) string {
	var out [crcLength]byte
	sum := crc32.ChecksumIEEE([]byte(body))
	for i := crcLength - 1; i >= 0; i-- {
		out[i] = base62[sum%62]
		sum /= 62
	}
	return string(out[:])
}

var (
	prefixShape = regexp.MustCompile(`^[a-z][a-z0-9]{0,15}$`)
	shape       = regexp.MustCompile(`^[a-z][a-z0-9]{0,15}_live_[0-9A-Za-z]{38}$`)
)

// WellFormed reports whether s has the shape of a key's secret and the right
// checksum. It says nothing about whether there is such a key.
func WellFormed(s string) bool {
	body := s[:max(0, len(s)-crcLength)]
	return shape.MatchString(s) && body+checksum(body) == s
}

// secretLike finds secrets, also those that lost their ends.
var secretLike = regexp.MustCompile(`[A-Za-z0-9]*_live_[0-9A-Za-z]{8,}`)

const redacted = "KEY-REMOVED"

// tokenChars finds what may be a token of a session or a link.
var tokenChars = regexp.MustCompile(`[A-Za-z0-9_-]{40,}`)

// Redact returns s with all that looks like a key's secret, or like the token of
// a session or a sign-in link, replaced.
func Redact(s string) string {
	if strings.Contains(s, liveMark) {
		s = secretLike.ReplaceAllLiteralString(s, redacted)
	}
	return tokenChars.ReplaceAllStringFunc(s, func(run string) string {
		if isToken(run) {
			return redacted
		}
		return run
	})
}

const tokenBytes = 32

func newToken() string {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never fails, like all of crypto/rand
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// isToken checks the shape of a token, so that nonsense costs no query.
func isToken(s string) bool {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(b) == tokenBytes
}
