//go:build unix

package state

import (
	"fmt"
	"os"
	"syscall"
)

// identity names a file by device and inode.
func identity(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d %d", s.Dev, s.Ino)
	}
	return ""
}
