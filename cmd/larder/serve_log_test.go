package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestServeLog serves before the first release, which the server says how to make, and after
// it.
func TestServeLog(t *testing.T) {
	db := demo(t, 1, 3)
	dir := filepath.Dir(db)
	live, log := filepath.Join(dir, "live.db"), filepath.Join(dir, "releases.db")
	for args, want := range map[string]string{
		"serve --log " + log:                                       "--log needs --db",
		"serve --db " + live + " --log " + live:                    "--log is the same file",
		"serve --db " + live + " --state " + log + " --log " + log: "--log is the same file",
	} {
		if _, stderr, code := try(strings.Fields(args)...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit status %d: %s", args, code, stderr)
		}
	}
	x := serve(t, "--db", live, "--log", log)
	if status, body := get(t, x.admin+"/readyz", ""); status != 503 || !strings.Contains(body, "larder release NEXT --live "+live+" --log "+log) {
		t.Errorf("before a release: %d %s", status, body)
	}
	if status, body := get(t, x.public+"/readyz", ""); status != 503 || !strings.Contains(body, "larder release") || strings.Contains(body, dir) {
		t.Errorf("before a release: %d %s", status, body)
	}
	larder(t, "release", db, "--live", live, "--log", log, "--note", "first")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	until(t, x.log, func() bool { status, _ := get(t, x.public+"/readyz", ""); return status == 200 })
	if _, body := get(t, x.public+"/releases.json", ""); !strings.Contains(body, `"id":"r1"`) {
		t.Errorf("/releases.json: %s", body)
	}
	if log := x.log.String(); !strings.Contains(log, `"release":"r1"`) {
		t.Errorf("the log does not name the release: %s", log)
	}
}
