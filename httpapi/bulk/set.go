package bulk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/panel"
)

// Set is the files of a release: each table in each format, a Data Package and the sums.
type Set struct {
	About  *About
	Tables []Table
}

// Files returns the names of the tables' files in the given formats.
func (s *Set) Files(formats ...Format) (files []string) {
	for _, t := range s.Tables {
		for _, f := range formats {
			files = append(files, t.Named()+"."+string(f))
		}
	}
	return files
}

// Write writes the file of a name. A Data Package needs the sums of the tables' files, and the
// list of sums that of the Data Package too.
func (s *Set) Write(w io.Writer, file string, sums []Sum) error {
	switch file {
	case Descriptor:
		return writeDescriptor(w, s.About, s.Tables, sums)
	case Sums:
		return writeSums(w, sums)
	}
	name, format, _ := strings.Cut(file, ".")
	i := slices.IndexFunc(s.Tables, func(t Table) bool { return t.Named() == name })
	return s.Tables[i].Write(w, Format(format), s.About)
}

// WriteDir writes the files in the given formats, a Data Package and the sums into a folder,
// which must not exist or be empty. A failed WriteDir leaves nothing behind.
func (s *Set) WriteDir(dir string, formats ...Format) (err error) {
	made := false
	if err := os.Mkdir(dir, 0o777); err == nil {
		made = true
	} else if entries, failed := os.ReadDir(dir); failed != nil {
		return err
	} else if len(entries) > 0 {
		return errors.New(dir + " is not empty; name a new folder")
	}
	var sums []Sum
	files := append(s.Files(formats...), Descriptor, Sums)
	defer func() {
		if err == nil {
			return
		}
		for _, file := range files {
			os.Remove(filepath.Join(dir, file)) //nolint:errcheck // err has the reason
		}
		if made {
			os.Remove(dir) //nolint:errcheck // err has the reason
		}
	}()
	for _, file := range files {
		out, err := os.OpenFile(filepath.Join(dir, file), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
		if err != nil {
			return err
		}
		if err = s.Write(out, file, sums); err == nil {
			_, err = out.Seek(0, io.SeekStart)
		}
		var sum Sum
		if err == nil {
			sum, err = SumOf(file, out)
		}
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
		sums = append(sums, sum)
	}
	return nil
}

// About says what the files of a release are.
type About struct {
	Release  string    // the name in addresses
	Snapshot string    // hash of the snapshot
	Created  time.Time // when it was released or, without a release log, observed last
	Gate     string    // version of the gate
	Method   string    // version of the method
	Words    *panel.About
}

// metadata returns the pairs that a Parquet file bears.
func (a *About) metadata() [][2]string {
	pairs := [][2]string{
		{"larder.release", a.Release}, {"larder.snapshot", a.Snapshot}, {"larder.gate_version", a.Gate}, {"larder.method_version", a.Method},
		{"larder.source", a.Words.SourceLabel()}, {"larder.licence", a.Words.Terms()},
	}
	if notice := a.Words.Notice(); notice != "" {
		pairs = append(pairs, [2]string{"larder.notice", notice})
	}
	return pairs
}
