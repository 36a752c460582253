package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// publish releases demo snapshots of two and three weeks in a signed log and returns the folder of the second.
func publish(t *testing.T) (dir, key string) {
	t.Helper()
	dir = t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	verifier := larder(t, "release", "--new-key", in("key"), "--base-url", "https://example.org")
	for week, through := range []string{"2026-08-05", "2026-08-12"} {
		next := in(fmt.Sprint("next", week))
		larder(t, "demo", "--db", next, "--seed", "3", "--through", through, "--weeks", fmt.Sprint(2+week))
		larder(t, "release", next, "--live", in("live"), "--log", in("log"), "--key", in("key"), "--base-url", "https://example.org",
			"--publish", in("out"), "--now", through+"T12:00:00Z", "--accept", "restatement:*=test", "--accept", "revision:*=test",
			"--accept", "shift:*=test", "--accept", "jump:*=test", "--accept", "surge:*=test", "--accept", "frozen:*=test")
	}
	return in("out/r2"), strings.TrimSpace(string(verifier))
}

// TestVerify: a folder as published verifies; one flipped byte of any file is named, and so is a row that another
// hand changed and summed.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir, key := publish(t)
	if text := string(larder(t, "verify", dir, "--key", key)); !strings.Contains(text, "release r2 of 2026-08-12T12:00:00Z is as") {
		t.Error(text)
	}
	other := string(larder(t, "release", "--new-key", filepath.Join(t.TempDir(), "key"), "--base-url", "https://example.org"))
	fails := func(named string, args ...string) {
		t.Helper()
		_, stderr, status := try(append([]string{"verify", dir}, args...)...)
		if status != exitFailed || !strings.Contains(stderr, named) {
			t.Errorf("status %d, want one that names %s:\n%s", status, named, stderr)
		}
	}
	fails("checkpoint", "--key", strings.TrimSpace(other))
	seen := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		seen++
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		flipped := bytes.Clone(content)
		flipped[len(content)/2] ^= 4
		write(path, string(flipped))
		fails(filepath.Base(path))
		write(path, string(content))
		return nil
	})
	if err != nil || seen < 25 {
		t.Fatal(seen, err)
	}

	// Another row, with a sum that fits.
	for _, name := range []string{"index", "coverage", "prices", "revisions"} {
		path := filepath.Join(dir, name+".csv.gz")
		packed := must(os.ReadFile(path))
		in := must(gzip.NewReader(bytes.NewReader(packed)))
		text := must(io.ReadAll(in))
		var forged bytes.Buffer
		out := gzip.NewWriter(&forged)
		at := bytes.LastIndexByte(text, '0')
		text[at] = '7'
		out.Write(text)
		out.Close()
		sums := must(os.ReadFile(filepath.Join(dir, "SHA256SUMS")))
		sum := func(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
		write(path, forged.String())
		write(filepath.Join(dir, "SHA256SUMS"), strings.ReplaceAll(string(sums), sum(packed), sum(forged.Bytes())))
		fails(fmt.Sprintf("%s.csv.gz: line %d is not what panel/ gives", name, 1+bytes.Count(text[:at], []byte("\n"))))
		write(path, string(packed))
		write(filepath.Join(dir, "SHA256SUMS"), string(sums))
	}
}
