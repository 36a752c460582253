package pages

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestBundle joins a script and a style with what they import, and names what is wrong
// in one.
func TestBundle(t *testing.T) {
	t.Parallel()
	source := fstest.MapFS{
		"templates/x.html":     {Data: []byte(`{{asset "a/x.js"}} {{asset "a/x.css"}} {{asset "i.svg"}}`)},
		"assets/a/x.js":        {Data: []byte("import { y } from \"../y.js\";\nconsole.log(y, t(\"Account\"), languageTag); // said\nimport { t } from \"../lang.js\";")},
		"assets/lang.js":       {Data: []byte("export const t = (x) => x.big();")},
		"assets/y.js":          {Data: []byte("export const y = \"from y\", z = 1;")},
		"assets/unused/u.js":   {Data: []byte("console.log(1)")},
		"assets/a/x.css":       {Data: []byte("@import \"./z.css\";\np { color: red }")},
		"assets/a/z.css":       {Data: []byte("/* said */ a { color: blue }")},
		"assets/i.svg":         {Data: []byte("<svg/>")},
		"templates/parts/p.md": {Data: []byte("")},
	}
	got, err := bundle(source)
	if err != nil || len(got) != 4 {
		t.Fatalf("%d files: %v", len(got), err)
	}
	for name, want := range map[string]string{"a/x.js": "from y", "fr/a/x.js": `("Compte"),"fr-CA"`, "a/x.css": "a{color:#00f}p{color:red}", "i.svg": "<svg/>"} {
		if text := string(got[name]); !strings.Contains(text, want) || strings.Contains(text, "said") {
			t.Errorf("%s: %s", name, text)
		}
	}
	source["assets/a/x.js"] = &fstest.MapFile{Data: []byte("\nimport \"./nowhere.js\";")}
	if _, err := bundle(source); err == nil || !strings.Contains(err.Error(), "a/x.js:2") {
		t.Errorf("a script that imports nothing there is: %v", err)
	}
}
