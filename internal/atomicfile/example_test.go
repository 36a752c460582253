package atomicfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/internal/atomicfile"
)

func ExampleLock() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	beside := filepath.Join(dir, "prices.db.lock")

	unlock, err := atomicfile.Lock(beside, 0o600)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = atomicfile.Lock(beside, 0o600)
	fmt.Println(errors.Is(err, atomicfile.ErrHeld))

	unlock()
	unlock, err = atomicfile.Lock(beside, 0o600)
	fmt.Println(err)
	unlock()
	// Output:
	// true
	// <nil>
}
