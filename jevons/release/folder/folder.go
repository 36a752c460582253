// Package folder writes a release as a folder of files that never change, and verifies such a folder: the panel that
// the release was computed from, the published tables as Parquet and gzipped CSV, a Data Package that describes
// them, and what the release log proves. Any web server or object store can serve it.
//
//	DIR/latest.json   names the newest release; it is renamed into place last
//	DIR/r12/panel/    what larder import reads
//	DIR/r12/          index, coverage, revisions, prices, products and shrinkflation, each .csv.gz and .parquet
//	DIR/r12/          datapackage.json, leaf, proof, checkpoint, SHA256SUMS
//
// The same release gives the same tables, row for row.
package folder

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/internal/atomicfile"
	releaselog "github.com/larder-index/larder/jevons/release/log"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
	"github.com/larder-index/larder/panel/sqlite"
)

// Names of files of a folder.
const (
	Latest     = "latest.json" // beside the folders
	Descriptor = "datapackage.json"
	Sums       = "SHA256SUMS" // read by sha256sum --check
	Leaf       = "leaf"       // the canonical bytes of the release
	Proof      = "proof"      // that the leaf is in the checkpoint's tree: hashes, a line each
	Checkpoint = "checkpoint"
	Panel      = "panel" // a folder
)

// Newest is the content of latest.json.
type Newest struct {
	Release  string    `json:"release"`
	At       time.Time `json:"released_at"`
	Snapshot string    `json:"snapshot"`
	Path     string    `json:"path"` // of the folder, from latest.json
}

// about says what the tables are of.
type about struct {
	*releaselog.Release
	words *panel.About
}

// Publish writes the newest release of a log, whose snapshot is in service as live, into a folder of its id under
// dir. A folder that is there stays as it is. It returns the folder's path.
func Publish(ctx context.Context, dir, live, log string) (path string, err error) {
	l, err := releaselog.Open(log)
	if err != nil {
		return "", err
	}
	releases := l.Releases()
	r := &releases[len(releases)-1]
	path = filepath.Join(dir, r.ID())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("publish: %w", atomicfile.Bare(err))
	}
	if _, err := os.Stat(filepath.Join(path, Sums)); errors.Is(err, fs.ErrNotExist) {
		if err := write(ctx, path, live, l, r); err != nil {
			return "", err
		}
	}
	return path, atomicfile.Write(filepath.Join(dir, Latest), 0o644, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(Newest{r.ID(), r.At, r.Snapshot, r.ID() + "/"})
	})
}

func write(ctx context.Context, path, live string, l *releaselog.Log, r *releaselog.Release) error {
	all, err := sqlite.LoadAll(ctx, live)
	if err != nil {
		return err
	}
	if all.Info.Hash != r.Snapshot {
		return fmt.Errorf("publish: %s is not the snapshot of release %s, %s", live, r.ID(), r.Snapshot)
	}
	text, err := r.Text()
	if err != nil {
		return err
	}
	proof, err := l.Proof(r.Number)
	if err != nil {
		return err
	}
	_, changes, err := releaselog.ReadLeaf(text)
	if err != nil {
		return err
	}
	sheets, err := sheetsOf(all, r, changes)
	if err != nil {
		return err
	}
	return csvdir.WriteDir(path, func(out *csvdir.Writer) error {
		b := &builder{out: out, about: &about{r, all.Panel.About()}}
		b.panel(ctx, live)
		for _, t := range sheets {
			b.table(t)
		}
		b.text(Descriptor, b.about.descriptor(b.resources))
		b.text(Leaf, text)
		b.text(Proof, []byte(proof))
		b.text(Checkpoint, []byte(r.Checkpoint))
		b.text(Sums, b.sums)
		return b.err
	})
}

// builder writes the files of a folder. Its first error ends it.
type builder struct {
	out       *csvdir.Writer
	about     *about
	resources []object
	sums      []byte
	err       error
}

// file writes a file to disk and returns its length and its sum.
func (b *builder) file(name string, fill func(io.Writer) error) (size int64, sum string) {
	if b.err != nil {
		return 0, ""
	}
	f, err := os.Create(b.out.Path(name))
	if err != nil {
		b.err = err
		return 0, ""
	}
	h := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(f, h), 1<<20)
	err = errors.Join(fill(w), w.Flush(), f.Sync())
	size, failed := f.Seek(0, io.SeekCurrent)
	b.err = errors.Join(err, failed, f.Close())
	sum = hex.EncodeToString(h.Sum(nil))
	b.sums = fmt.Appendf(b.sums, "%s  %s\n", sum, filepath.ToSlash(name))
	return size, sum
}

func (b *builder) text(name string, text []byte) {
	b.file(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// panel writes the panel directory.
func (b *builder) panel(ctx context.Context, live string) {
	plain := b.out.Path(".panel")
	defer os.RemoveAll(plain)
	b.err = cmp.Or(sqlite.Export(ctx, live, plain), os.Mkdir(b.out.Path(Panel), 0o755))
	files, _ := filepath.Glob(filepath.Join(plain, "*.csv"))
	slices.Sort(files)
	for _, name := range files {
		b.file(filepath.Join(Panel, filepath.Base(name)+".gz"), func(w io.Writer) error {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			return gzipped(w, func(gz io.Writer) error {
				_, err := io.Copy(gz, f)
				return err
			})
		})
	}
}

// table writes a table as both kinds of files.
func (b *builder) table(t *sheet) {
	size, sum := b.file(t.name+".csv.gz", func(w io.Writer) error { return gzipped(w, t.writeCSV) })
	b.resources = append(b.resources, t.resource(b.about, "csv", size, sum))
	size, sum = b.file(t.name+".parquet", func(w io.Writer) error { return t.writeParquet(w, b.about) })
	b.resources = append(b.resources, t.resource(b.about, "parquet", size, sum))
}

func gzipped(w io.Writer, fill func(io.Writer) error) error {
	gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	return errors.Join(fill(gz), gz.Close())
}

// writeCSV writes a header and a line for each row. The values are those of JSON bodies; null is the empty cell.
func (t *sheet) writeCSV(w io.Writer) error {
	var line []byte
	for i := range t.fields {
		line = append(append(line, t.fields[i].name...), ',')
	}
	line[len(line)-1] = '\n'
	if _, err := w.Write(line); err != nil {
		return err
	}
	for values := range t.rows {
		line = line[:0]
		for i, v := range values {
			line = append(v.AppendCell(line, t.fields[i].kind, t.fields[i].decimals), ',')
		}
		line[len(line)-1] = '\n'
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
