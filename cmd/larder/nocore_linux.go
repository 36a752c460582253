package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// noCore keeps the memory of this process, which has keys in it, out of core
// files, whatever limits and handlers the system has for them.
func noCore() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("turning core files off: %w", err)
	}
	return nil
}
