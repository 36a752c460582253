package bulk

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/csvdir"
)

// Set is the tables of a release.
type Set struct {
	About  *About
	Tables []Table
}

// About says what the files of a release are.
type About struct {
	Release  string    // the name in addresses
	Snapshot string    // hash of the snapshot
	Created  time.Time // when it was released or, without a release log, observed last
	Words    *panel.About
}

// WriteDir writes a file of each table in each format, a Data Package and the sums into a folder,
// which must not exist or be empty. A failed WriteDir leaves nothing behind.
func (s *Set) WriteDir(dir string, formats ...Format) error {
	return csvdir.WriteDir(dir, func(out *csvdir.Writer) error {
		var resources []object
		var sums []byte
		for _, t := range s.Tables {
			for _, f := range formats {
				write := t.writeParquet
				if f == CSV {
					write = t.writeCSV
				}
				size, sum, err := writeFile(out.Path(t.file(f)), func(w io.Writer) error { return write(w, s.About) })
				if err != nil {
					return err
				}
				resources = append(resources, t.resource(s.About, f, size, sum))
				sums = fmt.Appendf(sums, "%s  %s\n", sum, t.file(f))
			}
		}
		_, sum, err := writeFile(out.Path(Descriptor), func(w io.Writer) error { return s.About.writeDescriptor(w, resources) })
		if err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%s  %s\n", sum, Descriptor)
		_, _, err = writeFile(out.Path(Sums), func(w io.Writer) error { _, err := w.Write(sums); return err })
		return err
	})
}

// writeCSV writes a header and a line for each row. The values are those of JSON bodies; null
// is the empty cell.
func (t *Table) writeCSV(w io.Writer, _ *About) error {
	gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	var line []byte
	for i := range t.Columns {
		line = append(append(line, t.Columns[i].Name...), ',')
	}
	for values := range t.Rows {
		line[len(line)-1] = '\n'
		if _, err := gz.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for i, v := range values {
			line = append(v.AppendCell(line, t.Columns[i].Type, t.Columns[i].Decimals), ',')
		}
	}
	line[len(line)-1] = '\n'
	gz.Write(line) //nolint:errcheck // Close has its error
	return gz.Close()
}

// writeFile writes a file to disk and returns its length and its sum.
func writeFile(path string, write func(io.Writer) error) (size int64, sum string, err error) {
	out, err := os.Create(path)
	if err != nil {
		return 0, "", err
	}
	h := sha256.New()
	w := bufio.NewWriterSize(io.MultiWriter(out, h), 1<<20)
	err = errors.Join(write(w), w.Flush(), out.Sync())
	size, failed := out.Seek(0, io.SeekCurrent)
	return size, hex.EncodeToString(h.Sum(nil)), errors.Join(err, failed, out.Close())
}
