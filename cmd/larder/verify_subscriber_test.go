package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// subscriber downloads from a server that is running, into a folder.
type subscriber struct {
	t    *testing.T
	base string
	key  string
	dir  string
}

// subscribe starts a server of the demo snapshot.
func subscribe(t *testing.T) *subscriber {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	x := serve(t)
	for _, m := range demoKey.FindAllStringSubmatch(x.greeting, -1) {
		if m[1] == "enterprise" {
			return &subscriber{t, x.public, m[2], t.TempDir()}
		}
	}
	t.Fatal("no key")
	return nil
}

// download stores all pages of an address and returns their files.
func (s *subscriber) download(name, address string) (files []string) {
	s.t.Helper()
	for offset := "0"; offset != ""; {
		target := address
		if offset != "0" {
			target += "&offset=" + offset
		}
		status, body := get(s.t, s.base+target, "Bearer "+s.key)
		if status != 200 {
			s.t.Fatalf("%s: %d %.300s", target, status, body)
		}
		file := filepath.Join(s.dir, fmt.Sprintf("%s-%s.json", name, offset))
		if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
			s.t.Fatal(err)
		}
		files = append(files, file)
		var p struct {
			Meta struct {
				Next json.Number `json:"next_offset"`
			}
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			s.t.Fatal(err)
		}
		offset = p.Meta.Next.String()
	}
	return files
}

// verify runs larder verify and returns its exit status and what it wrote.
func verify(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	stdout, stderr, code = try(append([]string{"verify"}, args...)...)
	return code, stdout, stderr
}

var advice = regexp.MustCompile(`download (?:all pages of )?(/api/v1/[^ ;,]+)`)

// Whoever begins with nothing but the products and follows what the command says
// is missing, downloads just what a figure needs, and gets it confirmed.
func testFewestPages(t *testing.T, s *subscriber) {
	products := s.download("products", "/api/v1/products?")[0]
	start := s.download("none", "/api/v1/prices?from=2026-11-17&to=2026-11-17")[0]
	for _, x := range []struct {
		cell   []string
		rounds int // of downloads
	}{
		{[]string{"--date", "2026-11-15"}, 2},
		{[]string{"--date", "2026-07-19", "--category", "meat"}, 2},
		{[]string{"--date", "2026-11-15", "--city", "Quebec City", "--category", "pantry"}, 2},
		{[]string{"--date", "2026-11-08", "--city", "St. John's"}, 2},
		{[]string{"--date", "2026-11-15", "--city", "Charlottetown"}, 3}, // its entry week is a later one
		{[]string{"--date", "2026-10-25", "--city", "Toronto", "--banner", "quartermoss"}, 2},
	} {
		args := append([]string{"--products", products, "--prices", start}, x.cell...)
		args = append(args, "--index", s.download("index", "/api/v1/index?from=2026-11-15&to=2026-11-15&level=national")[0])
		rounds := 0
		for code := exitFailed; code != exitDone; rounds++ {
			var stdout, stderr string
			code, stdout, stderr = verify(t, args...)
			addresses := advice.FindAllStringSubmatch(stderr, -1)
			if code == exitDone && strings.Contains(stdout, "DOES NOT") || code != exitDone && addresses == nil || rounds > 5 {
				t.Fatalf("%v: exit status %d\n%s%s", args, code, stdout, stderr)
			}
			for i, m := range addresses {
				args = append(args, s.download(fmt.Sprintf("%d-%d", rounds, i), m[1])...)
			}
		}
		if rounds > x.rounds+1 {
			t.Errorf("%v: %d rounds", x.cell, rounds)
		}
	}
}
