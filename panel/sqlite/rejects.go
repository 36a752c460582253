package sqlite

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/larder-index/larder/internal/atomicfile"
	"github.com/larder-index/larder/panel/csvdir"
)

// rejectsFile is the file of an import's rejects. It is written when all are known.
type rejectsFile struct {
	path string
	db   string     // the snapshot, of which the file has the mode and owners: rejects hold rows like its own
	rows [][]string // of the file
	more int        // the rejects that the last row counts
}

// maxRejects bounds the rejects that a file lists. Its last lines count the others.
const maxRejects = 10_000

var rejectsHeader = []string{"file", "line", "reason", "text"}

// check refuses a path with any file but the rejects file of an earlier run.
func (f *rejectsFile) check() error {
	refused := func(why string) error {
		return atomicfile.Fail("write rejects to", f.path, errors.New(why), "name another file")
	}
	if f.path == f.db {
		return refused("it is the snapshot")
	}
	old, err := os.ReadFile(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return atomicfile.Fail("write rejects to", f.path, atomicfile.Bare(err), "")
	case !strings.HasPrefix(string(old), strings.Join(rejectsHeader, ",")+"\n"):
		return refused("the file is there already and holds no rejects")
	}
	return nil
}

func (f *rejectsFile) add(r *csvdir.Reject) {
	if len(f.rows) < maxRejects {
		f.rows = append(f.rows, []string{r.File, strconv.Itoa(r.Line), r.Reason, r.Text})
		return
	}
	if f.more == 0 || f.rows[len(f.rows)-1][0] != r.File {
		f.rows, f.more = append(f.rows, []string{r.File, "", "", ""}), 0
	}
	f.more++
	f.rows[len(f.rows)-1][2] = fmt.Sprintf("%d more rows were rejected; mend those above and import again", f.more)
}

// publish puts the file in its place; without rejects it removes the one of an
// earlier run.
func (f *rejectsFile) publish() (err error) {
	if len(f.rows) == 0 {
		if err = os.Remove(f.path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else if err = atomicfile.Write(f.path, atomicfile.DraftMode(f.db), f.write); err == nil {
		err = atomicfile.Keep(f.path, f.db)
	}
	if err != nil {
		return fmt.Errorf("sqlite: rejects: %w", err)
	}
	return nil
}

func (f *rejectsFile) write(to io.Writer) error {
	w := csv.NewWriter(to)
	return errors.Join(w.Write(rejectsHeader), w.WriteAll(f.rows))
}
