package remote

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/larder-index/larder/panel/onefile"
)

// mark holds what the server sent with a file. It is kept beside the copy, and beside a part
// of a download.
type mark struct {
	Address  string `json:"address"` // without user, password and query
	ETag     string `json:"etag"`
	Modified string `json:"modified"`
}

func (f *File) part() string { return f.path + ".part" }

func markOf(path string) string { return path + ".fetched.json" }

// readMark returns the mark of the file at path. It is empty if the file is not there, or comes
// from another address.
func (f *File) readMark(path string) (m mark) {
	if _, err := os.Stat(path); err != nil {
		return mark{}
	}
	text, err := os.ReadFile(markOf(path))
	if err != nil || json.Unmarshal(text, &m) != nil || m.Address != f.status.Address {
		return mark{}
	}
	return m
}

func (f *File) writeMark(path string, m mark) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	draft := markOf(path) + ".tmp"
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return onefile.Replace(draft, markOf(path))
}

// resumable returns how many bytes of a part are there that a fetch may go on from. The part
// needs a strong ETag.
func (f *File) resumable(part mark) int64 {
	info, err := os.Stat(f.part())
	if err != nil || part.ETag == "" || strings.HasPrefix(part.ETag, "W/") {
		return 0
	}
	return info.Size()
}

func (f *File) removePart() error { return remove(f.part(), markOf(f.part())) }

func remove(paths ...string) (err error) {
	for _, path := range paths {
		if failed := os.Remove(path); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// keep puts the part, which is whole and checked, in the place of the copy. Whenever it is
// killed, the mark belongs to the copy or there is none.
func (f *File) keep(m mark) error {
	put := onefile.Replace
	if f.Keep != nil && f.Keep() {
		put = onefile.ReplaceKeeping
	}
	if err := remove(markOf(f.path)); err != nil {
		return err
	}
	if err := put(f.part(), f.path); err != nil {
		return err
	}
	return errors.Join(f.writeMark(f.path, m), remove(markOf(f.part())))
}

// DropDamaged removes a copy that Check refuses, so that it is fetched again. It reports whether a
// good copy is there.
func (f *File) DropDamaged(ctx context.Context) (kept bool, err error) {
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err := f.Check(ctx, f.path); err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		return false, errors.Join(err, remove(markOf(f.path), f.path))
	}
	return true, nil
}
