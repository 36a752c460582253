//go:build unix

package httpapi

import "syscall"

// descriptors returns how many files and connections the process may have open.
func descriptors() uint64 {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		return manyFiles
	}
	return min(uint64(files.Cur), manyFiles)
}
