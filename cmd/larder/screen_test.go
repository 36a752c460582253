package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
)

// onScreen runs larder in a folder, on a terminal so many columns wide. Once the output
// has the text until, it interrupts the command.
func onScreen(t *testing.T, dir string, columns int, until string, args ...string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "larder"), args...)
	if err := os.Symlink(program, cmd.Path); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "COLUMNS=")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	hang := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer hang.Stop()
	var out bytes.Buffer
	part := make([]byte, 4096)
	for sent := false; ; {
		n, err := tty.Read(part)
		out.Write(part[:n])
		if err != nil { // the command has ended
			break
		}
		if !sent && until != "" && bytes.Contains(out.Bytes(), []byte(until)) {
			sent = true
			cmd.Process.Signal(syscall.SIGINT)
		}
	}
	cmd.Wait() // its status is not what is tested
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// hammered returns a snapshot with names as long as people make them, and longer.
func hammered(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "prices")
	larder(t, "export", dir, "--db", demo(t, 1, 2))
	long := func(file, pattern, with string) {
		name := filepath.Join(dir, file)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		changed := regexp.MustCompile(pattern).ReplaceAll(text, []byte(with))
		if bytes.Equal(text, changed) {
			t.Fatalf("%s has no %s", file, pattern)
		}
		if err := os.WriteFile(name, changed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	word := strings.Repeat("Rivière-des-Épinettes", 6)
	long("cities.csv", "(?m)^toronto,Toronto,", "toronto,Saint-Louis-du-Ha! Ha! et des "+word+",")
	long("banners.csv", "(?m)^(pennywold),[^,]*,", "$1,The "+strings.Repeat("Very ", 20)+"Discount Warehouse,")
	long("products.csv", `(?m)^(1|2|3),("[^"]*"|[^,]*),`, `$1,"`+word+` 日本語の牛乳 with $1 more words than fit anywhere",`)
	long("retailer_products.csv", `(?m)^(\d+,1,\w+,\d*),("[^"]*"|[^,]*),`, `$1,"`+strings.Repeat("Organic ", 30)+word+`",`)
	db := filepath.Join(filepath.Dir(dir), "larder.db")
	larder(t, "import", dir, "--db", db)
	return db
}

// TestScreen runs every command on terminals of 80 and 120 columns. No line is wider.
func TestScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 170 commands")
	}
	t.Parallel()
	pages, err := filepath.Abs("../../httpapi/audit/testdata")
	if err != nil {
		t.Fatal(err)
	}
	city := map[string]string{"demo": "Toronto", "long names": "Montreal"}
	for name, db := range map[string]string{"demo": demo(t, 1, 4), "long names": hammered(t)} {
		for _, columns := range []int{80, 120} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if err := os.Link(db, filepath.Join(dir, "larder.db")); err != nil {
					t.Fatal(err)
				}
				for _, line := range strings.Split(strings.TrimSpace(`
index --db larder.db
index --db larder.db --from 2026-07-19 --level national
index --db larder.db --include quality,wow_interval --level city
index --db larder.db --view since --since 2026-11-08
index --db larder.db --companion regular
index --db larder.db --city Nowhere
index --trim 5 --db larder.db
explain --db larder.db --date 2026-11-15
explain --db larder.db --date 2026-11-15 --city CITY --category dairy
explain --db larder.db --date 2026-11-15 --city CITY --banner northlarch --category dairy
explain
coverage --db larder.db --missing
check --db larder.db
diff larder.db larder.db
plot --db larder.db --out chart.svg
compare --db larder.db --city toronto --items 1x2,7x0.5,12 --lines
compare --db larder.db --city toronto --items 1x2,7x0.3,99
shrinkflation --db larder.db --confidence low --from 2026-07-19
quarantine list --db larder.db
quarantine add --db larder.db --listing 9 --reason wrong --yes
quarantine release 1 --db larder.db --reason right
release --new-key release.key
release larder.db --live live.db --log releases.db --key release.key
releases list --log releases.db
releases show r1 --log releases.db
releases verify --log releases.db
index --log releases.db
verify --date 2026-07-26 --prices PAGES/base.json --prices PAGES/week.json --products PAGES/products.json --index PAGES/index.json --relatives
keys create --state state.db --tier standard --name Example
keys list --state state.db
keys link --state state.db --id 1 --base-url http://127.0.0.1
keys set --state state.db --id 1 --per-minute 5
keys disable --state state.db --id 1
keys enable --state state.db --id 1
usage --state state.db
export copy --db larder.db
import copy --db other.db
demo --db demo.db --weeks 1
version
nosuch
keys create --state state.db
serve --addr 127.0.0.1:0 --admin-addr 127.0.0.1:0
serve --db larder.db --addr 127.0.0.1:0 --admin-addr 127.0.0.1:0
mcp --db larder.db`), "\n") {
					line = strings.NewReplacer("CITY", city[name], "PAGES", pages).Replace(line)
					until := ""
					switch command, _, _ := strings.Cut(line, " "); command {
					case "serve":
						until = "larder keys create"
						if !strings.Contains(line, "--db") {
							until = "category=overall"
						}
					case "mcp":
						until = "mcp)"
					}
					narrow(t, columns, line, onScreen(t, dir, columns, until, strings.Fields(line)...))
				}
			})
		}
	}
}

// escapes matches the control sequences that a progress bar sends to a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

// narrow checks that something was printed, and that no line is wider than the terminal.
func narrow(t *testing.T, columns int, command, out string) {
	t.Helper()
	if strings.TrimSpace(out) == "" && !strings.HasPrefix(command, "plot") {
		t.Errorf("%s prints nothing", command)
	}
	for _, line := range strings.FieldsFunc(escapes.ReplaceAllString(out, ""), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if wide := uniseg.StringWidth(line); wide > columns {
			t.Errorf("larder %s, %d columns: a line is %d wide: %s", command, columns, wide, line)
		}
	}
}

// TestScreenHelp prints the help of every command on a terminal.
func TestScreenHelp(t *testing.T) {
	t.Parallel()
	root := (&app{stdout: io.Discard, stderr: io.Discard}).rootCommand()
	dir := t.TempDir()
	commands := []string{""}
	for _, x := range root.Commands() {
		commands = append(commands, x.Name())
		for _, under := range x.Commands() {
			if x.Name() != "completion" {
				commands = append(commands, x.Name()+" "+under.Name())
			}
		}
	}
	for _, command := range commands {
		for _, columns := range []int{80, 120} {
			narrow(t, columns, "help "+command, onScreen(t, dir, columns, "", append([]string{"help"}, strings.Fields(command)...)...))
		}
	}
}

// TestScreenIndex shows the newest week, and says how to see the others. Columns that it
// does not know may follow the change of a year.
func TestScreenIndex(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(demo(t, 1, 4))
	got := onScreen(t, dir, 80, "", "index", "--db", "larder.db", "--category", "overall", "--level", "national")
	got = regexp.MustCompile(`(?s)(\nyear %[^\n]*).*(\nitems )`).ReplaceAllString(got, "$1$2")
	want := `larder: These prices are invented: this is synthetic data, and no real shop
  charges them.
week      2026-11-15
level     national
city      -
banner    -
category  overall
index     100.1490
basket $  316.54
week %    0.5558
month %   -
year %    -
items     50/50
larder: this is the newest of 4 weeks; --from 2026-10-25 prints all of them
larder: source: Larder demonstration, Canada; publisher: Larder demonstration
  (invented)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		args []string
		has  bool
	}{
		{nil, false},
		{[]string{"--from", "2026-10-25"}, true},
		{[]string{"--to", "2026-11-20"}, true},
		{[]string{"--format", "csv"}, true},
	} {
		args := append([]string{"index", "--db", "larder.db", "--level", "national"}, c.args...)
		if out := onScreen(t, dir, 80, "", args...); strings.Contains(out, "2026-11-01") != c.has || strings.Contains(out, "the newest of") == c.has {
			t.Errorf("larder %q prints\n%s", args, out)
		}
	}
}

// TestScreenExplain sorts contributions by size.
func TestScreenExplain(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(demo(t, 1, 4))
	out := onScreen(t, dir, 140, "", "explain", "--db", "larder.db", "--date", "2026-11-15", "--category", "meat")
	before, tables, products := 0.0, 0, 0
	for line := range strings.Lines(out) {
		cells := strings.Fields(line)
		switch {
		case len(cells) == 0:
		case cells[0] == "id":
			before = math.Inf(1)
			tables++
		case cells[0] == "sum":
			before = 0
		case before > 0 && !strings.Contains(line, ":"):
			points, err := strconv.ParseFloat(cells[len(cells)-1], 64)
			if err != nil || math.Abs(points) > before {
				t.Errorf("%q comes after %g, %v", line, before, err)
			}
			before = math.Abs(points)
			products++
		}
	}
	if tables != 2 || products != 12 {
		t.Errorf("%d tables of %d products in\n%s", tables, products, out)
	}
}
