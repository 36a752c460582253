package httpapi

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/httpapi/wire"
)

// admit returns the step that decides whether a licensed request is answered: the client's bucket of
// the public index (429), then who asks (401, 403), for what (402), and how often
// (429). The key is identified before the bucket is asked, so a refusal by the
// bucket is logged for the key and counts in its minute. Without access it is the route's.
func (s *Server) admit(who *access) step {
	return func(c *call) error {
		who := cmp.Or(who, &c.route.who)
		unknown := s.identify(c, who)
		var client *limit.Use
		if who.by == withEither {
			use := s.take(c.r, s.limits.index, c.now)
			client = &use
			if !use.OK {
				c.payer.use = client
				if unknown == nil {
					use := s.takeKey(c)
					use.Also, c.payer.use = client, &use
				}
				return use.TooMany()
			}
		}
		if unknown != nil {
			return unknown
		}
		return s.admitKey(c, who, client)
	}
}

// identify finds the key that pays: the bearer key or, where a session is taken,
// the signed-in subscriber's.
func (s *Server) identify(c *call, who *access) (err error) {
	header, p := c.r.Header.Values("Authorization"), c.payer
	if who.by == withSession || who.by == withEither && len(header) == 0 {
		var session state.Session
		p.auth = state.AuthSession
		session, err = s.onlySession(c.r)
		p.key = session.Key
		if who.by == withEither && errors.Is(err, state.ErrNoSession) {
			err = errNoKeyOrUser
		}
	} else {
		secret, ok := bearer(header)
		if !ok {
			return errNoToken
		}
		p.auth = state.AuthKey
		if p.key, err = s.State.Lookup(c.whole(), secret); err == nil {
			err = s.onNetwork(c.r, p.key)
		}
	}
	if end := p.key.Expires; err == nil && !end.IsZero() && end.Sub(c.now) <= announced {
		c.w.Header().Set("Larder-Key-Expires", end.UTC().Format(http.TimeFormat))
	}
	return err
}

// announced is how long ahead responses name the end of the key.
const announced = 30 * 24 * time.Hour

func (s *Server) onNetwork(r *http.Request, k state.Key) error {
	if from := s.address(r); !k.Networks.Allow(from) {
		return reply.Refuse("network_refused", "the key is for networks of the subscriber, and "+from.String()+
			" is in none of them; call from there, or ask the publisher to add yours")
	}
	return nil
}

func (s *Server) takeKey(c *call) limit.Use {
	key := &c.payer.key
	return s.limits.keys.Take(limit.Reader{Key: key.ID}, int(key.Limits.PerMinute), 1, c.now)
}

// admitKey takes one request out of the key's minute, which every call counts
// against, then one out of its month. client was taken out of the client's bucket;
// nil where that is not asked.
func (s *Server) admitKey(c *call, who *access, client *limit.Use) (err error) {
	p := c.payer
	use, quota := s.takeKey(c), state.Quota{Limit: p.key.Limits.PerMonth}
	use.Also, use.Quota = client, &quota
	if quota.Limit != state.Unlimited {
		if quota, err = s.State.Quota(c.whole(), p.key); err != nil {
			return err
		}
	}
	p.use = &use
	switch {
	case p.key.Tier < who.tier:
		return s.tooLow(p.key.Tier, who.tier)
	case !use.OK:
		return use.TooMany()
	case who.free:
		return nil
	case quota.Remaining() == 0:
		return &state.QuotaError{Quota: quota}
	}
	// The log decides when the request is answered, as other requests may count meanwhile.
	p.counts = true
	quota.Used++
	return nil
}

func (s *Server) tooLow(has, need state.Tier) error {
	about := s.Snapshots.Current().About()
	return &reply.Error{Refusal: wire.Refusal{
		Code: "tier_required", Upgrade: cmp.Or(about.UpgradeURL, about.ContactURL(), s.BaseURL+pathAccount),
		Required: need.String(), Current: has.String(),
		Error: "this resource needs the tier " + need.String() + " or a higher one; the key's tier is " + has.String(),
	}}
}

// giveBack keeps a response from counting against the month.
func (p *payer) giveBack() {
	if p.counts {
		p.counts = false
		p.use.Quota.Used--
	}
}

// bearer returns the key of an Authorization header; false unless there is one
// header with one key. The scheme's name may be in any case.
func bearer(header []string) (string, bool) {
	scheme, secret, ok := strings.Cut(strings.Join(header, ","), " ")
	secret = strings.Trim(secret, " ")
	return secret, len(header) == 1 && ok && strings.EqualFold(scheme, "Bearer") && secret != "" &&
		!strings.Contains(secret, " ")
}
