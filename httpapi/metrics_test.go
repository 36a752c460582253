package httpapi_test

import (
	"testing"
	"time"

	"github.com/larder-index/larder/httpapi/internal/apitest"
	"github.com/larder-index/larder/httpapi/state"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	f, path := apitest.ServeCopy(t)
	demo, other := contents()
	for _, name := range []string{"client_minute", "key_minute", "key_month"} {
		if got := f.Metric(`larder_limited_requests_total{limit="` + name + `"}`); got != "0" {
			t.Errorf("before any request: %s %q", name, got)
		}
	}
	key := f.Key(state.Standard, func(k *state.NewKey) { k.PerMinute, k.PerMonth = 6, 1 })
	body := f.Get("/api/v1/products", key).Content
	f.Get("/api/v1/products", key)        // quota
	f.Get("/api/v1/index?nosuch=1", key)  // quota too
	f.Get("/api/v1/products", "nobody's") // 401
	for range 4 {
		f.Get("/api/v1/usage", key) // the last one is one too many
	}
	f.Get("/nosuch", "")
	for range 63 {
		f.Get("/api/public/index", "")
	}
	apitest.Replace(t, path, other)
	f.Clock.Advance(time.Hour)
	f.Look(false)
	apitest.Replace(t, path, flipped(demo))
	f.Look(false)

	hash, newest := f.Snapshots.Current().Info.Hash, f.Snapshots.Current().Info.Last
	for series, want := range map[string]string{
		`larder_http_requests_total{class="2xx",route="/api/v1/products"}`:     "1",
		`larder_http_requests_total{class="4xx",route="/api/v1/products"}`:     "2",
		`larder_http_requests_total{class="4xx",route="/api/v1/index"}`:        "1",
		`larder_http_requests_total{class="2xx",route="/api/v1/usage"}`:        "3",
		`larder_http_requests_total{class="4xx",route="/api/v1/usage"}`:        "1",
		`larder_http_requests_total{class="4xx",route="other"}`:                "1",
		`larder_http_requests_total{class="4xx",route="/api/public/index"}`:    "63",
		`larder_http_request_duration_seconds_count{route="/api/v1/products"}`: "3",
		`larder_http_requests_in_flight`:                                       "1", // that for /metrics
		`larder_limited_requests_total{limit="client_minute"}`:                 "3",
		`larder_limited_requests_total{limit="key_minute"}`:                    "1",
		`larder_limited_requests_total{limit="key_month"}`:                     "2",
		`larder_limit_buckets{of="client"}`:                                    "1",
		`larder_limit_buckets{of="key"}`:                                       "1",
		`larder_log_append_duration_seconds_count`:                             "7",
		`larder_log_append_errors_total`:                                       "0",
		`larder_panics_total`:                                                  "0",
		`larder_snapshot_info{hash="` + hash[:12] + `",schema="5"}`:            "1",
		`larder_snapshot_swaps_total`:                                          "1",
		`larder_snapshot_refused_total`:                                        "1",
		`larder_snapshot_file_served`:                                          "0",
		`larder_snapshot_loaded_timestamp_seconds`:                             "1.7951976e+09", // 2026-11-20T18:00:00Z
		`larder_snapshot_last_refused_timestamp_seconds`:                       "1.7951976e+09",
	} {
		if got := f.Metric(series); got != want {
			t.Errorf("%s: %q, want %s", series, got, want)
		}
	}
	if age := f.Clock.Now().Sub(newest).Seconds(); f.Metric("larder_snapshot_newest_observation_age_seconds") == "" || age > 86400 {
		t.Errorf("age %v", age)
	}
	if got := f.Metric(`larder_http_response_bytes_total{route="/api/v1/products"}`); got == "0" || len(body) == 0 {
		t.Errorf("bytes %s", got)
	}
	for _, want := range []string{"go_goroutines", "process_open_fds", "process_resident_memory_bytes", "go_gc_duration_seconds_count"} {
		if f.Metric(want) == "" {
			t.Errorf("no %s", want)
		}
	}
}
