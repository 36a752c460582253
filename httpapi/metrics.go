package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/larder-index/larder/httpapi/reply"
)

// metrics holds the series of /metrics. Labels take values of small fixed sets made
// here. No label holds a key, a query, an address or a path as sent.
type metrics struct {
	handler  http.Handler
	requests *prometheus.CounterVec   // by route and class of status
	seconds  *prometheus.HistogramVec // by route
	bytes    *prometheus.CounterVec   // by route
	inFlight prometheus.Gauge
	limited  *prometheus.CounterVec // by limit
	appends  prometheus.Histogram
	unlogged prometheus.Counter
	panics   prometheus.Counter
}

// latencyBuckets reach from a page that is copied from memory to the time after
// which a connection is cut; appendBuckets from a group commit on a fast disk to a
// disk in trouble. Both are seconds.
var (
	latencyBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	appendBuckets  = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5}
)

func newMetrics(s *Server) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(servedMetrics{s}, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	counter := func(name, help string) prometheus.CounterOpts { return prometheus.CounterOpts{Name: name, Help: help} }
	m := &metrics{
		handler: promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(s.Log.Handler(),
			slog.LevelError)}),
		requests: with.NewCounterVec(counter("larder_http_requests_total",
			"Requests answered, by route and class of status."), []string{"route", "class"}),
		seconds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "larder_http_request_duration_seconds",
			Help: "Time from a request's coming in to its being answered.", Buckets: latencyBuckets,
		}, []string{"route"}),
		bytes: with.NewCounterVec(counter("larder_http_response_bytes_total",
			"Bytes of response bodies, as sent."), []string{"route"}),
		inFlight: with.NewGauge(prometheus.GaugeOpts{Name: "larder_http_requests_in_flight",
			Help: "Requests that are being answered."}),
		limited: with.NewCounterVec(counter("larder_limited_requests_total",
			"Requests refused with 429, by the limit that was used up."), []string{"limit"}),
		appends: with.NewHistogram(prometheus.HistogramOpts{
			Name: "larder_log_append_duration_seconds", Help: "Time until a request was in the log on disk.",
			Buckets: appendBuckets,
		}),
		unlogged: with.NewCounter(counter("larder_log_append_errors_total",
			"Requests answered with 500 because they could not be logged.")),
		panics: with.NewCounter(counter("larder_panics_total",
			"Requests that ended in a panic: faults of the program.")),
	}
	for _, limit := range []string{limitClient, limitShopper, limitKey, limitMonth, limitFlight} {
		m.limited.WithLabelValues(limit) // so that it is 0 and not absent
	}
	return m
}

func (m *metrics) observe(x *reply.Writer, took time.Duration) {
	class := "cut" // the response was given up
	if x.Status != 0 {
		class = strconv.Itoa(x.Status/100) + "xx"
	}
	m.requests.WithLabelValues(x.Route, class).Inc()
	m.seconds.WithLabelValues(x.Route).Observe(took.Seconds())
	m.bytes.WithLabelValues(x.Route).Add(float64(x.Bytes))
}

func (s *Server) scrape(c *call) error {
	s.metrics.handler.ServeHTTP(c.w, c.r)
	return nil
}

// servedMetrics tells what is served, how the state is, and how much memory limits take. It is
// gathered when /metrics is asked for, so it can't lag behind.
type servedMetrics struct{ s *Server }

// Describe implements prometheus.Collector. It describes nothing: which metrics
// there are depends on what is served.
func (servedMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m servedMetrics) Collect(to chan<- prometheus.Metric) {
	send := func(kind prometheus.ValueType, name, help string, v float64, labels prometheus.Labels) {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, nil, labels), kind, v)
	}
	const gauge, counter = prometheus.GaugeValue, prometheus.CounterValue
	status := m.s.Snapshots.Status()
	var loaded, newest time.Time
	if served := m.s.Snapshots.Current(); served != nil {
		loaded, newest = status.LoadedAt, served.Info.Last
		const enough = 12 // digits of the hash tell snapshots apart
		send(gauge, "larder_snapshot_info", "1, with the start of the hash and the schema version of the snapshot "+
			"that is served.",
			1, prometheus.Labels{"hash": served.Info.Hash[:enough], "schema": fmt.Sprint(served.Info.SchemaVersion)})
		send(gauge, "larder_snapshot_newest_observation_age_seconds",
			"Time since then, by the server's own clock; absent if nothing is served.",
			m.s.Now().Sub(newest).Seconds(), nil)
	}
	fileServed := 0.0
	if status.Err == nil && status.Hash != "" {
		fileServed = 1
	}
	send(gauge, "larder_snapshot_loaded_timestamp_seconds",
		"When the snapshot that is served was loaded; 0 if none is.", unixSeconds(loaded), nil)
	send(gauge, "larder_snapshot_newest_observation_timestamp_seconds",
		"Time of the newest observation that is served; 0 if none is.", unixSeconds(newest), nil)
	send(gauge, "larder_snapshot_file_served",
		"1 if the snapshot file, as it is now, is what is served; 0 if it is refused or missing.", fileServed, nil)
	send(counter, "larder_snapshot_swaps_total", "Snapshots loaded in place of another one.", float64(status.Swaps),
		nil)
	send(counter, "larder_snapshot_refused_total", "Snapshot files refused.", float64(status.Refused), nil)
	send(gauge, "larder_snapshot_last_refused_timestamp_seconds",
		"When a snapshot file was refused last; 0 if none ever was.", unixSeconds(status.RefusedAt), nil)
	send(gauge, "larder_http_response_bytes_held",
		"Bytes of responses of the data that are made and not yet taken by their clients.", float64(m.s.room.Held()),
		nil)
	up := 0.0
	if m.s.checkState(context.Background(), m.s.Now()) == nil {
		up = 1
	}
	send(gauge, "larder_state_up", "1 if the state can be reached and written to, 0 if not; looked at no more than "+
		"once a second.", up, nil)
	const bucketsHelp = "Token buckets kept in memory, by whom they limit."
	send(gauge, "larder_limit_buckets", bucketsHelp, float64(m.s.limits.index.Len()), prometheus.Labels{"of": "client"})
	send(gauge, "larder_limit_buckets", bucketsHelp, float64(m.s.limits.keys.Len()), prometheus.Labels{"of": "key"})
}

// unixSeconds is a moment as Prometheus has it; the zero one is 0.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
