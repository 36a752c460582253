package onefile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/panel/onefile"
)

func ExampleLock() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	beside := filepath.Join(dir, "prices.db.lock")

	unlock, err := onefile.Lock(beside, 0o600)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = onefile.Lock(beside, 0o600)
	fmt.Println(errors.Is(err, onefile.ErrHeld))

	unlock()
	unlock, err = onefile.Lock(beside, 0o600)
	fmt.Println(err)
	unlock()
	// Output:
	// true
	// <nil>
}
