package bulk

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/internal/atomicfile"
)

// Folder keeps files that were made, in a folder for each release. It makes one file at a time.
// It is safe for concurrent use, also by several processes.
type Folder struct {
	Dir string           // made when the first file is
	Now func() time.Time // the clock of log lines
	Log *slog.Logger

	making sync.Mutex
}

// maxReleases is how many releases have files in a Folder. The one used longest ago goes first.
const maxReleases = 4

// unfinished ends the names of files that are being made. One that is older than an hour is
// left of a process that was killed.
const unfinished = ".tmp"

// prefix begins the names of folders of releases. Others in Dir are left alone.
const prefix = "larder-bulk-"

func (f *Folder) of(release string) string { return filepath.Join(f.Dir, prefix+release) }

// open opens a file of a release. If it is not there, make writes it. All that ask meanwhile
// wait for the same file.
func (f *Folder) open(ctx context.Context, release, name string, make func(io.Writer) error) (*os.File, error) {
	f.making.Lock()
	defer f.making.Unlock()
	file, err := f.find(release, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if err := cmp.Or(ctx.Err(), f.make(release, name, make)); err != nil {
		return nil, err
	}
	return f.find(release, name)
}

// find opens a file that is there. The error is fs.ErrNotExist for another.
func (f *Folder) find(release, name string) (*os.File, error) {
	file, err := os.Open(filepath.Join(f.of(release), name))
	if err == nil {
		now := time.Now()                   // of the file system, which other processes see too
		os.Chtimes(f.of(release), now, now) //nolint:errcheck // the release may go a little early
	}
	return file, err
}

// make makes a file and puts it in its place once it is whole and on disk.
func (f *Folder) make(release, name string, write func(io.Writer) error) (err error) {
	dir := f.of(release)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f.removeOld(release)
	out, err := os.CreateTemp(dir, name+".*"+unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(out, 1<<20)
	err = cmp.Or(write(buffered), buffered.Flush(), out.Sync())
	if err = cmp.Or(err, out.Close()); err != nil {
		return err
	}
	return atomicfile.Replace(out.Name(), filepath.Join(dir, name))
}

// removeOld removes the files of the releases used longest ago, but for the named one's, and
// unfinished files.
func (f *Folder) removeOld(release string) {
	entries, _ := os.ReadDir(f.Dir) // without them there is nothing to remove
	var old []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && strings.HasPrefix(e.Name(), prefix) && e.Name() != prefix+release {
			old = append(old, info)
		}
	}
	slices.SortFunc(old, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range old[min(len(old), maxReleases-1):] {
		os.RemoveAll(filepath.Join(f.Dir, info.Name())) //nolint:errcheck // it is tried again
	}
	entries, _ = os.ReadDir(f.of(release))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), unfinished) && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(f.of(release), e.Name())) //nolint:errcheck // it is tried again
		}
	}
}

// OpenOf opens a file of a release, which is made if it is not there. Of a release that is no
// longer in service, only the index can be made.
func (f *Folder) OpenOf(ctx context.Context, r *Release, name string) (*os.File, error) {
	file, err := f.find(r.folderOf(name), name)
	if err == nil {
		return file, nil
	}
	start := ""
	if !r.current {
		start = "index."
	}
	files := names(start, false)
	var parts []string
	switch {
	case name == Sums:
		parts = append(files, Descriptor)
	case name == Descriptor:
		parts = files
	case !strings.HasPrefix(name, start):
		return nil, reply.Refuse("not_found", "release "+r.Name+" is no longer in service, and "+name+" is gone with its snapshot; of "+r.Name+" there are "+strings.Join(names(start, true), ", ")+"; "+latest+" leads to the newest release")
	}
	var sums []Sum
	for _, part := range parts {
		sum, err := f.sum(ctx, r, part)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	file, err = f.open(ctx, r.folderOf(name), name, func(w io.Writer) error {
		started := f.Now()
		set, err := r.set()
		if err == nil {
			err = set.Write(w, name, sums)
		}
		if err == nil {
			f.Log.Info("bulk file made", slog.String("release", r.Name), slog.String("file", name), slog.Float64("seconds", max(0, f.Now().Sub(started)).Seconds()))
		}
		return err
	})
	if err != nil && ctx.Err() == nil {
		f.Log.Error("bulk file not made", slog.String("release", r.Name), slog.String("file", name), slog.String("folder", f.Dir), slog.String("error", err.Error()))
		return nil, errNotMade
	}
	return file, err
}

func (f *Folder) sum(ctx context.Context, r *Release, name string) (sum Sum, err error) {
	file, err := f.OpenOf(ctx, r, name)
	if err != nil {
		return sum, err
	}
	defer file.Close()
	return SumOf(name, file)
}
