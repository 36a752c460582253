package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/audit"
	"github.com/larder-index/larder/internal/toolbox"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// TestVerifyServed verifies downloads of a running server.
func TestVerifyServed(t *testing.T) {
	s := subscribe(t)
	t.Run("every cell", func(t *testing.T) { testEveryCell(t, s) })
	t.Run("docs", func(t *testing.T) { testVerifyDocs(t, s) })
	t.Run("why", func(t *testing.T) { testVerifyWhy(t, s) })
	t.Run("printed", func(t *testing.T) { testPrinted(t, s) })
}

// subscriber downloads from a running server into a folder.
type subscriber struct {
	t              *testing.T
	base, key, dir string
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

// testPrinted compares rows of a server with those that commands print.
func testPrinted(t *testing.T, s *subscriber) {
	const all = "from=2026-07-19&to=2026-11-20"
	for address, command := range map[string]string{
		"/api/v1/index?" + all + "&include=quality,contributions":      "index --include quality,contributions",
		"/api/v1/index?" + all + "&include=contributions&city=Calgary": "index --include contributions --city Calgary",
		"/api/v1/companions/regular?" + all:                            "index --companion regular",
		"/api/v1/companions/linked?" + all + "&level=city":             "index --companion linked --level city",
		"/api/v1/coverage?" + all:                                      "coverage",
		"/api/v1/coverage?" + all + "&missing=1&city=Halifax":          "coverage --missing --city Halifax",
	} {
		var served, printed []json.RawMessage
		for _, file := range s.download("printed", address) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var page struct{ Observations, Cells []json.RawMessage }
			if err := json.Unmarshal(text, &page); err != nil {
				t.Fatal(err)
			}
			served = append(append(served, page.Observations...), page.Cells...)
		}
		text := bytes.ReplaceAll(larder(t, append(strings.Fields(command), "--format", "json")...), []byte(`,"synthetic":true}`), []byte("}"))
		if err := json.Unmarshal(text, &printed); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asTexts(printed), asTexts(served)); diff != "" || len(served) == 0 {
			t.Errorf("%s, %d rows: -printed +served\n%.2000s", address, len(served), diff)
		}
	}
}

func asTexts(rows []json.RawMessage) (texts []string) {
	for _, r := range rows {
		texts = append(texts, string(r))
	}
	return texts
}

func pagesOf(t *testing.T, files ...[]string) (pages []*audit.Page) {
	t.Helper()
	for _, list := range files {
		for _, file := range list {
			p, err := readPage(file)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, p)
		}
	}
	return pages
}

// testEveryCell recomputes every figure of every cell of several weeks from downloads, to the
// last digit. A cell without a published row has none in the recomputation.
func testEveryCell(t *testing.T, s *subscriber) {
	prices := s.download("prices", "/api/v1/prices?from=2026-07-13&to=2026-11-15")
	if len(prices) < 3 {
		t.Fatalf("%d pages are few", len(prices))
	}
	pages := pagesOf(t, prices, s.download("products", "/api/v1/products?"), s.download("index", "/api/v1/index?from=2026-07-19&to=2026-11-15&include=quality,contributions"))
	absent, late := 0, 0
	for _, date := range []string{"2026-07-19", "2026-11-15"} {
		week, err := panel.ParseWeek(date)
		if err != nil {
			t.Fatal(err)
		}
		e, err := audit.NewEvidence(pages, panel.DefaultBaseWeek, week)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range cellsOf(e.Panel) {
			published, err := e.Published(cell)
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Check(cell, published)
			if err != nil {
				t.Fatal(err)
			}
			if !*v.Match {
				t.Errorf("%s, week %s: %s", cell, week, v.Verdict)
			}
			if v.SinceBase == nil {
				absent++
				continue
			}
			if v.SinceBase.From > panel.DefaultBaseWeek {
				late++
			}
			for _, f := range v.Figures {
				if f.Match == nil {
					t.Errorf("%s, week %s: %s was not compared", cell, week, f.Name)
				}
			}
		}
	}
	if absent == 0 || late == 0 {
		t.Errorf("%d cells without a row and %d with a later entry week: the demo is too plain", absent, late)
	}
}

// cellsOf returns all cells that a panel can have.
func cellsOf(p *panel.Panel) (cells []jevons.Cell) {
	places := map[jevons.Cell]bool{{Level: jevons.National}: true}
	for _, s := range p.Series() {
		city, banner := p.Cities()[s.City].Name, p.Banners()[s.Banner].Key
		places[jevons.Cell{Level: jevons.City, City: city}] = true
		places[jevons.Cell{Level: jevons.Banner, City: city, Banner: banner}] = true
	}
	for cell := range places {
		for _, cell.Category = range basket.Slices() {
			cells = append(cells, cell)
		}
	}
	return cells
}

// runAsSubscriber runs a shell script with the functions of docs/api.md, and returns what it
// prints.
func runAsSubscriber(t *testing.T, s *subscriber, script string) string {
	t.Helper()
	toolbox.Need(t, "curl")
	var header, functions string
	for _, b := range documentOf(t, "docs/api.md").blocks("sh") {
		if strings.Contains(b.text, "> larder.header") {
			header, _, _ = strings.Cut(b.text, "curl ")
		}
		if strings.HasPrefix(b.text, "ask() {") {
			functions, _, _ = strings.Cut(b.text, "\ndownload index ") // its last two lines
		}
	}
	if header == "" || functions == "" {
		t.Fatal("docs/api.md has no header, or no functions")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(program, filepath.Join(dir, "larder")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", header+functions+"\n"+script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "LARDER_URL="+s.base, "LARDER_KEY="+s.key)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

var (
	whyCommand = regexp.MustCompile(`(?s)<code id="(verify|explain)">(.*?)</code>`)
	whyPoints  = regexp.MustCompile(`<th scope="row">([^<]+, \d[^<]*)</th><td class="num whole points">([^<]+)</td>`)
)

// testVerifyWhy runs the commands of the page that takes a row apart. All figures of the row
// match, and larder explain prints the points of a product.
func testVerifyWhy(t *testing.T, s *subscriber) {
	status, page := get(t, s.base+"/why?s=toronto.northlarch.overall", "Bearer "+s.key)
	commands := map[string]string{}
	for _, m := range whyCommand.FindAllStringSubmatch(page, -1) {
		commands[m[1]] = html.UnescapeString(m[2])
	}
	point := whyPoints.FindStringSubmatch(page)
	if status != 200 || point == nil {
		t.Fatalf("%d %s", status, page)
	}
	out := runAsSubscriber(t, s, commands["verify"]+"\n"+commands["explain"])
	for _, want := range []string{
		`overall, northlarch in Toronto, week \S+: matches: index `, `index_value +\S+ +\S+ +matches`, `pct_change_wow +\S+ +\S+ +matches`,
		regexp.QuoteMeta(html.UnescapeString(point[1])) + " .* " + strings.NewReplacer("\u2212", "-", "&#43;", "").Replace(point[2]) + "\n",
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// testVerifyDocs runs the commands of docs/verify.md.
func testVerifyDocs(t *testing.T, s *subscriber) {
	script := ""
	for _, b := range documentOf(t, "docs/verify.md").blocks("sh", "bash", "console") {
		script += b.text
	}
	out := runAsSubscriber(t, s, script)
	for _, want := range []string{
		"overall, national, week 2026-11-15: matches: index ",
		"dairy, Halifax, week 2026-11-15: matches: index ",
		"not recomputed: needs all prices of week 2026-11-15 of the whole country",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestVerifyDocsOutput compares the output in docs/verify.md with the worked example.
func TestVerifyDocsOutput(t *testing.T) {
	text, err := os.ReadFile("../../docs/verify.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/script/verify.txtar")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?s)## What is printed\n\n(.*?)\n\nThis is`).FindSubmatch(text)
	if block == nil {
		t.Fatal("no output in docs/verify.md")
	}
	for line := range strings.Lines(string(block[1])) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " ...")
		if line != "..." && !strings.Contains(string(want), line) {
			t.Errorf("the worked example does not print %q", line)
		}
	}
}
