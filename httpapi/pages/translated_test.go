package pages

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/larder-index/larder/docs"
	"github.com/larder-index/larder/httpapi/lang"
)

// TestTranslations compares each translated document with the English one, section by
// section: headings, tables, code and numbers. So neither can change without the other.
func TestTranslations(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(docs.Files, "fr/*.md")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d translations: %v", len(files), err)
	}
	for _, file := range files {
		english, french := facts(t, path.Base(file), englishGroups), facts(t, file, frenchGroups)
		if diff := cmp.Diff(english, french); diff != "" {
			t.Errorf("docs/%s differs from docs/%s (- English, + French):\n%s", file, path.Base(file), diff)
		}
	}
}

// sectionFacts holds what must be equal in a section and its translation.
type sectionFacts struct {
	Level   int
	Tables  []int    // the columns of each line of a table
	Blocks  []string // fenced code, whole
	Code    []string // in the text, sorted
	Numbers []string // sorted, in English form
	Indents int      // lines of formulas
}

var (
	headingLine = regexp.MustCompile(`^(#+) `)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	address     = regexp.MustCompile(`\]\([^)]*\)`)
	numeral     = regexp.MustCompile(`\d+(?:\.\d+)*`)
	comma       = regexp.MustCompile(`(\d),(\d)`)

	englishGroups = regexp.MustCompile(`(\d),(\d{3}\b)`)
	frenchGroups  = regexp.MustCompile(`(\d)\x{a0}(\d{3}\b)`)
)

// englishForm writes the numbers of a text with a point and without signs between
// thousands. groups finds those signs.
func englishForm(text string, groups *regexp.Regexp) string {
	return comma.ReplaceAllString(groups.ReplaceAllString(text, "$1$2"), "$1.$2")
}

// facts reads the sections of a document. groups finds the signs between thousands.
func facts(t *testing.T, file string, groups *regexp.Regexp) (all []sectionFacts) {
	t.Helper()
	source, err := docs.Files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s *sectionFacts
	fenced := false
	for i, line := range strings.Split(string(source), "\n") {
		found := headingLine.FindStringSubmatch(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			if fenced {
				s.Blocks = append(s.Blocks, "")
			}
			continue
		case fenced:
			s.Blocks[len(s.Blocks)-1] += line + "\n"
			continue
		case found != nil:
			all = append(all, sectionFacts{Level: len(found[1])})
			s = &all[len(all)-1]
		case s == nil:
			t.Fatalf("%s:%d: text before the title", file, i+1)
		case strings.HasPrefix(line, "    "):
			s.Indents++
		case strings.HasPrefix(line, "|"):
			s.Tables = append(s.Tables, strings.Count(line, "|")-1)
		}
		s.Code = append(s.Code, inlineCode.FindAllString(line, -1)...)
		text := address.ReplaceAllString(inlineCode.ReplaceAllString(line, ""), "]")
		s.Numbers = append(s.Numbers, numeral.FindAllString(englishForm(text, groups), -1)...)
	}
	for i := range all {
		slices.Sort(all[i].Code)
		slices.Sort(all[i].Numbers)
	}
	return all
}

// TestTranslatedPlaces checks that a translation has the places of the English document, so
// that a link leads to the same one in both.
func TestTranslatedPlaces(t *testing.T) {
	t.Parallel()
	set := New()
	translated := 0
	for i, english := range set.Documents(lang.English) {
		french := set.Documents(lang.French)[i]
		if french.Lang != lang.French {
			continue
		}
		translated++
		ids := func(d Document) (ids []string) {
			for _, h := range d.Contents {
				ids = append(ids, fmt.Sprint(h.Level, h.ID))
			}
			return ids
		}
		if diff := cmp.Diff(ids(english), ids(french)); diff != "" || french.Title == english.Title {
			t.Errorf("%s: %q and %q: %s", english.Name, english.Title, french.Title, diff)
		}
	}
	if translated < 2 {
		t.Errorf("%d documents are translated", translated)
	}
}
