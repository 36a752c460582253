package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var made = time.Unix(1_790_000_000, 0).UTC()

// twice returns what a function writes, which must be the same the second time.
func twice(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var a, b bytes.Buffer
	if err, err2 := write(&a), write(&b); err != nil || err2 != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatalf("%v, %v; the same bytes: %t", err, err2, bytes.Equal(a.Bytes(), b.Bytes()))
	}
	return a.Bytes()
}

func digest(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

// info is that of a program with one module, which another one replaces.
func info() *debug.BuildInfo {
	return &debug.BuildInfo{
		GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/larder-index/larder", Version: "v1.2.3"},
		Deps:     []*debug.Module{{Path: "example.org/a", Version: "v1", Replace: &debug.Module{Path: "example.org/b", Version: "v2.0.0+incompatible"}}},
		Settings: []debug.BuildSetting{{Key: "GOARCH", Value: "arm64"}},
	}
}

var program = []byte("\x7fELF")

func TestSBOM(t *testing.T) {
	t.Parallel()
	text := twice(t, func(w io.Writer) error { return sbom(w, info(), program, []string{"pkg:generic/sqlite@3.54.1"}, made) })
	type component struct {
		Type, Name, Version, PURL string
		Ref                       string `json:"bom-ref"`
		Hashes                    []struct{ Alg, Content string }
	}
	var got struct {
		BOMFormat, SpecVersion string
		Metadata               struct {
			Timestamp string
			Component component
		}
		Components []component
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	self := got.Metadata.Component
	if got.BOMFormat != "CycloneDX" || got.SpecVersion != "1.6" || got.Metadata.Timestamp != "2026-09-21T14:13:20Z" ||
		self.Version != "v1.2.3" || len(self.Hashes) != 1 || "sha256:"+self.Hashes[0].Content != digest(program) {
		t.Errorf("%s", text)
	}
	want := []component{
		{Type: "library", Name: "std", Version: "1.26.8", PURL: "pkg:golang/std@1.26.8", Ref: "pkg:golang/std@1.26.8"},
		{Type: "library", Name: "example.org/b", Version: "v2.0.0+incompatible",
			PURL: "pkg:golang/example.org/b@v2.0.0%2Bincompatible", Ref: "pkg:golang/example.org/b@v2.0.0%2Bincompatible"},
		{Type: "library", Name: "sqlite", Version: "3.54.1", PURL: "pkg:generic/sqlite@3.54.1", Ref: "pkg:generic/sqlite@3.54.1"},
	}
	if diff := cmp.Diff(want, got.Components); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// unpack returns the files of an archive and their headers.
func unpack(t *testing.T, r io.Reader) (map[string][]byte, map[string]tar.Header) {
	t.Helper()
	files, headers := map[string][]byte{}, map[string]tar.Header{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return files, headers
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(archive); err != nil || !h.ModTime.Equal(made) {
			t.Fatalf("%s of %v: %v", h.Name, h.ModTime, err)
		}
		headers[h.Name] = *h
	}
}

// TestImage follows an image from its index to the program, as the OCI image layout has it.
func TestImage(t *testing.T) {
	t.Parallel()
	text := twice(t, func(w io.Writer) error { return image(w, info(), program, "Dockerfile", "1.2.3", made) })
	files, _ := unpack(t, bytes.NewReader(text))
	type descriptor struct {
		MediaType, Digest string
		Size              int
		Annotations       map[string]string
	}
	read := func(d descriptor, kind string) []byte {
		t.Helper()
		content := files["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]
		if d.MediaType != "application/vnd.oci.image."+kind || d.Digest != digest(content) || d.Size != len(content) {
			t.Fatalf("%+v of %d bytes", d, len(content))
		}
		return content
	}
	decode := func(text []byte, to any) {
		t.Helper()
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	var index struct{ Manifests []descriptor }
	decode(files["index.json"], &index)
	if len(index.Manifests) != 1 || index.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" ||
		string(files["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` {
		t.Fatalf("%s", files["index.json"])
	}
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	decode(read(index.Manifests[0], "manifest.v1+json"), &manifest)
	var config struct {
		OS, Architecture string

		Config map[string]any
		RootFS struct {
			DiffIDs []string `json:"diff_ids"`
		}
	}
	decode(read(manifest.Config, "config.v1+json"), &config)
	z, err := gzip.NewReader(bytes.NewReader(read(manifest.Layers[0], "layer.v1.tar+gzip")))
	if err != nil {
		t.Fatal(err)
	}
	layer, err := io.ReadAll(z)
	if err != nil || config.OS+config.Architecture != "linuxarm64" || config.RootFS.DiffIDs[0] != digest(layer) {
		t.Errorf("%v: %+v", err, config)
	}
	folder := "/var/lib/larder"
	want := map[string]any{
		"User": "65532:65532", "WorkingDir": folder, "Entrypoint": []any{"/larder"}, "Cmd": []any{"serve"},
		"Env":     []any{"HOME=" + folder, "TMPDIR=" + folder, "SQLITE_TMPDIR=" + folder, "LARDER_ADDR=:8080"},
		"Volumes": map[string]any{folder: map[string]any{}}, "ExposedPorts": map[string]any{"8080/tcp": map[string]any{}},
	}
	if diff := cmp.Diff(want, config.Config); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	inside, headers := unpack(t, bytes.NewReader(layer))
	if h := headers["larder"]; !bytes.Equal(inside["larder"], program) || h.Mode != 0o755 || h.Uid != 0 {
		t.Errorf("the program: %+v", h)
	}
	if h := headers["var/lib/larder/"]; h.Typeflag != tar.TypeDir || h.Uid != 65532 || headers["var/"].Uid != 0 ||
		len(headers) != 4 {
		t.Errorf("%+v", headers)
	}
	other := filepath.Join(t.TempDir(), "Dockerfile")
	if err := os.WriteFile(other, []byte("USER 1\nWORKDIR /w\nRUN x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err = image(io.Discard, info(), program, other, "1", made)
	if err == nil || !strings.Contains(err.Error(), "the image can't have RUN") {
		t.Errorf("RUN: %v", err)
	}
}
