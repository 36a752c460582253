package main

import (
	"testing"
)

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
