package csvdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Dir is a panel directory whose files have the columns they need. All required
// files are there, or observations.csv alone of them, or none.
type Dir struct {
	path    string
	files   map[string]string // file name by table
	size    int64
	missing []error // the required files that others come without
}

// FileError is a fault of a whole file. No row of the file can be used.
type FileError struct {
	File string // its name in the folder
	Line int    // 0: no line in particular
	Err  error
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err)
}

func (e *FileError) Unwrap() error { return e.Err }

var errUnknown = errors.New("unknown CSV file")

const namedFiles = 3 // unknown ones in an error

// Open looks at a panel directory: which files it has, and their header rows.
// It reports everything that is wrong with those at once. Of the required files
// observations.csv may be there alone, and files that may be missing need no others: see Complete.
func Open(path string) (*Dir, error) { return open(path, false) }

// OpenPart is Open, and any of the files may be there.
func OpenPart(path string) (*Dir, error) { return open(path, true) }

func open(path string, part bool) (*Dir, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("csvdir: no folder %s", path)
		}
		return nil, fmt.Errorf("csvdir: %w", err)
	}
	d := &Dir{path: path, files: map[string]string{}}
	var errs []error
	var unknown []string
	for _, e := range entries {
		if err := d.add(e); errors.Is(err, errUnknown) {
			unknown = append(unknown, e.Name())
		} else if err != nil {
			errs = append(errs, err)
		}
	}
	if n := len(unknown); n > namedFiles {
		unknown = append(unknown[:namedFiles], fmt.Sprintf("%d more", n-namedFiles))
	}
	if unknown != nil {
		errs = append(errs, &FileError{
			File: strings.Join(unknown, ", "),
			Err:  fmt.Errorf("%w; a panel directory has %s", errUnknown, tableNames()),
		})
	}
	required := 0 // files that are there
	for _, t := range tables {
		name, there := d.files[t.FileName()]
		switch {
		case there:
			if err := d.checkHeader(name, t.checkHeader); err != nil {
				errs = append(errs, err)
			}
			if t.required() {
				required++
			}
		case t.required():
			d.missing = append(d.missing, &FileError{
				File: t.FileName(), Err: fmt.Errorf("the file is missing (as %[1]s or %[1]s.gz)", t.FileName()),
			})
		}
	}
	if !part && (!d.Has(Observations) && required > 0 || required > 1) || len(d.files) == 0 {
		errs = append(errs, d.missing...)
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("csvdir: %s is no panel directory: %w", path, errors.Join(errs...))
	}
	return d, nil
}

// Complete returns an error if files came without those that their rows refer to. Such a folder
// goes into a snapshot that has those rows.
func (d *Dir) Complete() error {
	if len(d.missing) == 0 {
		return nil
	}
	name, there := d.files[Observations.FileName()]
	if !there {
		name = strings.Join(slices.Sorted(maps.Values(d.files)), ", ")
	}
	return fmt.Errorf("csvdir: %s has %s without the files that its rows refer to, and a new snapshot needs them: %w",
		d.path, name, errors.Join(d.missing...))
}

// add notes a file of the folder if it is a table's.
func (d *Dir) add(e fs.DirEntry) error {
	name := e.Name()
	if t := alike(name); t != "" && name != t && name != t+".gz" {
		return &FileError{File: name, Err: fmt.Errorf(
			"a file of this name is not read; name it %[1]s or %[1]s.gz, or take it out of the folder", t)}
	}
	plain := strings.TrimSuffix(name, ".gz")
	if !strings.HasSuffix(plain, ".csv") || strings.HasPrefix(name, ".") || name == "mapping.csv" { // of other files
		return nil
	}
	if !slices.ContainsFunc(tables, func(t table) bool { return t.FileName() == plain }) {
		return errUnknown
	}
	if other, twice := d.files[plain]; twice {
		return &FileError{File: name, Err: fmt.Errorf("%s is there too; keep one of them", other)}
	}
	d.files[plain] = name
	info, err := os.Stat(filepath.Join(d.path, name))
	if err != nil {
		return &FileError{File: name, Err: err}
	}
	d.size += info.Size()
	return nil
}

// alike returns the file name that a name begins with, in capital or small
// letters, or the empty string. Such a file was meant to be read.
func alike(name string) string {
	for _, t := range tables {
		if want := t.FileName(); len(name) >= len(want) && strings.EqualFold(name[:len(want)], want) {
			return want
		}
	}
	return ""
}

func tableNames() string {
	var names []string
	for _, t := range tables {
		names = append(names, t.FileName())
	}
	return strings.Join(names, ", ")
}

func (d *Dir) checkHeader(name string, check func([]string) error) error {
	f, err := openFile(d.path, name)
	if err != nil {
		return err
	}
	defer f.Close()
	return readHeader(newSplitter(f), name, check)
}

// Has reports whether the folder has the file of a table, such as csvdir.Words.
func (d *Dir) Has(t interface{ FileName() string }) bool {
	_, there := d.files[t.FileName()]
	return there
}

// Size returns how many bytes all its tables have on disk.
func (d *Dir) Size() int64 { return d.size }

func readHeader(s *splitter, name string, take func([]string) error) error {
	if s.utf16() {
		return &FileError{File: name, Err: errors.New("the file is UTF-16 text; save it as UTF-8")}
	}
	if !s.scan() {
		if s.err != nil {
			return readError(name, s)
		}
		return &FileError{name, 1, errors.New("the header row is missing")}
	}
	if err := otherCSV(s.text); err != nil {
		return &FileError{name, s.line, err}
	}
	if s.problem != "" {
		return &FileError{name, s.line, errors.New(s.problem)}
	}
	if err := take(s.cells); err != nil {
		return &FileError{name, s.line, err}
	}
	return nil
}

// otherCSV reports a header row of another kind of CSV than is read here.
func otherCSV(header string) error {
	separator := strings.IndexAny(header, ";\t")
	switch {
	case strings.Contains(strings.TrimSuffix(header, "\r"), "\r"):
		return errors.New("the lines end in a carriage return (CR) alone; save the file with LF or CRLF line ends")
	case separator < 0 || strings.Contains(header, ","):
		return nil
	case header[separator] == ';':
		return errors.New("the columns are separated by semicolons; save the file with commas between them")
	}
	return errors.New("the columns are separated by tabs; save the file with commas between them")
}

func readError(name string, s *splitter) error {
	err := s.err
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the compressed data end too early; make the file again")
	}
	return &FileError{name, s.line, err}
}

// file reads a table's file, decompressed.
type file struct {
	io.Reader
	f *os.File
}

func openFile(dir, name string) (*file, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, &FileError{File: name, Err: err}
	}
	r := &file{f, f}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, &FileError{File: name, Err: errors.New("it is a folder, not a file")}
	}
	if strings.HasSuffix(name, ".gz") {
		if r.Reader, err = gzip.NewReader(f); err != nil {
			f.Close()
			return nil, &FileError{File: name, Err: fmt.Errorf("not gzip data: %w", err)}
		}
	}
	return r, nil
}

func (r *file) Close() error { return r.f.Close() }
