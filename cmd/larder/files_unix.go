//go:build unix

package main

import "syscall"

// openFiles returns how many files and connections the process may have open.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return manyFiles
	}
	return min(uint64(limit.Cur), manyFiles) //nolint:unconvert // it is signed on FreeBSD
}
