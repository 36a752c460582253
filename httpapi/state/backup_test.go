package state

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackup asks for backups that can't be made, or not there. What was there stays. A state of
// an earlier version is copied as it is. The command's script and torture have the rest.
func TestBackup(t *testing.T) {
	t.Chdir(t.TempDir())
	db := open(t, "state.db", Options{})
	for range 100 {
		newKey(t, db, NewKey{Name: strings.Repeat("x", 100)})
	}
	must2(Backup(t.Context(), "state.db", "backup.db"))
	backup := must(os.ReadFile("backup.db"))
	damaged := bytes.Clone(backup)
	for i := 4096 * 2; i < len(damaged); i += 512 {
		damaged[i] ^= 0xff
	}
	check(os.WriteFile("damaged.db", damaged, 0o600))
	check(os.WriteFile("notes.txt", bytes.Repeat([]byte("notes\n"), 100), 0o600))
	check(os.WriteFile("empty.db", nil, 0o600))
	check(os.Symlink("state.db", "link.db"))
	newKey(t, open(t, "other.db", Options{Serve: true}), NewKey{})
	for _, x := range [][3]string{
		{"state.db", "link.db", "it is the state itself; give another file"},
		{"state.db", "notes.txt", "not a Larder state: it is no SQLite file"},
		{"state.db", "other.db", "it is no backup: its server runs, or was killed"},
		{"state.db", "none/backup.db", "none/backup.db: no such file or directory"},
		{"empty.db", "backup.db", "it is empty"},
		{"damaged.db", "backup.db", "damaged.db: database disk image is malformed"},
	} {
		there, _ := os.ReadFile(x[1])
		if _, _, err := Backup(t.Context(), x[0], x[1]); err == nil || !strings.Contains(err.Error(), x[2]) {
			t.Errorf("%v: %v", x, err)
		}
		now, _ := os.ReadFile(x[1])
		if left, _ := filepath.Glob(".*.tmp"); !bytes.Equal(now, there) || len(left) > 0 {
			t.Errorf("%v: the file was changed, or %v is left", x, left)
		}
	}
	for _, left := range []string{".tmp", ".tmp-journal", ".lock"} { // of a backup that was killed
		check(os.WriteFile(".backup.db"+left, []byte("half"), 0o600))
	}
	must2(Backup(t.Context(), "state.db", "backup.db"))
	if left, _ := filepath.Glob(".*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if must(os.Stat("backup.db")).Mode().Perm() != 0o600 {
		t.Error("anybody may read the backup")
	}
}
