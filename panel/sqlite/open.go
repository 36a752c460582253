package sqlite

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/larder-index/larder/internal/atomicfile"
)

// The errors of snapshots and imports.
var (
	// By a strict import of a folder with a bad row.
	ErrRejected = errors.New("rows were rejected")
	// By a second import into a snapshot, or change of its quarantine entries.
	ErrBusy = errors.New("another import or change of this snapshot is running")
	// Of a file that is no snapshot at all.
	ErrNotSnapshot = errors.New("not a Larder snapshot")
	// Of a snapshot with another schema version.
	ErrVersion = errors.New("the snapshot has another schema version")
	// Of a snapshot that is not byte for byte as it was published.
	ErrChanged = errors.New("changed since it was published")
	// Where another program's write-ahead log or journal lies beside the snapshot.
	ErrLeftover = errors.New("another program opened the snapshot for writing")
)

//go:embed schema.sql
var schema string

const applicationID = 0x4C524452 // "LRDR", as schema.sql sets it

// SchemaVersion is the version of the schema that this package reads and writes.
const SchemaVersion = 8

// The places in SQLite's file header that tell a snapshot from other files.
const (
	headerSize      = 100
	atPageSize      = 16
	atPageCount     = 28
	atUserVersion   = 60
	atApplicationID = 68
)

const remake = "import the panel directory again into a new file"

// snapshot is an open snapshot: the file itself, for checking the seal, and two
// connections that are known to read the very same content.
type snapshot struct {
	path string
	file *os.File
	conn *conn
	next *conn // a second one, for reading rows
}

// openSnapshot opens a snapshot for reading. It checks all but the seal, which
// verify does.
func openSnapshot(path string) (s *snapshot, err error) {
	// If the file is replaced meanwhile, both handles are opened again.
	for range 5 {
		if s, err = tryOpen(path); !errors.Is(err, errReplaced) {
			break
		}
	}
	return s, err
}

var errReplaced = errors.New("it is being replaced too often")

func tryOpen(path string) (*snapshot, error) {
	s := &snapshot{path: path}
	fail := func(err error, hint string) (*snapshot, error) {
		s.close()
		return nil, atomicfile.Fail("open snapshot", path, err, hint)
	}
	var err error
	// An open that blocks would wait for a writer of a FIFO for ever.
	if s.file, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return fail(os.ErrNotExist, "")
		}
		return fail(atomicfile.Bare(err), "")
	}
	if hint, err := checkHeader(s.file); err != nil {
		return fail(err, hint)
	}
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(path + suffix); err == nil {
			return fail(fmt.Errorf("%w: %s%s lies beside it", ErrLeftover, path, suffix),
				"end that program and remove the file; snapshots are opened read-only, with immutable=1")
		}
	}
	for _, c := range []**conn{&s.conn, &s.next} {
		if *c, err = open(path, readOnly); err != nil {
			return fail(fmt.Errorf("%w: %w", ErrChanged, err), remake)
		}
	}
	if !s.sameFile() {
		return fail(errReplaced, "try again")
	}
	return s, nil
}

// sameFile reports whether the path still leads to the open file: if it does,
// the connections, opened in between, read that file too.
func (s *snapshot) sameFile() bool {
	a, err1 := s.file.Stat()
	b, err2 := os.Stat(s.path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// verify reads the whole file and checks that it is as it was published.
func (s *snapshot) verify() (hash string, err error) {
	hash, err = checkSeal(s.file)
	if err != nil {
		return "", atomicfile.Fail("open snapshot", s.path, fmt.Errorf("%w: %w", ErrChanged, err), remake)
	}
	return hash, nil
}

// openWhole opens a snapshot and checks the seal, and the settings, on which every number rests.
func openWhole(path string) (*snapshot, error) {
	s, err := openSnapshot(path)
	if err != nil {
		return nil, err
	}
	if _, err = s.verify(); err == nil {
		if _, _, bad := readSettings(s.conn); bad != nil {
			err = atomicfile.Fail("open snapshot", path, bad, remake)
		}
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *snapshot) close() {
	for _, c := range []*conn{s.conn, s.next} {
		if c != nil {
			c.close()
		}
	}
	s.file.Close() // nothing if it was not opened
}

// checkHeader checks the start of the file before SQLite opens it. With an error
// comes a hint for the user.
func checkHeader(f *os.File) (hint string, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	refused := func(kind error, hint, format string, a ...any) (string, error) {
		return hint, fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, a...))
	}
	switch {
	case info.IsDir():
		return refused(ErrNotSnapshot, "give the snapshot's file", "it is a folder")
	case !info.Mode().IsRegular():
		return refused(ErrNotSnapshot, "give the snapshot's file", "it is no regular file")
	case info.Size() == 0:
		return refused(ErrNotSnapshot, "remove it, then "+remake, "the file is empty")
	}
	h := make([]byte, headerSize)
	if _, err := f.ReadAt(h, 0); err != nil && err != io.EOF {
		return "", err
	}
	id, version := binary.BigEndian.Uint32(h[atApplicationID:]), int32(binary.BigEndian.Uint32(h[atUserVersion:]))
	want := pagesSize(h) + sealSize
	const again = "import the panel directory again with this version of larder"
	const format = "it has %d, this larder reads %d"
	switch {
	case info.Size() < headerSize || string(h[:16]) != "SQLite format 3\x00":
		return refused(ErrNotSnapshot, "", "it is no SQLite file")
	case id != applicationID:
		const format = "its application_id is %#08x, not %#08x"
		return refused(ErrNotSnapshot, "give a snapshot's file", format, id, uint32(applicationID))
	case version > SchemaVersion:
		return refused(ErrVersion, "use a newer larder, or "+again, format, version, SchemaVersion)
	case version < SchemaVersion:
		return refused(ErrVersion, again, format, version, SchemaVersion)
	case info.Size() < want:
		return refused(ErrChanged, "copy it again, or "+remake, "it is cut off, with %d of %d bytes", info.Size(), want)
	}
	return "", nil
}
