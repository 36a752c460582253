package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// font is a change of font in a manual page.
var font = regexp.MustCompile(`\\f[A-Z]`)

// letters leaves out what is no letter and no digit: lines break elsewhere in a page, and signs are escaped.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// TestManual compares the manual pages with the help, line by line, and has groff and mandoc look at them.
func TestManual(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	larder(t, "man", dir)
	pages, err := filepath.Glob(dir + "/*.1")
	if err != nil {
		t.Fatal(err)
	}
	left := len(pages)
	var compare func(cmd *cobra.Command)
	compare = func(cmd *cobra.Command) {
		left--
		source, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
		}
		page := letters(font.ReplaceAllString(string(source), ""))
		want := append(strings.Split(cmd.Long+"\n"+cmd.Example, "\n"), cmd.Short)
		cmd.Flags().VisitAll(func(f *pflag.Flag) { want = append(want, "--"+f.Name, f.Usage) })
		for _, line := range want {
			if !strings.Contains(page, letters(line)) {
				t.Errorf("%s: no %q", cmd.CommandPath(), line)
			}
		}
		for _, under := range cmd.Commands() {
			compare(under)
		}
	}
	compare((&app{stdout: &output{Writer: bufio.NewWriter(io.Discard)}, stderr: io.Discard}).rootCommand())
	if left != 0 || len(pages) < 40 {
		t.Errorf("%d pages, %d more than commands", len(pages), left)
	}
	for tool, args := range map[string][]string{"groff": {"-man", "-Tutf8", "-Kutf8", "-ww", "-z"}, "mandoc": {"-Tlint", "-Wwarning"}} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Logf("%s is not installed", tool)
			continue
		}
		if out, err := exec.Command(tool, append(args, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", tool, err, out)
		}
	}
}
