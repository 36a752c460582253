package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/httpapi/state"
)

// TestPlotIsFigure compares charts of the command with those of the server, byte for byte.
func TestPlotIsFigure(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	x := serve(t, "--db", db)
	key := newKey(t, filepath.Join(filepath.Dir(db), "larder-state.db"), "research")
	for flags, address := range map[string]string{
		"--level national --category overall":                                   "/figure.svg",
		"--level national --category meat --lang fr":                            "/figure.png?s=national.meat&lang=fr",
		"--level city --city Toronto --category dairy --view 4w --lang fr":      "/figure.svg?s=toronto.dairy&view=4w&lang=fr",
		"--level city --city Montreal --category overall --view cost --lang en": "/figure.png?s=montreal.overall&view=cost",
	} {
		name, _, _ := strings.Cut(address, "?")
		out := filepath.Join(t.TempDir(), "chart"+filepath.Ext(name))
		larder(t, append(strings.Fields("plot "+flags), "--db", db, "--out", out)...)
		want := must(os.ReadFile(out))
		if status, got := get(t, x.public+address, "Bearer "+key); status != http.StatusOK || got != string(want) {
			t.Errorf("%s: status %d, another picture than plot %s", address, status, flags)
		}
	}
}

// TestGoldenPlot compares two charts of the demo with the golden files.
func TestGoldenPlot(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, demoWeeks)
	for name, flags := range map[string]string{
		"demo-headline.svg": "--level national --category overall",
		"demo-since.svg":    "--city Toronto --level city --view since --since 2026-08-02 --lang fr",
	} {
		out := filepath.Join(t.TempDir(), "chart.svg")
		larder(t, append(strings.Fields("plot "+flags), "--db", db, "--out", out)...)
		isGolden(t, name, string(must(os.ReadFile(out))))
	}
}

// TestCompareServed compares the JSON with the body of a server for the same list.
func TestCompareServed(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, 3)
	x := serve(t, "--db", db)
	for query, flags := range map[string][]string{"": nil, "&conditions=member,multi_buy": {"--conditions", "member,multi_buy"}} {
		status, body := get(t, x.public+"/api/shopper/compare?city=toronto&items=27,18x0.5,1x2&stores=quartermoss,nickelbasket"+query, "")
		want := larder(t, append(append([]string{"compare"}, flags...), "--db", db, "--city", "toronto", "--items", "27,18x0.5,1x2", "--stores", "quartermoss,nickelbasket",
			"--base-url", x.public, "--format", "json")...)
		if status != 200 || body+"\n" != string(want) {
			t.Errorf("%d\n%s\nwant\n%s", status, body, want)
		}
	}
}

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
