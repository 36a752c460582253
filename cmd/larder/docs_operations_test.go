package main

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// configurations returns the blocks of docs/operations.md in a language.
func configurations(t *testing.T, language string) (list []string) {
	t.Helper()
	for _, d := range readDocuments(t) {
		for _, b := range d.blocks {
			if d.name == "docs/operations.md" && b.language == language {
				list = append(list, b.text)
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("no block of %s", language)
	}
	return list
}

// TestOperationsUnit checks the package's unit with systemd-analyze, if it is installed, and
// every setting in its larder.conf with the command.
func TestOperationsUnit(t *testing.T) {
	t.Parallel()
	read := func(name string) string { return string(must(os.ReadFile("packaging/" + name))) }
	args := []string{"serve"}
	for _, m := range regexp.MustCompile(`(?m)^#?LARDER_(\w+)=(.*)$`).FindAllStringSubmatch(read("larder.conf"), -1) {
		args = append(args, "--"+strings.ToLower(strings.ReplaceAll(m[1], "_", "-")), m[2])
	}
	if len(args) < 5 {
		t.Fatal("larder.conf sets nothing")
	}
	larder(t, append(args, "--help")...)
	unit := read("larder.service")
	for _, line := range []string{"EnvironmentFile=/etc/larder/larder.conf", "ExecStart=/usr/bin/larder serve"} {
		if !strings.Contains(unit, line+"\n") {
			t.Errorf("no %s", line)
		}
	}
	verifyUnits(t, map[string]string{"larder.service": strings.ReplaceAll(unit, "/usr/bin/larder", must(os.Executable()))})
}

// verifyUnits looks at units with systemd-analyze. The status is also that of what they depend on, which may
// not be here.
func verifyUnits(t *testing.T, units map[string]string) {
	t.Helper()
	need(t, "systemd-analyze")
	dir, args := t.TempDir(), []string{"verify", "--man=no"}
	for name, text := range units {
		args = append(args, filepath.Join(dir, name))
		write(filepath.Join(dir, name), text)
	}
	out, err := exec.Command("systemd-analyze", args...).CombinedOutput()
	if strings.Contains(string(out), "larder") || err != nil && len(out) == 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestOperationsCopies checks the units that copy a release with systemd-analyze, and runs their
// commands with folders of its own in place of the publisher's and the server's.
func TestOperationsCopies(t *testing.T) {
	t.Parallel()
	need(t, "rsync")
	units := configurations(t, "ini")
	if len(units) != 2 {
		t.Fatalf("%d units", len(units))
	}
	verifyUnits(t, map[string]string{"larder-copy.service": units[0], "larder-copy.timer": units[1]})
	published, own := t.TempDir(), t.TempDir()
	local := strings.NewReplacer("larder@publish.example.org:/var/lib/larder/published", published, "/var/lib/larder", own)
	for _, content := range []string{"one", "another"} {
		for _, name := range []string{"larder.db", "releases.db", "next.db"} {
			write(filepath.Join(published, name), content+name)
		}
		for _, m := range regexp.MustCompile(`(?m)^ExecStart=(.*)$`).FindAllStringSubmatch(units[0], -1) {
			if out, err := exec.Command("sh", "-c", local.Replace(m[1])).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", m[1], err, out)
			}
		}
		for _, name := range []string{"larder.db", "releases.db"} {
			if got, err := os.ReadFile(filepath.Join(own, name)); string(got) != content+name {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}
	}
}

// TestOperationsProxies checks the configurations with nginx and Caddy, if installed.
func TestOperationsProxies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	t.Run("nginx", func(t *testing.T) {
		need(t, "nginx")
		server := httptest.NewTLSServer(nil)
		defer server.Close()
		pair := server.TLS.Certificates[0]
		key := must(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))
		write(in("fullchain.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})))
		write(in("privkey.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
		text := strings.NewReplacer("/etc/ssl/larder/", dir+"/", "/var/log/nginx/", dir+"/", "listen 443 ssl", "listen unix:"+dir+"/socket ssl").
			Replace(strings.Join(configurations(t, "nginx"), ""))
		write(in("nginx.conf"), "pid "+dir+"/pid; error_log stderr; events {}\nhttp {\n"+text+"}\n")
		out, err := exec.Command("nginx", "-t", "-p", dir, "-c", in("nginx.conf")).CombinedOutput()
		if err != nil || strings.Contains(string(out), "[warn]") {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("caddy", func(t *testing.T) {
		need(t, "caddy")
		write(in("Caddyfile"), strings.Join(configurations(t, "caddyfile"), ""))
		if out, err := exec.Command("caddy", "validate", "--adapter", "caddyfile", "--config", in("Caddyfile")).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// TestOperationsMetrics compares the metrics in docs/operations.md with the served ones.
func TestOperationsMetrics(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.db")
	larder(t, "keys", "create", "--state", state, "--tier", "standard", "--name", "A")
	x := serve(t, "--db", demo(t, 1, 3), "--state", state)
	get(t, x.public+"/healthz", "")
	_, served := get(t, x.admin+"/metrics", "")
	there := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# TYPE ((?:larder|go|process)_\w+)`).FindAllStringSubmatch(served, -1) {
		there[m[1]] = true
	}
	documented := map[string]bool{}
	name := regexp.MustCompile(`\b(?:larder|process)_[a-z_]+[a-z]`)
	page := must(os.ReadFile("../../docs/operations.md"))
	for _, found := range name.FindAllString(string(page), -1) {
		found = strings.TrimSuffix(found, "_bucket")
		documented[found] = true
		if !there[found] {
			t.Errorf("there is no metric %s", found)
		}
	}
	for found := range there {
		if strings.HasPrefix(found, "larder_") && !documented[found] && found != "larder_snapshot_newest_observation_age_seconds" {
			t.Errorf("nothing is said of the metric %s", found)
		}
	}
}
