package pages

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTranslations compares each translated document with the English one, section by
// section: headings, tables, code and numbers. So neither can change without the other.
func TestTranslations(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(root, "docs/fr/*.md")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d translations: %v", len(files), err)
	}
	for _, file := range files {
		english, french := facts(t, "docs/"+path.Base(file), englishGroups), facts(t, file, frenchGroups)
		if diff := cmp.Diff(english, french); diff != "" {
			t.Errorf("%s differs from %s (- English, + French):\n%s", file, path.Base(file), diff)
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
	source, err := fs.ReadFile(root, file)
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
