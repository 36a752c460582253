package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// TestCompareAddsUp adds up the printed tables. The lines of a chain add up to its total,
// and a line costs the quantity times the price of each.
func TestCompareAddsUp(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, 3)
	var list []string
	for id := 1; id <= 50; id++ {
		list = append(list, strconv.Itoa(id)+"x"+strconv.Itoa(id%4+1))
	}
	out := string(larder(t, "compare", "--db", db, "--city", "toronto", "--items", strings.Join(list, ",")))
	sections := strings.Split(out, "\n\n")
	totals := map[string]int{} // in cents
	for row := range strings.Lines(sections[2]) {
		at := strings.Index(sections[2], "total $") + len("total $")
		if fields := strings.Fields(row[:at]); fields[0] != "chain" && fields[len(fields)-1] != noValue {
			totals[fields[0]] = cents(t, fields[len(fields)-1])
		}
	}
	checked := 0
	for _, section := range sections[3:] {
		title, table, _ := strings.Cut(section, "\n")
		_, rest, ok := strings.Cut(title, "(")
		key, _, ok2 := strings.Cut(rest, "): ")
		if !ok || !ok2 || !strings.HasPrefix(table, "id  item") {
			continue
		}
		sum := 0
		head, rows, _ := strings.Cut(table, "\n")
		column := func(row, name string) string {
			at := strings.Index(head, name) + len(name)
			fields := strings.Fields(row[:at])
			return fields[len(fields)-1]
		}
		for row := range strings.Lines(rows) {
			line := column(row, "line $")
			if line == noValue {
				continue
			}
			quantity, err := strconv.Atoi(column(row, "qty"))
			if err != nil {
				t.Fatal(err)
			}
			if each := column(row, "each $"); cents(t, line) != quantity*cents(t, each) {
				t.Errorf("%s: %s, but %d times %s", key, line, quantity, each)
			}
			sum += cents(t, line)
			checked++
		}
		if sum != totals[key] {
			t.Errorf("%s: lines add up to %d cents, the table has %d", key, sum, totals[key])
		}
	}
	if len(totals) < 10 || checked < 200 {
		t.Errorf("%d chains and %d lines were looked at", len(totals), checked)
	}
}

// cents reads dollars.
func cents(t *testing.T, dollars string) int {
	t.Helper()
	v, err := strconv.ParseFloat(dollars, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(v*100 + 0.5)
}

// TestCompareServed compares the JSON with the body of a server for the same list.
func TestCompareServed(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, 3)
	x := serve(t, "--db", db)
	for query, flags := range map[string][]string{"": nil, "&include=lines&conditions=member,multi_buy": {"--lines", "--conditions", "member,multi_buy"}} {
		status, body := get(t, x.public+"/api/shopper/compare?city=toronto&items=27,18x0.5,1x2&stores=quartermoss,nickelbasket"+query, "")
		want := larder(t, append(append([]string{"compare"}, flags...), "--db", db, "--city", "toronto", "--items", "27,18x0.5,1x2", "--stores", "quartermoss,nickelbasket",
			"--base-url", x.public, "--format", "json")...)
		if status != 200 || body+"\n" != string(want) {
			t.Errorf("%d\n%s\nwant\n%s", status, body, want)
		}
	}
}

// TestCompareNamesListings looks for the title and the mark of every line in the table.
func TestCompareNamesListings(t *testing.T) {
	t.Parallel()
	db := demo(t, 1, 3)
	args := []string{"compare", "--db", db, "--city", "toronto", "--items", "1,7x0.5,12,26", "--lines"}
	table := string(larder(t, args...))
	var body struct {
		Stores []struct {
			Name  string
			Lines []struct{ Title, PackageSize string }
		}
	}
	if err := json.Unmarshal(larder(t, append(args, "--format", "json")...), &body); err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, s := range body.Stores {
		_, section, _ := strings.Cut(table, "\n\n"+s.Name+" (")
		section, _, _ = strings.Cut(section, "\n\n")
		for _, l := range s.Lines {
			if named++; !strings.Contains(section, l.Title) || !strings.Contains(section, l.PackageSize) {
				t.Errorf("%s: %+v is not in\n%s", s.Name, l, section)
			}
		}
	}
	if named < 20 {
		t.Errorf("%d lines were looked at", named)
	}
}
