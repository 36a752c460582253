package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/state"
)

// logRequests makes a state with two keys and with requests of November and December.
func logRequests(t *testing.T, path string) {
	t.Helper()
	db := must(state.Open(t.Context(), path, state.Options{Serve: true, Now: func() time.Time { return must(time.Parse(time.RFC3339, "2026-11-01T00:00:00Z")) }}))
	defer db.Close()
	for _, n := range []state.NewKey{{Name: "Example Ltd", Tier: state.Standard}, {Name: `"B", Inc.`, Tier: state.Research}} {
		_, _, err := db.CreateKey(t.Context(), n)
		orPanic(err)
	}
	for _, c := range []struct {
		at       string
		key      int64
		endpoint string
		status   int
	}{
		{"2026-11-18T12:00:00Z", 1, "/api/v1/prices", 500},
		{"2026-11-19T12:00:00Z", 1, "/api/v1/index", 200},
		{"2026-11-20T12:00:00Z", 1, "/api/v1/index", 200},
		{"2026-11-20T12:00:00Z", 0, "/api/v1/prices", 401},
		{"2026-11-30T23:59:59.999999999Z", 2, "/api/public/index", 200},
		{"2026-12-01T00:00:00Z", 1, "/api/v1/prices", 200},
	} {
		e := state.Entry{Time: must(time.Parse(time.RFC3339, c.at)), KeyID: c.key, Auth: state.AuthKey, Endpoint: c.endpoint, Status: c.status, Bytes: 100, Limit: 9}
		if c.key == 0 {
			e.Auth = state.AuthNone
		}
		orPanic(db.Append(t.Context(), e))
	}
}

const (
	novemberTable = `month    key_id  name         tier      endpoint           status  requests  counted  bytes  first                 last
2026-11       -  -            -         /api/v1/prices     4xx            1        0    100  2026-11-20T12:00:00Z  2026-11-20T12:00:00Z
2026-11       -  -            -         all                all            1        0    100  2026-11-20T12:00:00Z  2026-11-20T12:00:00Z
2026-11       1  Example Ltd  standard  /api/v1/index      2xx            2        2    200  2026-11-19T12:00:00Z  2026-11-20T12:00:00Z
2026-11       1  Example Ltd  standard  /api/v1/prices     5xx            1        0    100  2026-11-18T12:00:00Z  2026-11-18T12:00:00Z
2026-11       1  Example Ltd  standard  all                all            3        2    300  2026-11-18T12:00:00Z  2026-11-20T12:00:00Z
2026-11       2  "B", Inc.    research  /api/public/index  2xx            1        1    100  2026-11-30T23:59:59Z  2026-11-30T23:59:59Z
2026-11       2  "B", Inc.    research  all                all            1        1    100  2026-11-30T23:59:59Z  2026-11-30T23:59:59Z
`
	novemberCSV = `month,key_id,name,tier,endpoint,status,requests,counted,bytes,first,last
2026-11,,,,/api/v1/prices,4xx,1,0,100,2026-11-20T12:00:00Z,2026-11-20T12:00:00Z
2026-11,1,Example Ltd,standard,/api/v1/index,2xx,2,2,200,2026-11-19T12:00:00Z,2026-11-20T12:00:00Z
2026-11,1,Example Ltd,standard,/api/v1/prices,5xx,1,0,100,2026-11-18T12:00:00Z,2026-11-18T12:00:00Z
2026-11,2,"""B"", Inc.",research,/api/public/index,2xx,1,1,100,2026-11-30T23:59:59Z,2026-11-30T23:59:59Z
`
	key2JSON = `[
{"month":"2026-11","key_id":2,"name":"\"B\", Inc.","tier":"research","endpoint":"/api/public/index","status":"2xx","requests":1,"counted":1,"bytes":100,"first":"2026-11-30T23:59:59Z","last":"2026-11-30T23:59:59Z"}
]
`
	decemberCSV = `month,key_id,name,tier,endpoint,status,requests,counted,bytes,first,last
2026-12,1,Example Ltd,standard,/api/v1/prices,2xx,1,1,100,2026-12-01T00:00:00Z,2026-12-01T00:00:00Z
`
)

// TestUsage compares the report of a month in all formats, before and after a purge.
func TestUsage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	logRequests(t, path)
	report := func(when string) {
		for _, c := range []struct {
			name, want string
			args       []string
		}{
			{"table", novemberTable, []string{"--month", "2026-11"}},
			{"csv", novemberCSV, []string{"--month", "2026-11", "--format", "csv"}},
			{"json", key2JSON, []string{"--month", "2026-11", "--format", "json", "--key", "2"}},
			{"next month", decemberCSV, []string{"--month", "2026-12", "--format", "csv"}},
		} {
			t.Run(when+" "+c.name, func(t *testing.T) {
				got := larder(t, append([]string{"usage", "--state", path}, c.args...)...)
				if d := cmp.Diff(c.want, string(got)); d != "" {
					t.Error(d)
				}
			})
		}
	}
	report("logged")
	stdout, stderr, code := try("usage", "purge", "--state", path, "--before", "2026-11-20")
	if code != exitDone || stdout != "" || stderr != "deleted 2 requests from before 2026-11-20; the monthly sums stay\n" {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
	report("purged")
}
