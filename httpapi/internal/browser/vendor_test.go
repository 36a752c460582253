package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateVendor = flag.Bool("vendor", false, "write the vendored script, its manifest and its licences anew")

// manifest says where the vendored script comes from.
type manifest struct {
	Script   string            `json:"script"` // below built
	Entry    string            `json:"entry"`  // what is bundled
	SHA256   string            `json:"sha256"` // of the script
	Packages []vendoredPackage `json:"packages"`
}

// vendoredPackage is a package of npm whose code is in the script.
type vendoredPackage struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"license"`
}

var packageFolder = regexp.MustCompile(`node_modules/((?:@[^/]+/)?[^/]+)/`)

// TestVendored bundles the charts' library from the packages that package-lock.json pins. The
// script, its manifest and its licences in the repository must be equal to that, byte for byte.
func TestVendored(t *testing.T) {
	const pages, packages = "../../site/pages/", "testdata/node_modules/"
	if _, err := os.Stat(packages + "@observablehq/plot"); err != nil {
		t.Skip(err, "(make browser)")
	}
	want := manifest{Script: "vendor/plot.js", Entry: "vendor/plot.js"}
	modules, err := filepath.Abs(packages)
	if err != nil {
		t.Fatal(err)
	}
	outfile, metafile := filepath.Join(t.TempDir(), "plot.js"), filepath.Join(t.TempDir(), "meta.json")
	esbuild, err := exec.CommandContext(t.Context(), "go", "-C", "../../../internal/tools", "tool", "-n", "esbuild").Output()
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), strings.TrimSpace(string(esbuild)), pages+want.Entry, "--bundle", "--minify",
		"--format=esm", "--target=es2024", "--legal-comments=none", "--log-level=warning", "--outfile="+outfile, "--metafile="+metafile)
	build.Env = append(os.Environ(), "NODE_PATH="+modules)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script, err := os.ReadFile(outfile)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(script)
	want.SHA256 = hex.EncodeToString(sum[:])

	var meta struct{ Inputs map[string]any }
	inputs, err := os.ReadFile(metafile)
	if err == nil {
		err = json.Unmarshal(inputs, &meta)
	}
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for input := range meta.Inputs {
		if found := packageFolder.FindAllStringSubmatch(input, -1); found != nil {
			names[found[len(found)-1][1]] = true
		}
	}
	var licences bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var p vendoredPackage
		body, err := os.ReadFile(packages + name + "/package.json")
		if err == nil {
			err = json.Unmarshal(body, &p)
		}
		files, _ := filepath.Glob(packages + name + "/LICENSE*")
		if err != nil || len(files) != 1 || p.Licence == "" {
			t.Fatalf("%s: %v, licence %q in %q", name, err, p.Licence, files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		want.Packages = append(want.Packages, p)
		licences.WriteString(p.Name + " " + p.Version + "\n\n" + strings.TrimSpace(string(text)) + "\n\n")
	}
	list, err := json.MarshalIndent(want, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{
		"built/" + want.Script: script, "vendor/manifest.json": append(list, '\n'), "vendor/LICENSES.txt": licences.Bytes(),
	} {
		if *updateVendor {
			if err := os.WriteFile(pages+name, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(pages + name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "built/"+want.Script {
			if diff := cmp.Diff(string(body), string(got)); diff != "" {
				t.Errorf("%s (-rebuilt +kept):\n%s", name, diff)
			}
		} else if !bytes.Equal(body, got) {
			t.Errorf("%s has another content than its packages; run go -C httpapi/internal/browser test . -run Vendored -vendor", name)
		}
	}
}
