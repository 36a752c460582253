package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// admit decides whether a licensed request is answered: the client's bucket of
// the public index (429), then who asks (401, 403), for what (402), and how often
// (429). The key is identified before the bucket is asked, so a refusal by the
// bucket is logged for the key and counts in its minute.
func (s *Server) admit(c *call) error {
	unknown := s.identify(c)
	var client *limit.Use
	if c.who.by == withEither {
		use := s.clients.Take(s.client(c.r), s.PublicPerMinute, c.now)
		client = &use
		if !use.OK {
			told := use
			if unknown == nil {
				told = s.keys.Take(c.key.ID, int(c.key.Limits.PerMinute), c.now)
				told.Also = client
			}
			s.metrics.limited.WithLabelValues(limitClient).Inc()
			told.SetHeaders(c.w.Header(), c.now)
			return limit.TooMany(use, "this address may make about %d requests of the public index a minute", s.PublicPerMinute)
		}
	}
	if unknown != nil {
		return unknown
	}
	return s.admitKey(c, client)
}

// identify finds the key that pays: the bearer key or, where a session is taken,
// the signed-in subscriber's.
func (s *Server) identify(c *call) (err error) {
	header := c.r.Header.Values("Authorization")
	switch {
	case c.who.by == withSession, c.who.by == withEither && len(header) == 0:
		var session state.Session
		c.auth = state.AuthSession
		session, err = s.onlySession(c.r)
		c.key = session.Key
		if c.who.by == withEither && errors.Is(err, state.ErrNoSession) {
			err = errNoKeyOrUser
		}
	case len(header) > 0:
		secret, ok := bearer(header)
		if !ok {
			return errNoToken
		}
		c.auth = state.AuthKey
		if c.key, err = s.State.Lookup(c.whole(), secret); err == nil {
			err = s.onNetwork(c.r, c.key)
		}
	default:
		return errNoToken
	}
	if err == nil {
		s.announceEnd(c)
	}
	return err
}

// onNetwork refuses a request from outside the networks of the key.
func (s *Server) onNetwork(r *http.Request, k state.Key) error {
	if from := s.address(r); !k.Networks.Allow(from) {
		return reply.Refuse("network_refused", "the key is for networks of the subscriber, and "+from.String()+" is in none of them; call from there, or ask the publisher to add yours")
	}
	return nil
}

// admitKey takes one request out of the key's minute, which every call counts
// against, then one out of its month. client was taken out of the client's bucket;
// nil where that is not asked.
func (s *Server) admitKey(c *call, client *limit.Use) error {
	perMinute := int(c.key.Limits.PerMinute)
	use := s.keys.Take(c.key.ID, perMinute, c.now)
	use.Also = client
	quota := state.Quota{Limit: c.key.Limits.PerMonth}
	if quota.Limit != state.Unlimited {
		var err error
		if quota, err = s.State.Quota(c.whole(), c.key); err != nil {
			return err
		}
	}
	use.Quota, c.use = &quota, &use
	defer func() { use.SetHeaders(c.w.Header(), c.now) }()
	if need, has := c.who.tier, c.key.Tier; has < need {
		return &reply.Error{Refusal: wire.Refusal{
			Code: "tier_required", Upgrade: cmp.Or(s.Snapshots.Current().About().UpgradeLink(), s.BaseURL+pathAccount), Required: need.String(), Current: has.String(),
			Error: "this resource needs the tier " + need.String() + " or a higher one; the key's tier is " + has.String(),
		}}
	}
	if !use.OK {
		s.metrics.limited.WithLabelValues(limitKey).Inc()
		return limit.TooMany(use, "the key may make %d requests a minute", perMinute)
	}
	if c.who.free {
		return nil
	}
	return s.countMonth(c)
}

// countMonth makes the request one that counts against the key's month, if any of that is
// left. The log decides when it is answered, as other requests may count meanwhile.
func (s *Server) countMonth(c *call) error {
	quota := c.use.Quota
	if quota.Remaining() == 0 {
		s.metrics.limited.WithLabelValues(limitMonth).Inc()
		return quotaExceeded(&state.QuotaError{Quota: *quota}, c.now)
	}
	c.counts = true
	quota.Used++
	c.use.SetHeaders(c.w.Header(), c.now)
	return nil
}

// quotaExceeded refuses a request for want of quota.
func quotaExceeded(spent *state.QuotaError, now time.Time) *reply.Error {
	return reply.Refuse("quota_exceeded", "the key's "+spent.Month.String()+" quota is used up; the next month begins at "+
		spent.Resets.Format(time.RFC3339)).After(spent.Resets.Sub(now))
}

// take takes a request out of the bucket of the client, and says in headers what is left. The
// refusal names the limit, of which format says what it is.
func (s *Server) take(c *call, of *limit.Buckets[netip.Prefix], perMinute int, name, format string) error {
	use := of.Take(s.client(c.r), perMinute, c.now)
	use.SetHeaders(c.w.Header(), c.now)
	if use.OK {
		return nil
	}
	s.metrics.limited.WithLabelValues(name).Inc()
	return limit.TooMany(use, format, perMinute)
}

// giveBack corrects what the headers say of the month for a response that does
// not count.
func (c *call) giveBack() {
	if c.counts {
		c.use.Quota.Used--
		c.use.SetHeaders(c.w.Header(), c.now)
	}
}

// bearer returns the key of an Authorization header; false unless there is one
// header with one key. The scheme's name may be in any case.
func bearer(header []string) (string, bool) {
	scheme, secret, ok := strings.Cut(header[0], " ")
	secret = strings.Trim(secret, " ")
	return secret, len(header) == 1 && ok && strings.EqualFold(scheme, "Bearer") && secret != "" && !strings.Contains(secret, " ")
}
