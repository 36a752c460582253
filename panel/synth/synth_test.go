package synth_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/synth"
)

var november = panel.DateOf(2026, 11, 20)

func generate(t testing.TB, c synth.Config) *synth.Data {
	t.Helper()
	if c.Through == 0 {
		c.Through = november
	}
	d, err := synth.Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// digest is that of the panel's files, in order of their names.
func digest(t *testing.T, d *synth.Data) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "panel")
	if err := d.WriteDir(dir); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(content)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// A change of a digest changes the demo panel for everybody: then raise Version,
// and put the new digest here.
func TestSameConfigSamePanel(t *testing.T) {
	for _, tt := range []struct {
		config synth.Config
		want   string
	}{
		{synth.Config{}, "461482a813bf32b4"},
		{synth.Config{Seed: 7, Weeks: 30, Stores: 60, Through: panel.DateOf(2027, 3, 14)}, "4cfb4d0442cbcfd0"},
	} {
		t.Run(fmt.Sprintf("seed %d", tt.config.Seed), func(t *testing.T) {
			t.Parallel()
			if got := digest(t, generate(t, tt.config)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestBaseWeekAndWeeks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		through string
		weeks   int
		base    string
		want    int
	}{
		{"2026-11-20", 0, "2026-07-19", 18}, // a Friday: the last closed week is 2026-11-15
		{"2026-11-22", 0, "2026-07-19", 18}, // a Sunday: its week closes at midnight
		{"2026-11-23", 0, "2026-07-19", 19},
		{"2026-07-22", 0, "2026-06-28", 4}, // too early for the default base week
		{"2026-11-20", 1, "2026-11-15", 1},
		{"2026-11-20", 520, "2016-12-04", 520},
	} {
		through, err := panel.ParseDate(tt.through)
		if err != nil {
			t.Fatal(err)
		}
		d := generate(t, synth.Config{Through: through, Weeks: tt.weeks, Stores: 13})
		if d.BaseWeek.String() != tt.base || d.Config.Weeks != tt.want {
			t.Errorf("through %s, %d weeks: %d from %s, want %d from %s", tt.through, tt.weeks, d.Config.Weeks, d.BaseWeek, tt.want, tt.base)
		}
	}
}

func TestConfigThatCannotBeMet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		config synth.Config
		want   string
	}{
		{synth.Config{}, "through 1970-01-01 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: panel.DateOf(1979, 12, 31)}, "through 1979-12-31 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: panel.DateOf(2150, 1, 2)}, "through 2150-01-02 is not from 1980-01-01 to 2150-01-01"},
		{synth.Config{Through: november, Weeks: -1}, "-1 weeks; use 1 to 2600"},
		{synth.Config{Through: november, Weeks: 2601}, "2601 weeks; use 1 to 2600"},
		{synth.Config{Through: november, Stores: -1}, "-1 stores; use 1 to 20000"},
		{synth.Config{Through: november, Stores: 20_001}, "20001 stores; use 1 to 20000"},
	} {
		if _, err := synth.Generate(tt.config); err == nil || err.Error() != "synth: "+tt.want {
			t.Errorf("%+v: %v, want %s", tt.config, err, tt.want)
		}
	}
	generate(t, synth.Config{Through: panel.DateOf(1980, 1, 1), Weeks: 2600, Stores: 1})
}

// A folder with files in it is refused.
func TestWriteDirRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := generate(t, synth.Config{Stores: 1, Weeks: 1}).WriteDir(dir); err == nil || !strings.Contains(err.Error(), "it is not empty") {
		t.Errorf("got %v", err)
	}
}
