package bulk

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
)

// Folder keeps the files of releases, in a folder for each. It makes those of one release at a
// time. It is safe for concurrent use, also by several processes.
type Folder struct {
	Dir string           // made when the first files are
	Now func() time.Time // the clock of log lines
	Log *slog.Logger

	making sync.Mutex
}

// maxReleases is how many releases have files in a Folder. The one used longest ago goes first.
const maxReleases = 4

// prefix begins the names of folders of releases. Others in Dir are left alone.
const prefix = "larder-bulk-"

var errNotMade = reply.Refuse("data_unavailable", "the file can't be made at the moment; try again later").After(30 * time.Second)

// Open opens a file of a release. If the release has no files yet, they are made, and all that ask
// meanwhile wait. Of a release that is no longer in service, only the index can be made.
func (f *Folder) Open(ctx context.Context, r *Release, name string) (*os.File, error) {
	if file := f.find(r, name); file != nil {
		return file, nil
	}
	if !r.current && !strings.HasPrefix(name, "index.") && !describes(name) {
		return nil, reply.Refuse("not_found", "release "+r.Name+" is no longer in service, and "+name+" is gone with its snapshot; of "+r.Name+" there are "+strings.Join(names("index."), ", ")+"; "+Latest+" leads to the newest release")
	}
	f.making.Lock()
	defer f.making.Unlock()
	if file := f.find(r, name); file != nil || ctx.Err() != nil {
		return file, ctx.Err()
	}
	started, folders := f.Now(), r.folders()
	set, err := r.set()
	if err == nil {
		err = os.MkdirAll(f.Dir, 0o700)
	}
	if err == nil {
		f.removeOld()
		err = set.WriteDir(filepath.Join(f.Dir, folders[len(folders)-1]), CSV, Parquet)
	}
	file := f.find(r, name) // perhaps of another process
	if file == nil {
		f.Log.Error("bulk files not made", slog.String("release", r.Name), slog.String("folder", f.Dir), slog.Any("error", err))
		return nil, errNotMade
	}
	f.Log.Info("bulk files made", slog.String("release", r.Name), slog.Float64("seconds", max(0, f.Now().Sub(started)).Seconds()))
	return file, nil
}

func (f *Folder) find(r *Release, name string) *os.File {
	for _, folder := range r.folders() {
		dir := filepath.Join(f.Dir, folder)
		if file, err := os.Open(filepath.Join(dir, name)); err == nil {
			now := time.Now()         // of the file system, which other processes see too
			os.Chtimes(dir, now, now) //nolint:errcheck // the release may go a little early
			return file
		}
	}
	return nil
}

// removeOld makes room for a release, and removes what killed processes left.
func (f *Folder) removeOld() {
	entries, _ := os.ReadDir(f.Dir) // without them there is nothing to remove
	var old []os.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !e.IsDir():
		case strings.HasPrefix(e.Name(), prefix):
			old = append(old, info)
		case strings.HasPrefix(e.Name(), "."+prefix) && time.Since(info.ModTime()) > time.Hour:
			os.RemoveAll(filepath.Join(f.Dir, e.Name())) //nolint:errcheck // it is tried again
		}
	}
	slices.SortFunc(old, func(a, b os.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, info := range old[min(len(old), maxReleases-1):] {
		os.RemoveAll(filepath.Join(f.Dir, info.Name())) //nolint:errcheck // it is tried again
	}
}
