package httpapi

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// servedMetrics tells what is served and how much is kept in memory for
// limits. It is asked when /metrics is, so it can't lag behind.
type servedMetrics struct{ s *Server }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	descSnapshot = desc("larder_snapshot_info", "1, with the start of the hash and the schema version of the snapshot that is served.", "hash", "schema")
	descLoaded   = desc("larder_snapshot_loaded_timestamp_seconds", "When the snapshot that is served was loaded; 0 if none is.")
	descNewest   = desc("larder_snapshot_newest_observation_timestamp_seconds", "Time of the newest observation that is served; 0 if none is.")
	descAge      = desc("larder_snapshot_newest_observation_age_seconds", "Time since then, by the server's own clock; absent if nothing is served.")
	descServed   = desc("larder_snapshot_file_served", "1 if the snapshot file, as it is now, is what is served; 0 if it is refused or missing.")
	descSwaps    = desc("larder_snapshot_swaps_total", "Snapshots loaded in place of another one.")
	descRefused  = desc("larder_snapshot_refused_total", "Snapshot files refused.")
	descRefusal  = desc("larder_snapshot_last_refused_timestamp_seconds", "When a snapshot file was refused last; 0 if none ever was.")
	descHeld     = desc("larder_http_response_bytes_held", "Bytes of responses of the data that are made and not yet taken by their clients.")
	descBuckets  = desc("larder_limit_buckets", "Token buckets kept in memory, by whom they limit.", "of")
)

// Describe implements prometheus.Collector.
func (servedMetrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		descSnapshot, descLoaded, descNewest, descAge, descServed, descSwaps, descRefused, descRefusal, descHeld, descBuckets,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (m servedMetrics) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	counter := func(d *prometheus.Desc, n int) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n))
	}
	status := m.s.Snapshots.Status()
	var loaded, newest time.Time
	if served := m.s.Snapshots.Current(); served != nil {
		loaded, newest = status.LoadedAt, served.Info.Last
		const enough = 12 // digits of the hash: they tell snapshots apart
		gauge(descSnapshot, 1, served.Info.Hash[:enough], fmt.Sprint(served.Info.SchemaVersion))
		gauge(descAge, m.s.Now().Sub(newest).Seconds())
	}
	gauge(descLoaded, unixSeconds(loaded))
	gauge(descNewest, unixSeconds(newest))
	fileServed := 0.0
	if status.Err == nil && status.Hash != "" {
		fileServed = 1
	}
	gauge(descServed, fileServed)
	counter(descSwaps, status.Swaps)
	counter(descRefused, status.Refused)
	gauge(descRefusal, unixSeconds(status.RefusedAt))
	gauge(descHeld, float64(m.s.responses.held()))
	gauge(descBuckets, float64(m.s.clients.len()), "client")
	gauge(descBuckets, float64(m.s.keys.len()), "key")
}

// unixSeconds is a moment as Prometheus has it; none is 0.
func unixSeconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
