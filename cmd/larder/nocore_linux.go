package main

import (
	"fmt"
	"syscall"
)

// noCore keeps the memory of this process out of core files, whatever the
// system's limits and handlers. The memory holds keys.
func noCore() error {
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0); err != 0 {
		return fmt.Errorf("turning core files off: %w", err)
	}
	return nil
}
