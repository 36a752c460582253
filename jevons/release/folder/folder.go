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
	"github.com/parquet-go/parquet-go"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/jevons"
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
	leaf, err1 := r.Text()
	proof, err2 := l.Proof(r.Number)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	_, changes, err := releaselog.ReadLeaf(leaf)
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
			size, sum := b.file(t.name+".csv.gz", gzipped(t.writeCSV))
			b.resources = append(b.resources, t.resource(b.about, "csv", size, sum))
			size, sum = b.file(t.name+".parquet", func(w io.Writer) error { return t.writeParquet(w, b.about) })
			b.resources = append(b.resources, t.resource(b.about, "parquet", size, sum))
		}
		b.file(Descriptor, copied(b.about.descriptor(b.resources)))
		b.file(Leaf, copied(leaf))
		b.file(Proof, copied([]byte(proof)))
		b.file(Checkpoint, copied([]byte(r.Checkpoint)))
		b.file(Sums, copied(b.sums))
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

func copied(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

func gzipped(fill func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
		return errors.Join(fill(gz), gz.Close())
	}
}

// panel writes the panel directory.
func (b *builder) panel(ctx context.Context, live string) {
	plain := b.out.Path(".panel")
	defer os.RemoveAll(plain)
	b.err = cmp.Or(sqlite.Export(ctx, live, plain), os.Mkdir(b.out.Path(Panel), 0o755))
	files, _ := filepath.Glob(filepath.Join(plain, "*.csv"))
	slices.Sort(files)
	for _, name := range files {
		b.file(filepath.Join(Panel, filepath.Base(name)+".gz"), gzipped(func(w io.Writer) error {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}))
	}
}

func (t *sheet) writeCSV(w io.Writer) error {
	for line := range t.lines {
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

const (
	batch   = 1024    // rows are gathered before their columns are encoded
	inGroup = 1 << 20 // rows at most are in a row group, which the writer has in memory
)

// writeParquet writes the rows as Parquet: packed by Snappy, texts by dictionary. The weeks of a
// quarter of a year are a row group: a column of ten years is read in forty pieces.
func (t *sheet) writeParquet(w io.Writer, about *about) error {
	out := parquet.NewGenericWriter[any](w, t.parquetOptions(about)...)
	week := slices.IndexFunc(t.fields, func(f field) bool { return f.name == t.week })
	quarter, grouped := 0, 0
	rows := make([]parquet.Row, 0, batch)
	for values := range t.rows {
		q := 0
		if week >= 0 {
			y, m, _ := panel.Date(values[week].Int).Time(time.UTC).Date()
			q = 4*y + int(m-1)/3
		}
		ended := grouped == inGroup || q != quarter
		if ended || len(rows) == batch {
			if _, err := out.WriteRows(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
		if ended {
			if err := out.Flush(); err != nil {
				return err
			}
			grouped = 0
		}
		quarter = q
		grouped++
		rows = rows[:len(rows)+1]
		rows[len(rows)-1] = t.appendRow(rows[len(rows)-1][:0], values)
	}
	_, err := out.WriteRows(rows)
	return errors.Join(err, out.Close())
}

func (t *sheet) parquetOptions(about *about) []parquet.WriterOption {
	var sorting []parquet.SortingColumn
	for _, name := range t.sorted {
		sorting = append(sorting, parquet.NullsFirst(parquet.Ascending(name)))
	}
	options := []parquet.WriterOption{
		t.parquetSchema(), parquet.Compression(&parquet.Snappy), parquet.CreatedBy("larder", jevons.MethodVersion, ""),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	}
	for _, x := range [][2]string{
		{"release", about.ID()}, {"snapshot", about.Snapshot}, {"gate_version", about.Gate},
		{"method_version", about.Method}, {"source", about.words.SourceLabel()}, {"licence", about.words.Terms()},
		{"notice", about.words.Notice()},
	} {
		if x[1] != "" {
			options = append(options, parquet.KeyValueMetadata("larder."+x[0], x[1]))
		}
	}
	return options
}
