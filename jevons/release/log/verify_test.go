package releaselog

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/jevons/release"
	"github.com/larder-index/larder/panel"
)

// signedHistory makes a log of four releases that are signed with a key in a file.
func signedHistory(t *testing.T, notes ...string) (h *history, verifier string) {
	t.Helper()
	key := filepath.Join(t.TempDir(), "release.key")
	verifier = must(NewKey(key, DefaultOrigin))
	h = newHistory(t, 1)
	h.signer = must(ReadKey(key))
	for _, text := range notes {
		h.step()
		h.release(text)
	}
	return h, verifier
}

// Whatever is changed in a log, Verify says in which release.
func TestVerifyDamage(t *testing.T) {
	t.Parallel()
	h, verifier := signedHistory(t, "one", "two", "three", "four")
	whole := must(os.ReadFile(h.path))
	kept := h.log.releases[3].Checkpoint
	if v, err := Verify(h.path, VerifyOptions{verifier, []string{h.log.releases[0].Checkpoint, kept}}); err != nil || v.Releases != 4 || !v.Signed {
		t.Fatalf("the whole log: %+v, %v", v, err)
	}
	copyOf := func(column, from, to string) string {
		return fmt.Sprintf("UPDATE releases SET %[1]s = (SELECT %[1]s FROM releases WHERE number = %[2]s) WHERE number = %[3]s", column, from, to)
	}
	for _, x := range []struct {
		name, want string
		statements []string
	}{
		{"a leaf of another release", "release r2: its leaf is damaged: it says that it is \"r3\"", []string{copyOf("leaf", "3", "2")}},
		{"a leaf that is cut off", "release r2: its leaf", []string{"UPDATE releases SET leaf = substr(leaf, 1, length(leaf) - 9) WHERE number = 2"}},
		{"no leaf", "release r3: its leaf is damaged", []string{"UPDATE releases SET leaf = x'' WHERE number = 3"}},
		{"a hash", "release r2: its leaf", []string{copyOf("hash", "1", "2")}},
		{"no hash", "release r2: its leaf is no hash", []string{"UPDATE releases SET hash = x'00' WHERE number = 2"}},
		{"settings", "release r1: there is no context", []string{"UPDATE contexts SET content = (SELECT content FROM contexts WHERE id = 2) WHERE id = 1"}},
		{"settings that are cut off", "context 2", []string{"UPDATE contexts SET content = x'00' WHERE id = 2"}},
		{"a checkpoint", "the checkpoint of release r3", []string{copyOf("checkpoint", "2", "3")}},
		{"no checkpoint", "the checkpoint of release r3", []string{"UPDATE releases SET checkpoint = '' WHERE number = 3"}},
		{"a dropped release", "release r2 is missing", []string{"DELETE FROM releases WHERE number = 2"}},
		{"a dropped release, later ones renumbered", "release r2: ", []string{
			"DELETE FROM releases WHERE number = 2", "UPDATE releases SET number = 2 WHERE number = 3", "UPDATE releases SET number = 3 WHERE number = 4",
		}},
		{"a swapped pair", "release r2: ", []string{
			"UPDATE releases SET number = 9 WHERE number = 2", "UPDATE releases SET number = 2 WHERE number = 3", "UPDATE releases SET number = 3 WHERE number = 9",
		}},
		{"the newest dropped", "release r4 is gone", []string{"DELETE FROM releases WHERE number = 4"}},
		{"all dropped", "release r4 is gone", []string{"DELETE FROM releases"}},
		{"no signature", "release r4 has no signature", []string{"UPDATE releases SET checkpoint = substr(checkpoint, 1, instr(checkpoint, char(10) || char(10))) WHERE number = 4"}},
		{"another signature", "the checkpoint of release r4", []string{"UPDATE releases SET checkpoint = substr(checkpoint, 1, length(checkpoint) - 9) || 'AAAAAAA=' || char(10) WHERE number = 4"}},
		{"another application", "not a release log", []string{"PRAGMA application_id = 1"}},
		{"another version", "it has 3, this larder reads 4; use the larder that wrote it", []string{"PRAGMA user_version = 3"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "releases.db")
			check(os.WriteFile(path, whole, 0o600))
			change(t, path, x.statements...)
			if _, err := Verify(path, VerifyOptions{verifier, []string{kept}}); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("%v; want %q", err, x.want)
			}
		})
	}
}

// Somebody who can write the file gives a past release another note and makes all leaves and
// checkpoints anew, or drops the newest releases. The file fits itself then. The signature
// fits no checkpoint but its own, and a checkpoint from later than the change gives it away.
func TestVerifyRehashed(t *testing.T) {
	t.Parallel()
	h, verifier := signedHistory(t, "one", "two", "three", "four")
	other, _ := signedHistory(t, "one")
	var kept []string
	for _, r := range h.log.releases {
		kept = append(kept, r.Checkpoint)
	}
	rewrite := func(signed bool) string {
		path := filepath.Join(t.TempDir(), "releases.db")
		check(copyFile(h.path, path, path))
		c := must(Open(path))
		known := newLines(nil)
		for n := 1; n < len(c.releases); n++ {
			r := &c.releases[n]
			changes, err := r.changes(known)
			if n == 1 {
				r.Note = "TWO"
			}
			leaf := leafText(r, changes)
			if r.Leaf = tlog.RecordHash(leaf); err != nil {
				t.Fatal(err)
			}
			text := checkpointText(DefaultOrigin, n+1, treeOf(c.releases).root(n+1))
			if signed {
				text += strings.TrimPrefix(r.Checkpoint, unsigned(r.Checkpoint))
			}
			change(t, path, fmt.Sprintf("UPDATE releases SET leaf = x'%x', hash = x'%x', checkpoint = '%s' WHERE number = %d", deflate(leaf), r.Leaf[:], text, r.Number))
		}
		return path
	}
	dropped := filepath.Join(t.TempDir(), "releases.db")
	check(copyFile(h.path, dropped, dropped))
	change(t, dropped, "DELETE FROM releases WHERE number > 2")
	plain, stolen := rewrite(false), rewrite(true)
	for _, x := range []struct {
		name, path, verifier string
		checkpoints          []string
		want                 string
	}{
		{"rewritten", plain, "", nil, ""},
		{"rewritten, by its signature", plain, verifier, nil, "release r4 has no signature"},
		{"rewritten, by a checkpoint", plain, "", kept[1:2], "releases r1 to r2 are not those"},
		{"rewritten, by a checkpoint from before", plain, "", kept[:1], ""},
		{"rewritten with the old signatures", stolen, verifier, nil, "the checkpoint of release r4"},
		{"rewritten with the old signatures, by a checkpoint", stolen, "", kept[3:], "releases r1 to r4 are not those"},
		{"dropped, and still signed", dropped, verifier, kept[:2], ""},
		{"dropped, by a checkpoint", dropped, "", kept[2:3], "release r3 is gone"},
		{"a checkpoint's text alone", h.path, verifier, []string{unsigned(kept[2])}, ""},
		{"a checkpoint by another key", h.path, verifier, []string{other.log.releases[0].Checkpoint}, "kept from earlier"},
		{"a checkpoint of nothing", h.path, "", []string{"larder-releases\n0\n" + tlog.Hash{}.String() + "\n"}, "is gone"},
		{"no checkpoint", h.path, "", []string{"x"}, "it is no checkpoint"},
		{"another tree's", h.path, "", []string{"go.sum database tree\n1\n" + h.log.releases[0].Leaf.String() + "\n"}, "it is no checkpoint"},
		{"a line more", h.path, "", []string{unsigned(kept[0]) + "more\n"}, "it is no checkpoint"},
		{"no verifier", h.path, "larder-releases+1+x", nil, "the verifier key"},
	} {
		if _, err := Verify(x.path, VerifyOptions{x.verifier, x.checkpoints}); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.name, err, x.want)
		}
	}
}

// unsigned returns the text of a checkpoint.
func unsigned(checkpoint string) string {
	text, _, _ := strings.Cut(checkpoint, "\n\n")
	return text + "\n"
}

// The canonical bytes are those that the package doc and docs/revisions.md describe.
func TestLeaf(t *testing.T) {
	t.Parallel()
	dairy := jevons.Cell{Level: jevons.City, City: "Québec <1>", Category: basket.Categories(nil).Of("dairy")}
	row := jevons.Row{
		Index: panel.FixedOf(1_001_234), BasketCost: panel.FixedOf(124_700), WoW: panel.FixedOf(-3345), YoY: panel.FixedOf(0), ItemCount: 6, TotalItems: 7,
	}
	revised := row
	revised.Index, revised.ItemCount, revised.TotalItems = panel.FixedOf(1_001_235), 0, -1
	r := &Release{
		Number: 12, At: time.Date(2026, 11, 23, 13, 30, 0, 5000, time.UTC), Snapshot: "c307", Gate: "g", Method: "m",
		Note: `a "note" & more`, Accepted: []Accepted{{Rule: release.Scale, Reason: "checked"}}, Base: firstWeek, Through: firstWeek.Add(2),
		Context: &Context{Settings: map[string]string{"source": "é"}, Cities: []string{"Québec <1>"}, Banners: []string{}, Pilot: &jevons.Table{}, Where: "2 cities"},
		Counts:  Counts{1, 2, 3, 4, Points{panel.FixedOf(1)}},
	}
	r.Context.content = r.Context.encode()
	r.ContextHash = r.Context.hash()
	sum := sha256.Sum256([]byte(`{"settings":{"source":"é"},"cities":["Québec \u003c1\u003e"],"banners":[],"where":"2 cities","pilot":[]}`))
	if x, err := decodeContext(deflate(r.Context.content)); err != nil || x.About.Where != "2 cities" {
		t.Errorf("the context read again: %v, %v", x, err)
	}
	want := `larder-release/1
{"id":"r12","released_at":"2026-11-23T13:30:00.000005Z","snapshot":"c307","gate_version":"g","method_version":"m","note":"a \"note\" \u0026 more",` +
		`"accepted":[{"rule":"scale","reason":"checked"}],"base_week":"2026-07-19","through":"2026-08-02","context":"` + hex.EncodeToString(sum[:]) +
		`","weeks_added":1,"cells_added":2,"cells_revised":3,"cells_withdrawn":4,"largest_revision":1}
["2026-07-19","national","","","overall",["rows","method"],[1001234,124700,-3345,null,0,6,7],null]
["2026-07-26","city","Québec \u003c1\u003e","","dairy",["new_week"],null,[1001234,124700,-3345,null,0,6,7]]
["2026-08-02","banner","Toronto","alpha","household",["quarantine"],[1001234,124700,-3345,null,0,6,7],[1001235,124700,-3345,null,0,0,null]]
`
	changes := []release.Change{
		{Week: firstWeek, Cell: jevons.Cell{Level: jevons.National}, Old: &row, Causes: []release.Cause{release.AddedRows, release.Method}},
		{Week: firstWeek.Add(1), Cell: dairy, New: &row, Causes: []release.Cause{release.NewWeek}},
		{Week: firstWeek.Add(2), Cell: jevons.Cell{Level: jevons.Banner, City: "Toronto", Banner: "alpha", Category: basket.Categories(nil).Of("household")},
			Old: &row, New: &revised, Causes: []release.Cause{release.Quarantine}},
	}
	got := leafText(r, changes)
	if diff := gocmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	read := Release{Number: 12, Leaf: tlog.RecordHash(got), text: deflate(got)}
	text, err1 := read.Text()
	again, back, err := ReadLeaf(text)
	if err := cmp.Or(err1, err); err != nil || string(leafText(again, back)) != want {
		t.Errorf("read and written again: %v\n%+v", err, again)
	}
	a, b := tlog.RecordHash([]byte("a")), tlog.RecordHash([]byte("b"))
	root := tlog.NodeHash(a, b)
	checkpoint := checkpointText(DefaultOrigin, 2, treeOf([]Release{{Leaf: a}, {Leaf: b}}).root(2))
	if want := "larder-releases\n2\n" + base64.StdEncoding.EncodeToString(root[:]) + "\n"; checkpoint != want {
		t.Errorf("%q, want %q", checkpoint, want)
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "release.key")
	verifier := must(NewKey(path, DefaultOrigin))
	if v, err := note.NewVerifier(verifier); err != nil || v.Name() != DefaultOrigin {
		t.Errorf("the public key is %q: %v", verifier, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's file: %v, %v", info.Mode(), err)
	}
	check(os.WriteFile(path, []byte(verifier), 0o600))
	if _, err := ReadKey(path); err == nil || !strings.Contains(err.Error(), "no key of a release log") {
		t.Errorf("the public key as the secret one: %v", err)
	}
}
