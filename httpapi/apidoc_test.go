package httpapi

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const apiDoc = "../docs/api.md"

// codeBlocks returns the blocks of code in docs/api.md that are in a language.
func codeBlocks(t *testing.T, language string) (blocks []string) {
	t.Helper()
	return codeBlocksOf(t, apiDoc, language)
}

func codeBlocksOf(t *testing.T, page, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, rest := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, ok := strings.Cut(rest, "\n```\n")
		if !ok {
			t.Fatalf("a block of %s does not end", language)
		}
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// TestAPIDocPrograms runs the programs of docs/api.md as a reader would, against
// the demo snapshot. Each must get every row although its key is worn out at
// first and the data changes after the first page of prices.
//
// What they need may be missing here: then they are skipped, unless
// LARDER_REQUIRE_TOOLS names the tool, as CI does.
func TestAPIDocPrograms(t *testing.T) {
	want := servedIDs(t)
	if len(want) < 10_001 {
		t.Fatalf("%d prices are not three pages", len(want))
	}
	for _, x := range []struct {
		tool, probe, language string
		blocks                []int
		command               []string // before the file
		ids                   func(t *testing.T, dir string) []string
	}{
		{"curl", "curl --version", "sh", []int{1, 2}, []string{"sh"}, idsOfPages},
		{"python3", "python3 --version", "python", []int{0}, []string{"python3"}, idsOfLines},
		{"Rscript", "Rscript -e library(httr2);library(jsonlite);library(vctrs)", "r", []int{0}, []string{"Rscript"}, idsOfTable},
	} {
		t.Run(x.tool, func(t *testing.T) {
			probe := strings.SplitN(x.probe, " ", 3)
			if out, err := exec.Command(probe[0], probe[1:]...).CombinedOutput(); err != nil {
				if slices.Contains(strings.Fields(os.Getenv("LARDER_REQUIRE_TOOLS")), x.tool) {
					t.Fatalf("%s is required here: %v\n%s", x.tool, err, out)
				}
				t.Skipf("not run: %s, or what it needs, is not installed", x.tool)
			}
			blocks := codeBlocks(t, x.language)
			var program string
			for _, i := range x.blocks {
				program += blocks[i]
			}
			w := newWornServer(t)
			dir := t.TempDir()
			file := filepath.Join(dir, "program")
			if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			run := exec.CommandContext(ctx, x.command[0], append(x.command[1:], file)...)
			run.Dir, run.WaitDelay = dir, time.Second // of what it started itself
			run.Env = append(os.Environ(), "LARDER_URL="+w.http.URL, "LARDER_KEY="+w.key)
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := x.ids(t, dir); !slices.Equal(got, want) {
				t.Errorf("it has %d prices, or others; served are %d\n%.2000s", len(got), len(want), out)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.refused == 0 || w.unchanged == 0 || w.firstPages != 2 || !bytes.Contains(out, []byte("once more")) {
				t.Errorf("it was refused %d times, found nothing changed %d times and began the prices %d times\n%s", w.refused, w.unchanged, w.firstPages, out)
			}
		})
	}
}
