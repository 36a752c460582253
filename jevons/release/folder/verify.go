package folder

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/shrink"
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
	leaf, err1 := os.ReadFile(filepath.Join(dir, Leaf))
	proof, err2 := os.ReadFile(filepath.Join(dir, Proof))
	checkpoint, err3 := os.ReadFile(filepath.Join(dir, Checkpoint))
	if err := cmp.Or(err1, err2, err3); err != nil {
		return nil, err
	}
	if err := releaselog.CheckProof(leaf, string(proof), string(checkpoint), verifier); err != nil {
		return nil, fmt.Errorf("%s: %w", Checkpoint, err)
	}
	r, changes, err := releaselog.ReadLeaf(leaf)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Leaf, err)
	}
	scratch, err := os.MkdirTemp("", "larder-verify-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	db := filepath.Join(scratch, "larder.db")
	o := sqlite.ImportOptions{Strict: true, Now: r.At, Detect: shrink.Detect}
	if _, err := sqlite.Import(ctx, filepath.Join(dir, Panel), db, o); err != nil {
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
	var g errgroup.Group
	var rows atomic.Int64
	compare := func(name string, same func(*os.File) (int, error)) {
		g.Go(func() error {
			f, err := os.Open(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			defer f.Close()
			n, err := same(f)
			rows.Add(int64(n))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	for _, t := range sheets {
		compare(t.name+".csv.gz", t.sameCSV)
		compare(t.name+".parquet", t.sameParquet)
	}
	err = g.Wait()
	return &Verified{r, all.Panel.About(), files, int(rows.Load())}, err
}

// checkSums compares all files with their sums, and returns how many there are.
func checkSums(dir string) (files int, err error) {
	have := map[string]string{}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		name, _ := filepath.Rel(dir, path)
		h := sha256.New()
		_, err = io.Copy(h, f)
		have[filepath.ToSlash(name)] = hex.EncodeToString(h.Sum(nil))
		return err
	})
	text, err1 := os.ReadFile(filepath.Join(dir, Sums))
	if err := cmp.Or(err, err1); err != nil {
		return 0, err
	}
	files = len(have)
	delete(have, Sums)
	var errs []error
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if have[name] != sum {
			errs = append(errs, fmt.Errorf("%s: it is missing, or not what %s says", name, Sums))
		}
		delete(have, name)
	}
	for name := range have {
		errs = append(errs, fmt.Errorf("%s: %s does not have it", name, Sums))
	}
	return files, errors.Join(errs...)
}

// sameCSV compares a file with the table line by line.
func (t *sheet) sameCSV(f *os.File) (rows int, err error) {
	gz, err := gzip.NewReader(f)
	if err != nil {
		return 0, err
	}
	in, n := bufio.NewReader(gz), 0
	var have []byte
	for line := range t.lines {
		n++
		have = append(have[:0], line...)
		if _, err := io.ReadFull(in, have); err != nil || !bytes.Equal(have, line) {
			return n - 1, fmt.Errorf("line %d is not what %s/ gives, %q", n, Panel, bytes.TrimSpace(line))
		}
	}
	if more, _ := io.Copy(io.Discard, in); more > 0 {
		err = fmt.Errorf("line %d: %s/ gives no more rows", n+1, Panel)
	}
	return n - 1, err // the columns are no row
}

// sameParquet compares a file with the table row by row.
func (t *sheet) sameParquet(f *os.File) (rows int, err error) {
	defer func() {
		if fault := recover(); fault != nil { // the reader panics on a file that is no Parquet
			err = fmt.Errorf("it can't be read: %v", fault)
		}
	}()
	in := parquet.NewGenericReader[any](f)
	defer in.Close()
	have, row := make([]parquet.Row, batch), parquet.Row{}
	n, at := 0, 0
	for values := range t.rows {
		if at == n {
			n, _ = in.ReadRows(have)
			at = 0
		}
		rows++
		row = t.appendRow(row[:0], values)
		if at == n || !row.Equal(have[at]) {
			return rows, fmt.Errorf("row %d is not what %s/ gives", rows, Panel)
		}
		at++
	}
	if more, _ := in.ReadRows(have[:1]); at < n || more > 0 {
		return rows, fmt.Errorf("row %d: %s/ gives no more rows", rows+1, Panel)
	}
	return rows, nil
}
