package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/state"
)

// admit decides whether the request is answered at all: the client's bucket of
// the public index, then who asks (401, 403), for what (402), and how often
// (429).
func (s *Server) admit(c *call) error {
	if c.public {
		if err := s.admitClient(c); err != nil {
			return err
		}
	}
	if err := s.identify(c); err != nil {
		return err
	}
	return s.admitKey(c)
}

// admitClient takes one request out of the client's bucket.
func (s *Server) admitClient(c *call) error {
	limit := bucketLimit{perMinute: s.PublicPerMinute}
	use := s.clients.take(s.client(c.r), limit, c.now)
	if use.ok {
		return nil
	}
	use.setHeaders(c.w.Header(), c.now)
	return tooMany(use, "this address may make about %d requests of the public index a minute", limit.perMinute)
}

var (
	errNoToken = &apiError{
		Status: http.StatusUnauthorized, Code: "unauthorized",
		Message: `a key is needed: send it as the header "Authorization: Bearer <key>"`,
	}
	errUnknownKey = &apiError{
		Status: http.StatusUnauthorized, Code: "unauthorized",
		Message: "the key is not known; a lost key is rotated on the account page, never recovered",
	}
	errNoSession = &apiError{
		Status: http.StatusUnauthorized, Code: "unauthorized",
		Message: "nobody is signed in, or the session has ended: sign in on the account page",
	}
	errDisabled = &apiError{
		Status: http.StatusForbidden, Code: "key_disabled",
		Message: "the key is disabled; ask the publisher",
	}
	errExpired = &apiError{
		Status: http.StatusForbidden, Code: "key_expired",
		Message: "the key has expired; renew the licence with the publisher",
	}
)

// identify finds the key that pays: the bearer key or, on the public index, the
// signed-in subscriber's; on routes that take a session only, the latter.
func (s *Server) identify(c *call) (err error) {
	switch header := c.r.Header.Values("Authorization"); {
	case c.sessionOnly, c.public && len(header) == 0:
		var session state.Session
		c.auth = state.AuthSession
		session, err = s.onlySession(c.r)
		c.key = session.Key
	case len(header) > 0:
		secret, ok := bearer(header)
		if !ok {
			return errNoToken
		}
		c.auth = state.AuthKey
		c.key, err = s.State.Lookup(c.r.Context(), secret)
	default:
		return errNoToken
	}
	if errors.Is(err, state.ErrKeyDisabled) || errors.Is(err, state.ErrKeyExpired) {
		// Nothing else would stop its holder from filling the log.
		c.unlogged = !s.keys.take(c.key.ID, bucketLimit{perMinute: int(c.key.Limits.PerMinute)}, c.now).ok
	}
	return refusal(err)
}

// bearer returns the key of an Authorization header; false unless there is one
// header with one key. The scheme's name may be in any letters.
func bearer(header []string) (string, bool) {
	scheme, secret, ok := strings.Cut(header[0], " ")
	secret = strings.Trim(secret, " ")
	return secret, len(header) == 1 && ok && strings.EqualFold(scheme, "Bearer") && secret != "" && !strings.Contains(secret, " ")
}

// refusal turns what the state says of a key into what its reader is told.
func refusal(err error) error {
	switch {
	case errors.Is(err, state.ErrUnknownKey):
		return errUnknownKey
	case errors.Is(err, state.ErrNoSession):
		return errNoSession
	case errors.Is(err, state.ErrKeyDisabled):
		return errDisabled
	case errors.Is(err, state.ErrKeyExpired):
		return errExpired
	}
	return err
}

// admitKey takes one request out of the key's minute, which every call with a
// key counts against, then out of its month.
func (s *Server) admitKey(c *call) error {
	limits := c.key.Limits
	use := s.keys.take(c.key.ID, bucketLimit{perMinute: int(limits.PerMinute)}, c.now)
	quota, err := s.State.Quota(c.r.Context(), c.key)
	if err != nil {
		return err
	}
	use.quota, c.use = &quota, &use
	defer func() { use.setHeaders(c.w.Header(), c.now) }()
	if c.key.Tier < c.tier {
		return &apiError{
			Status: http.StatusPaymentRequired, Code: "tier_required", Upgrade: s.BaseURL + "/account",
			Required: c.tier.String(), Current: c.key.Tier.String(),
			Message: "this resource needs the tier " + c.tier.String() + " or a higher one; the key's tier is " + c.key.Tier.String(),
		}
	}
	if !use.ok {
		return tooMany(use, "the key may make %d requests a minute", limits.PerMinute)
	}
	if c.free {
		return nil
	}
	c.reserve, err = s.State.Reserve(c.r.Context(), c.key)
	var spent *state.QuotaError
	if errors.As(err, &spent) {
		quota = spent.Quota
		if spent.Used-spent.Pending < spent.Limit {
			// Requests under way hold what is left, and may yet give it back.
			return &apiError{
				Status: http.StatusTooManyRequests, Code: "quota_exceeded", RetryAfter: time.Second,
				Message: "the rest of the key's " + spent.Month.String() + " quota is taken by requests under way; try again in 1 s",
			}
		}
		return &apiError{
			Status: http.StatusTooManyRequests, Code: "quota_exceeded", RetryAfter: spent.Resets.Sub(c.now),
			Message: "the key's " + spent.Month.String() + " quota is used up; the next month begins at " + spent.Resets.Format(time.RFC3339),
		}
	}
	if err == nil && quota.Limit != state.Unlimited {
		quota.Used++
	}
	return err
}

// giveBack corrects what the headers tell of the month for a response that does
// not count.
func (c *call) giveBack() {
	if c.reserve != nil && c.use.quota.Limit != state.Unlimited {
		c.use.quota.Used--
		c.use.setHeaders(c.w.Header(), c.now)
	}
}
