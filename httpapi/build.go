package httpapi

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

// buildVersion tells one program from another: what they make of a snapshot may
// differ. New asks for it first, while the program's file is surely its own.
var buildVersion = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := sourceOf(info); v != "" {
			return v
		}
	}
	if sum, err := hashOfFile(os.Executable()); err == nil {
		return sum
	}
	return rand.Text() // what no other process has
})

// sourceOf names the source that a program was built from; "" if it does not
// say, or is built from a changed one.
func sourceOf(info *debug.BuildInfo) string {
	version := info.Main.Sum // of a published module
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			return ""
		}
	}
	if version == "" {
		return ""
	}
	return info.Main.Version + " " + version
}

// hashOfFile returns the hash of a file's content.
func hashOfFile(path string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)), nil
}
