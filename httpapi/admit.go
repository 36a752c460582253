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
		if client = &use; !use.OK {
			if c.use = client; unknown == nil {
				use := s.keys.Take(c.key.ID, int(c.key.Limits.PerMinute), c.now)
				use.Also, c.use = client, &use
			}
			return use.TooMany("this address may make about %d requests of the public index a minute")
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
	if c.who.by == withSession || c.who.by == withEither && len(header) == 0 {
		var session state.Session
		c.auth = state.AuthSession
		session, err = s.onlySession(c.r)
		c.key = session.Key
		if c.who.by == withEither && errors.Is(err, state.ErrNoSession) {
			err = errNoKeyOrUser
			if c.who == paidFigure {
				err = errFigureKey
			}
		}
	} else {
		secret, ok := bearer(header)
		if !ok {
			return errNoToken
		}
		c.auth = state.AuthKey
		if c.key, err = s.State.Lookup(c.whole(), secret); err == nil {
			err = s.onNetwork(c.r, c.key)
		}
	}
	if end := c.key.Ends(); err == nil && !end.IsZero() && end.Sub(c.now) <= announced {
		c.w.Header().Set("Larder-Key-Expires", end.UTC().Format(http.TimeFormat))
	}
	return err
}

// announced is how long ahead responses name the end of the key, or of its old secret.
const announced = 30 * 24 * time.Hour

func (s *Server) onNetwork(r *http.Request, k state.Key) error {
	if from := s.address(r); !k.Networks.Allow(from) {
		return reply.Refuse("network_refused", "the key is for networks of the subscriber, and "+from.String()+" is in none of them; call from there, or ask the publisher to add yours")
	}
	return nil
}

// admitKey takes one request out of the key's minute, which every call counts
// against, then one out of its month. client was taken out of the client's bucket;
// nil where that is not asked.
func (s *Server) admitKey(c *call, client *limit.Use) (err error) {
	use, quota := s.keys.Take(c.key.ID, int(c.key.Limits.PerMinute), c.now), state.Quota{Limit: c.key.Limits.PerMonth}
	use.Also, use.Quota = client, &quota
	if quota.Limit != state.Unlimited {
		if quota, err = s.State.Quota(c.whole(), c.key); err != nil {
			return err
		}
	}
	c.use = &use
	if need, has := c.who.tier, c.key.Tier; has < need {
		about := s.Snapshots.Current().About()
		return &reply.Error{Refusal: wire.Refusal{
			Code: "tier_required", Upgrade: cmp.Or(about.UpgradeURL, about.ContactURL(), s.BaseURL+pathAccount), Required: need.String(), Current: has.String(),
			Error: "this resource needs the tier " + need.String() + " or a higher one; the key's tier is " + has.String(),
		}}
	}
	if !use.OK {
		return use.TooMany("the key may make %d requests a minute")
	}
	if c.who.free {
		return nil
	}
	return c.countMonth()
}

// countMonth has the call count against the key's month. The log decides when the request is
// answered, as other requests may count meanwhile.
func (c *call) countMonth() error {
	if c.use.Quota.Remaining() == 0 {
		return &state.QuotaError{Quota: *c.use.Quota}
	}
	c.counts = true
	c.use.Quota.Used++
	return nil
}

// take takes a request out of the bucket of the client, and says in headers what is left.
func (s *Server) take(c *call, of *limit.Buckets[netip.Prefix], perMinute int, format string) error {
	use := of.Take(s.client(c.r), perMinute, c.now)
	if use.SetHeaders(c.w.Header(), c.now); !use.OK {
		return use.TooMany(format)
	}
	return nil
}

// giveBack keeps a response from counting against the month.
func (c *call) giveBack() {
	if c.counts {
		c.counts = false
		c.use.Quota.Used--
	}
}

// bearer returns the key of an Authorization header; false unless there is one
// header with one key. The scheme's name may be in any case.
func bearer(header []string) (string, bool) {
	scheme, secret, ok := strings.Cut(strings.Join(header, ","), " ")
	secret = strings.Trim(secret, " ")
	return secret, len(header) == 1 && ok && strings.EqualFold(scheme, "Bearer") && secret != "" && !strings.Contains(secret, " ")
}
