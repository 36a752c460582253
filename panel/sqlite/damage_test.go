package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDamagedSnapshots uses damaged files in every way. Each damage has an error of its own,
// and the file stays as it is.
func TestDamagedSnapshots(t *testing.T) {
	sealed := content(t, imported(t, sound))
	edit := func(f func(b []byte) []byte) string { return string(f([]byte(sealed))) }
	put := func(at int, v uint32) string {
		return edit(func(b []byte) []byte { binary.BigEndian.PutUint32(b[at:], v); return b })
	}
	const again = "; import the panel directory again into a new file"
	for _, c := range []struct {
		name, content, beside string
		is                    error
		want                  string
	}{
		{name: "empty", is: ErrNotSnapshot, want: "not a Larder snapshot: the file is empty; remove it, then import the panel directory again into a new file"},
		{name: "text", content: strings.Repeat("id,name\n", 99), is: ErrNotSnapshot, want: "not a Larder snapshot: it is no SQLite file"},
		{name: "short", content: sealed[:50], is: ErrNotSnapshot, want: "not a Larder snapshot: it is no SQLite file"},
		{name: "another program's", content: put(atApplicationID, 7), is: ErrNotSnapshot,
			want: "not a Larder snapshot: its application_id is 0x00000007, not 0x4c524452; give a snapshot's file"},
		{name: "older schema", content: put(atUserVersion, 0), is: ErrVersion,
			want: "the snapshot has another schema version: it has 0, this larder reads 8; import the panel directory again with this version of larder"},
		{name: "newer schema", content: put(atUserVersion, 9), is: ErrVersion,
			want: "the snapshot has another schema version: it has 9, this larder reads 8; use a newer larder, or import the panel directory again with this version of larder"},
		{name: "cut off", content: sealed[:len(sealed)-4096], is: ErrChanged, want: "changed since it was published: it is cut off, with"},
		{name: "longer", content: sealed + "x", is: ErrChanged, want: "changed since it was published: its content does not fit its seal" + again},
		{name: "unsealed", content: edit(func(b []byte) []byte { clear(b[len(b)-sealSize:]); return b }),
			is: ErrChanged, want: "changed since it was published: its content does not fit its seal" + again},
		{name: "write-ahead log", content: sealed, beside: "-wal", is: ErrLeftover, want: "another program opened the snapshot for writing: "},
		{name: "journal", content: sealed, beside: "-journal", is: ErrLeftover, want: "end that program and remove the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := filepath.Join(t.TempDir(), "panel.db")
			if err := os.WriteFile(db, []byte(c.content), 0o644); err != nil {
				t.Fatal(err)
			}
			if c.beside != "" {
				os.WriteFile(db+c.beside, nil, 0o644)
			}
			for name, err := range tryAll(t, db) {
				if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), db) {
					t.Errorf("%s: got %v, want %s", name, err, c.want)
				}
			}
			if content(t, db) != c.content {
				t.Error("the file was changed")
			}
		})
	}
}

// tryAll uses the snapshot in every way.
func tryAll(t *testing.T, db string) map[string]error {
	ctx, errs := context.Background(), map[string]error{}
	_, errs["Load"] = Load(ctx, db)
	_, errs["LoadAll"] = LoadAll(ctx, db)
	_, errs["Check"] = Check(db)
	errs["Export"] = Export(ctx, db, filepath.Join(t.TempDir(), "out"))
	_, errs["Import"] = Import(ctx, sound.write(t), db, ImportOptions{})
	return errs
}

// TestNotRegular checks a FIFO and a device. They are refused at once, although opening a FIFO
// without a writer waits for ever.
func TestNotRegular(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "panel.db")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, "/dev/zero"} {
		ended := make(chan error, 1)
		go func() {
			_, err := Check(path)
			ended <- err
		}()
		select {
		case err := <-ended:
			if !errors.Is(err, ErrNotSnapshot) || !strings.Contains(err.Error(), "it is no regular file") {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: the open hangs", path)
		}
	}
}

func TestMissingSnapshot(t *testing.T) {
	db := filepath.Join(t.TempDir(), "none.db")
	if _, err := Load(context.Background(), db); !errors.Is(err, fs.ErrNotExist) ||
		err.Error() != "open snapshot "+db+": file does not exist" {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(db); err == nil {
		t.Error("the file was made")
	}
	if _, err := Check(t.TempDir()); !errors.Is(err, ErrNotSnapshot) {
		t.Errorf("a folder: %v", err)
	}
}

// TestFlippedBits flips single bits of header, seal and content. Check notices each.
func TestFlippedBits(t *testing.T) {
	db := imported(t, sound)
	sealed := []byte(content(t, db))
	at := len(sealed) - sealSize
	var bits []int
	for bit := range sealSize * 8 {
		bits = append(bits, at*8+bit)
	}
	for bit := range headerSize * 8 {
		bits = append(bits, bit)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		bits = append(bits, r.IntN(len(sealed)*8))
	}
	f, err := os.OpenFile(db, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, bit := range bits {
		b := []byte{sealed[bit/8] ^ 1<<(bit%8)}
		f.WriteAt(b, int64(bit/8))
		if _, err := Check(db); !errors.Is(err, ErrChanged) && !errors.Is(err, ErrNotSnapshot) && !errors.Is(err, ErrVersion) {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
		f.WriteAt(sealed[bit/8:bit/8+1], int64(bit/8))
	}
	if _, err := Load(context.Background(), db); err != nil {
		t.Error(err)
	}
}
