package httpapi

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestAPIDocIsComplete makes sure that the page names every address with its
// parameters, and every code that a response can have.
func TestAPIDocIsComplete(t *testing.T) {
	raw, err := os.ReadFile(apiDoc)
	if err != nil {
		t.Fatal(err)
	}
	text, d := string(raw), theDocument()
	for path, operations := range d.paths() {
		if !strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, shopperPrefix) {
			continue
		}
		_, section, ok := strings.Cut(text, "### GET "+path+"\n")
		if !ok {
			t.Errorf("no section is about %s", path)
			continue
		}
		section, _, _ = strings.Cut(section, "\n### ")
		parameters, _ := d.at(operations, "get", "parameters").([]any)
		for _, p := range parameters {
			name, _ := d.at(p, "name").(string)
			if d.at(p, "in") == "query" && !strings.Contains(section, "`"+name+"`") {
				t.Errorf("%s: nothing is said of %s", path, name)
			}
			for _, number := range []any{d.at(p, "schema", "default"), d.at(p, "x-largest")} {
				if n, ok := number.(json.Number); ok && !strings.Contains(section, n.String()) {
					t.Errorf("%s: %s: the page lacks the number %s", path, name, n)
				}
			}
		}
	}
	codes := regexp.MustCompile(`"([a-z]+_[a-z_]+|unauthorized|stopping)"`)
	d.walk("", d.root["components"].(map[string]any)["schemas"], func(at string, x map[string]any) {
		if !strings.HasSuffix(at, "/properties/code") || strings.HasPrefix(at, "/Shopper") {
			return
		}
		list, _ := json.Marshal(x) // it was JSON before
		for _, code := range codes.FindAllStringSubmatch(string(list), -1) {
			if !strings.Contains(text, "`"+code[1]+"`") {
				t.Errorf("nothing is said of the code %s", code[1])
			}
		}
	})
}
