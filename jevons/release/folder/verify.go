package folder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/parquet-go/parquet-go"

	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
)

// Verified says what Verify found in order.
type Verified struct {
	*releaselog.Release
	About *panel.About
	Files int
	Rows  int // of the published tables
}

// Verify checks a folder that Publish wrote from nothing but its files: every file against SHA256SUMS, the leaf
// against the checkpoint, and every row of the published tables against what panel/ gives when it is imported and
// computed anew. With a verifier, a public key, the checkpoint must have its signature. Each error names a file.
func Verify(ctx context.Context, dir, verifier string) (*Verified, error) {
	files, err := checkSums(dir)
	if err != nil {
		return nil, err
	}
	var texts [3]string
	for i, name := range []string{Leaf, Proof, Checkpoint} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	if err := releaselog.CheckProof([]byte(texts[0]), texts[1], texts[2], verifier); err != nil {
		return nil, fmt.Errorf("%s: %w", Checkpoint, err)
	}
	r, changes, err := releaselog.ReadLeaf([]byte(texts[0]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Leaf, err)
	}
	scratch, err := os.MkdirTemp("", "larder-verify-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	db := filepath.Join(scratch, "larder.db")
	if _, err := sqlite.Import(ctx, filepath.Join(dir, Panel), db, sqlite.ImportOptions{Strict: true, Accept: []string{sqlite.AnyRule}, Now: r.At}); err != nil {
		return nil, err
	}
	all, err := sqlite.LoadAll(ctx, db)
	if err != nil {
		return nil, err
	}
	sheets, err := sheetsOf(all, r, changes)
	if err != nil {
		return nil, err
	}
	v := &Verified{Release: r, About: all.Panel.About(), Files: files}
	for _, t := range sheets {
		for name, same := range map[string]func(*os.File) (int, error){t.name + ".csv.gz": t.sameCSV, t.name + ".parquet": t.sameParquet} {
			f, err := os.Open(filepath.Join(dir, name))
			if err != nil {
				return nil, err
			}
			rows, err := same(f)
			if f.Close(); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			v.Rows += rows
		}
	}
	return v, nil
}

// checkSums compares all files with their sums, and returns how many there are.
func checkSums(dir string) (n int, err error) {
	text, err := os.ReadFile(filepath.Join(dir, Sums))
	if err != nil {
		return 0, err
	}
	sums := map[string]string{Sums: ""}
	var errs []error
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if sums[name] = sum; !ok {
			errs = append(errs, fmt.Errorf("%s: %q is no line of it", Sums, line))
		}
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		want, listed := sums[name]
		delete(sums, name)
		n++
		switch {
		case name == Sums:
			return nil
		case !listed:
			errs = append(errs, fmt.Errorf("%s: %s does not have it", name, Sums))
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		h := sha256.New()
		if _, err = io.Copy(h, f); err == nil && fmt.Sprintf("%x", h.Sum(nil)) != want {
			errs = append(errs, fmt.Errorf("%s: it is not what %s says", name, Sums))
		}
		return err
	})
	for name := range sums {
		errs = append(errs, fmt.Errorf("%s: it is missing", name))
	}
	return n, errors.Join(append(errs, err)...)
}

// sameCSV compares a file with the table line by line.
func (t *sheet) sameCSV(f *os.File) (rows int, err error) {
	gz, err := gzip.NewReader(f)
	if err != nil {
		return 0, err
	}
	have, line := []byte(nil), 0
	err = t.writeCSV(writerFunc(func(want []byte) (int, error) {
		line++
		have = append(have[:0], want...)
		if _, err := io.ReadFull(gz, have); err != nil || !bytes.Equal(have, want) {
			return 0, fmt.Errorf("line %d is not what %s/ gives, %q", line, Panel, bytes.TrimSpace(want))
		}
		return len(want), nil
	}))
	if extra, _ := io.Copy(io.Discard, gz); err == nil && extra > 0 {
		err = fmt.Errorf("line %d: %s/ gives no more rows", line+1, Panel)
	}
	return line - 1, err
}

type writerFunc func([]byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// sameParquet compares a file with the table row by row.
func (t *sheet) sameParquet(f *os.File) (rows int, err error) {
	defer func() {
		if fault := recover(); fault != nil { // the reader's, of a file that is none
			err = fmt.Errorf("it can't be read: %v", fault)
		}
	}()
	in := parquet.NewGenericReader[any](f)
	defer in.Close()
	batch, at, n := make([]parquet.Row, batch), 0, 0
	row := parquet.Row{}
	for values := range t.rows {
		if at == n {
			at = 0
			if n, err = in.ReadRows(batch); n == 0 {
				return rows, fmt.Errorf("row %d is missing", rows+1)
			}
		}
		row = row[:0]
		for i := range values {
			row = append(row, t.parquetValue(i, &values[i]))
		}
		if rows++; !row.Equal(batch[at]) {
			return rows, fmt.Errorf("row %d is not what %s/ gives", rows, Panel)
		}
		at++
	}
	if more, _ := in.ReadRows(batch[:1]); at < n || more > 0 {
		return rows, fmt.Errorf("row %d: %s/ gives no more rows", rows+1, Panel)
	}
	return rows, nil
}
