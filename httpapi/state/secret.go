package state

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
)

const (
	// DefaultPrefix starts the secrets of keys that ask for no other prefix.
	DefaultPrefix = "larder"

	liveMark     = "_live_"
	randomLength = 32 // base62 characters, 190 bits
	crcLength    = 6  // base62 characters: 62^6 is above 2^32
	maxPrefix    = 16

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// hash is the SHA-256 of a secret: all that is kept of it. A slow hash is for
// passwords; 190 random bits can't be guessed at any speed.
type hash [sha256.Size]byte

func hashOf(secret string) hash { return sha256.Sum256([]byte(secret)) }

// newSecret makes the secret of a key: the prefix, "_live_", 32 random base62
// characters, and the CRC-32 (IEEE) of all that as 6 more, big end first.
func newSecret(prefix string) string {
	body := prefix + liveMark + randomBase62(randomLength, fillRandom)
	return body + checksum(body)
}

// startOf returns the first 4 random characters of a secret: 24 of its 190 bits.
func startOf(secret string) string {
	_, random, _ := strings.Cut(secret, liveMark)
	return random[:4]
}

// fillRandom never fails: crypto/rand ends the program instead.
func fillRandom(b []byte) { _, _ = rand.Read(b) }

// randomBase62 draws n characters, each equally likely: bytes beyond the last
// multiple of 62 are thrown away.
func randomBase62(n int, fill func([]byte)) string {
	const fair = 256 / len(base62) * len(base62)
	out := make([]byte, 0, n)
	buf := make([]byte, n)
	for len(out) < n {
		fill(buf)
		for _, b := range buf {
			if int(b) < fair && len(out) < n {
				out = append(out, base62[int(b)%len(base62)])
			}
		}
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

// WellFormed reports whether s has the shape of a key's secret and the right
// checksum. It says nothing about whether there is such a key.
func WellFormed(s string) bool {
	prefix, rest, ok := strings.Cut(s, liveMark)
	if !ok || checkPrefix(prefix) != nil || len(rest) != randomLength+crcLength {
		return false
	}
	for i := range len(rest) {
		if !isBase62(rest[i]) {
			return false
		}
	}
	body := s[:len(s)-crcLength]
	return checksum(body) == s[len(body):]
}

func isBase62(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// checkPrefix accepts small letters and digits, a letter first.
func checkPrefix(p string) error {
	for i := range len(p) {
		if c := p[i]; !(c >= 'a' && c <= 'z' || i > 0 && c >= '0' && c <= '9') {
			return fmt.Errorf("prefix %q: use small letters a to z and digits, a letter first", p)
		}
	}
	if p == "" || len(p) > maxPrefix {
		return fmt.Errorf("prefix %q: use 1 to %d characters", p, maxPrefix)
	}
	return nil
}

// secretLike finds whole secrets, and what is left of one that lost its end,
// in any text.
var secretLike = regexp.MustCompile(`[A-Za-z0-9]*_live_[0-9A-Za-z]{8,}`)

// redacted stands where a secret was.
const redacted = "KEY-REMOVED"

// tokenChars finds what may be a token of a session or a link, and is one if it
// is as long.
var tokenChars = regexp.MustCompile(`[A-Za-z0-9_-]{40,}`)

// Redact returns s with all that looks like a key's secret, or like the token of
// a session or a sign-in link, replaced.
func Redact(s string) string {
	if strings.Contains(s, liveMark) {
		s = secretLike.ReplaceAllLiteralString(s, redacted)
	}
	if len(s) < base64.RawURLEncoding.EncodedLen(tokenBytes) {
		return s
	}
	return tokenChars.ReplaceAllStringFunc(s, func(run string) string {
		if isToken(run) {
			return redacted
		}
		return run
	})
}

// tokenBytes is the randomness of a session or sign-in link.
const tokenBytes = 32

// newToken makes the secret of a session or a sign-in link.
func newToken() string {
	var b [tokenBytes]byte
	fillRandom(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// isToken checks the shape of a token, so that nonsense costs no query.
func isToken(s string) bool {
	if len(s) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		return false
	}
	_, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil
}
