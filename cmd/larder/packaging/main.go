// Command packaging makes what goes with the programs of a release: a bill of materials of what
// is in one (CycloneDX), and a container image of one (OCI, which docker load takes too).
//
//	packaging sbom PROGRAM [PURL...] >larder.cdx.json
//	packaging image PROGRAM DOCKERFILE TAG >larder.oci.tar
//
// All times are SOURCE_DATE_EPOCH: the same program gives the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		log.Fatalf("SOURCE_DATE_EPOCH: %v", err)
	}
	made, args := time.Unix(seconds, 0).UTC(), append(os.Args[1:], "", "")
	info, err := buildinfo.ReadFile(args[1])
	content, err2 := os.ReadFile(args[1])
	err = errors.Join(err, err2)
	switch {
	case args[0] == "sbom" && err == nil:
		err = sbom(os.Stdout, info, content, os.Args[3:], made)
	case args[0] == "image" && len(os.Args) == 5 && err == nil:
		err = image(os.Stdout, info, content, args[2], args[3], made)
	case err == nil:
		err = errors.New("usage: packaging sbom PROGRAM [PURL...] or packaging image PROGRAM DOCKERFILE TAG")
	}
	if err != nil {
		log.Fatal(err)
	}
}

type object = map[string]any

// sbom lists the modules in a program and the Go that built it. What was linked in besides is
// named by its package URL, such as pkg:generic/sqlite@3.54.1.
func sbom(out io.Writer, info *debug.BuildInfo, program []byte, others []string, made time.Time) error {
	component := func(kind, purl string) object {
		name, version, _ := strings.Cut(strings.TrimPrefix(purl, "pkg:"), "@")
		_, name, _ = strings.Cut(name, "/")
		purl = strings.ReplaceAll(purl, "+", "%2B")
		return object{"type": kind, "bom-ref": purl, "purl": purl, "name": name, "version": version}
	}
	self := component("application", "pkg:golang/"+info.Main.Path+"@"+info.Main.Version)
	self["hashes"] = []object{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sha256.Sum256(program))}}
	var settings []object
	for _, s := range info.Settings {
		settings = append(settings, object{"name": "go:build:" + s.Key, "value": s.Value})
	}
	parts := []object{component("library", "pkg:golang/std@"+strings.TrimPrefix(info.GoVersion, "go"))}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, component("library", "pkg:golang/"+m.Path+"@"+m.Version))
	}
	for _, purl := range others {
		parts = append(parts, component("library", purl))
	}
	text := json.NewEncoder(out)
	text.SetEscapeHTML(false)
	text.SetIndent("", "  ")
	return text.Encode(object{
		"$schema":   "http://cyclonedx.org/schema/bom-1.6.schema.json",
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata":   object{"timestamp": made.Format(time.RFC3339), "component": self, "properties": settings},
		"components": parts,
	})
}

// file is one of an archive: without content, a folder.
type file struct {
	name    string
	mode    int64
	owner   int
	content []byte
}

func archive(out io.Writer, made time.Time, files ...file) error {
	w := tar.NewWriter(out)
	for _, f := range files {
		h := tar.Header{Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)), ModTime: made}
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return w.Close()
}

// settings are those of a container, under their names in OCI's configuration.
type settings struct {
	User, WorkingDir      string
	Env                   []string
	Entrypoint, Cmd       json.RawMessage
	Volumes, ExposedPorts object
}

func readDockerfile(name string) (s settings, err error) {
	text, err := os.ReadFile(name)
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "USER":
			s.User = rest
		case "WORKDIR":
			s.WorkingDir = rest
		case "ENV":
			s.Env = strings.Fields(rest)
		case "ENTRYPOINT":
			s.Entrypoint = json.RawMessage(rest)
		case "CMD":
			s.Cmd = json.RawMessage(rest)
		case "VOLUME":
			s.Volumes = object{rest: object{}}
		case "EXPOSE":
			s.ExposedPorts = object{rest + "/tcp": object{}}
		case "#", "FROM", "ARG", "COPY", "":
		default:
			return s, fmt.Errorf("%s: the image can't have %s", name, word)
		}
	}
	return s, err
}

// image writes an image that has the program, the Dockerfile's working folder, which is of its
// user, and the Dockerfile's settings.
func image(out io.Writer, info *debug.BuildInfo, program []byte, dockerfile, tag string, made time.Time) error {
	settings, err := readDockerfile(dockerfile)
	id, _, _ := strings.Cut(settings.User, ":")
	owner, err2 := strconv.Atoi(id)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	files := []file{{"larder", 0o755, 0, program}}
	folder := strings.TrimPrefix(settings.WorkingDir, "/") + "/"
	for i := range folder {
		if folder[i] == '/' {
			files = append(files, file{folder[:i+1], 0o755, 0, nil})
		}
	}
	files[len(files)-1].owner = owner
	layer, packed := sha256.New(), bytes.Buffer{}
	z := gzip.NewWriter(&packed)
	if err := errors.Join(archive(io.MultiWriter(layer, z), made, files...), z.Close()); err != nil {
		return err
	}
	const oci = "application/vnd.oci.image."
	files = nil
	put := func(name string, v any) {
		content, _ := json.Marshal(v) //nolint:errcheck // it has texts and numbers
		files = append(files, file{name, 0o644, 0, content})
	}
	path := func(blob object) string { return strings.Replace("blobs/"+blob["digest"].(string), ":", "/", 1) }
	blob := func(kind string, v any) object {
		content, raw := v.([]byte)
		if !raw {
			content, _ = json.Marshal(v) //nolint:errcheck // it has texts and numbers
		}
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256(content))
		b := object{"mediaType": oci + kind, "digest": digest, "size": len(content)}
		files = append(files, file{path(b), 0o644, 0, content})
		return b
	}
	at := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "GOARCH" })
	arch := info.Settings[at].Value
	packedLayer := blob("layer.v1.tar+gzip", packed.Bytes())
	config := blob("config.v1+json", object{"created": made, "os": "linux", "architecture": arch, "config": settings,
		"rootfs": object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", layer.Sum(nil))}}})
	manifest := blob("manifest.v1+json", object{"schemaVersion": 2, "mediaType": oci + "manifest.v1+json",
		"config": config, "layers": []object{packedLayer}})
	manifest["platform"] = object{"os": "linux", "architecture": arch}
	manifest["annotations"] = object{"org.opencontainers.image.ref.name": tag}
	put("oci-layout", object{"imageLayoutVersion": "1.0.0"})
	put("index.json", object{"schemaVersion": 2, "mediaType": oci + "index.v1+json", "manifests": []object{manifest}})
	put("manifest.json", []object{{ // for Docker
		"Config": path(config), "RepoTags": []string{"larder:" + tag}, "Layers": []string{path(packedLayer)},
	}})
	return archive(out, made, files...)
}
