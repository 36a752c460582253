package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics tells. Labels take values of small fixed sets, made
// here and not by clients: no key, query, address or path as sent is in any.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec   // by route and class of status
	seconds  *prometheus.HistogramVec // by route
	bytes    *prometheus.CounterVec   // by route
	inFlight prometheus.Gauge
	limited  *prometheus.CounterVec // by limit
	appends  prometheus.Histogram
	unlogged prometheus.Counter
	panics   prometheus.Counter
}

// The limits that a request can be refused for.
const (
	limitClient  = "client_minute"
	limitShopper = "shopper_minute"
	limitKey     = "key_minute"
	limitMonth   = "key_month"
)

// latencyBuckets reach from a page that is copied from memory to the time after
// which a connection is cut.
var latencyBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// appendBuckets reach from a group commit on a fast disk to a disk in trouble.
var appendBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "larder_http_requests_total", Help: "Requests answered, by route and class of status.",
		}, []string{"route", "class"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "larder_http_request_duration_seconds", Help: "Time from a request's coming in to its being answered.", Buckets: latencyBuckets,
		}, []string{"route"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "larder_http_response_bytes_total", Help: "Bytes of response bodies, as sent.",
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "larder_http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "larder_limited_requests_total", Help: "Requests refused with 429, by the limit that was used up.",
		}, []string{"limit"}),
		appends: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "larder_log_append_duration_seconds", Help: "Time until a request was in the log on disk.", Buckets: appendBuckets,
		}),
		unlogged: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "larder_log_append_errors_total", Help: "Requests answered with 500 because they could not be logged.",
		}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "larder_panics_total", Help: "Requests that ended in a panic: faults of the program.",
		}),
	}
	for _, limit := range []string{limitClient, limitShopper, limitKey, limitMonth} {
		m.limited.WithLabelValues(limit) // so that it is 0 and not absent
	}
	m.registry.MustRegister(m.requests, m.seconds, m.bytes, m.inFlight, m.limited, m.appends, m.unlogged, m.panics,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// register adds what is asked for when /metrics is.
func (m *metrics) register(s *Server) { m.registry.MustRegister(servedMetrics{s}) }

func (m *metrics) begin()    { m.inFlight.Inc() }
func (m *metrics) end()      { m.inFlight.Dec() }
func (m *metrics) panicked() { m.panics.Inc() }

// maxScrapes is how many times at once all metrics are gathered.
const maxScrapes = 4

var errScrapes = &apiError{
	Status: http.StatusServiceUnavailable, Code: "overloaded", RetryAfter: time.Second,
	Message: "the metrics are being read too many times at once; try again in a second",
}

// handler answers with all metrics.
func (m *metrics) handler(log *slog.Logger) func(http.ResponseWriter, *http.Request) error {
	all := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorLog: errorLog{log}})
	scrapes := make(chan struct{}, maxScrapes)
	return func(w http.ResponseWriter, r *http.Request) error {
		select {
		case scrapes <- struct{}{}:
			defer func() { <-scrapes }()
		default:
			return errScrapes
		}
		all.ServeHTTP(w, r)
		return nil
	}
}

// errorLog logs what promhttp has to say.
type errorLog struct{ log *slog.Logger }

func (l errorLog) Println(v ...any) {
	l.log.Error("metrics", "error", strings.TrimSpace(fmt.Sprintln(v...)))
}

// refusedMalformed counts what net/http refused before there was a request.
func (m *metrics) refusedMalformed(status int) {
	m.requests.WithLabelValues("malformed", statusClass(status)).Inc()
}

// observe counts one answered request.
func (m *metrics) observe(route string, status int, bytes int64, took time.Duration) {
	m.requests.WithLabelValues(route, statusClass(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
	m.bytes.WithLabelValues(route).Add(float64(bytes))
}

// appended notes how a log entry was written.
func (m *metrics) appended(took time.Duration, err error) {
	m.appends.Observe(took.Seconds())
	if err != nil {
		m.unlogged.Inc()
	}
}

// statusClass is 2xx and the like; "cut" for a response that was given up.
func statusClass(status int) string {
	if status == 0 {
		return "cut"
	}
	return strconv.Itoa(status/100) + "xx"
}

// refused counts a refusal with 429, by the limit that was used up.
func (m *metrics) refused(c *call, err *apiError) {
	switch {
	case err.Status != http.StatusTooManyRequests:
	case err.Code == "quota_exceeded":
		m.limited.WithLabelValues(limitMonth).Inc()
	case c.key.ID == 0:
		m.limited.WithLabelValues(limitClient).Inc() // it was not asked who it is
	default:
		m.limited.WithLabelValues(limitKey).Inc()
	}
}
