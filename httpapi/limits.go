package httpapi

import (
	"net/http"
	"time"

	"github.com/larder-index/larder/httpapi/limit"
)

// The limits that a request can be refused for, as metrics name them.
const (
	limitClient  = "client_minute"
	limitShopper = "shopper_minute"
	limitKey     = "key_minute"
	limitMonth   = "key_month"
	limitFlight  = "key_in_flight" // of package limit
)

// limits count what each client, or each key, asks for.
type limits struct{ index, figures, pictures, comparisons, searches, lines, signIns, keys *limit.Buckets }

func newLimits(c *Config) limits {
	of := func(policy, metric string, window time.Duration, allowance int, refusal string) *limit.Buckets {
		return limit.New(limit.Limit{
			Policy: policy, Metric: metric, Window: window, Allowance: allowance, Refusal: refusal,
		})
	}
	const day = 24 * time.Hour
	return limits{
		index: of("address", limitClient, time.Minute, c.PublicPerMinute,
			"this address may make about %d requests of the public index a minute"),
		figures: of("address", limitClient, time.Minute, c.PublicPerMinute,
			"this address may ask for about %d figures a minute"),
		pictures: of("address", limitClient, time.Minute, c.PublicPerMinute,
			"this address may ask for about %d pictures of pages a minute"),
		comparisons: of("minute", limitShopper, time.Minute, c.ShopperPerMinute,
			"this client may make %d comparisons a minute"),
		searches: of("minute", limitShopper, time.Minute, searchesPerComparison*c.ShopperPerMinute,
			"this client may make %d searches a minute"),
		lines: of("lines", limitShopper, day, c.LinesPerDay,
			"this client may read about %d lines of comparisons a day without a key; ask for fewer chains or items, "+
				"or for the comparison without lines, or send a key in Authorization"),
		signIns: of("minute", "", time.Minute, failedPerMinute,
			"this address may fail to sign in %d times a minute"),
		keys: of("minute", limitKey, time.Minute, 0, "the key may make %d requests a minute"),
	}
}

// take takes one token of the client.
func (s *Server) take(r *http.Request, of *limit.Buckets, now time.Time) limit.Use {
	return of.Take(s.client(r), of.Allowance, 1, now)
}

// takeClient takes a request out of the bucket of the client, and says in headers what is left.
func (s *Server) takeClient(c *call, of *limit.Buckets) error {
	use := s.take(c.r, of, c.now)
	if use.SetHeaders(c.w.Header(), c.now); !use.OK {
		return use.TooMany()
	}
	return nil
}
