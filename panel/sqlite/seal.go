package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

// sealSize is the size of the seal, which a snapshot ends with: the SHA-256 of all bytes before it. SQLite
// reads no further than the pages that the header counts.
const sealSize = sha256.Size

// writeSeal seals a file that SQLite wrote, and makes sure that it is on disk.
func writeSeal(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	header := make([]byte, headerSize)
	if _, err := f.ReadAt(header, 0); err != nil {
		return err
	}
	size := pagesSize(header)
	sum, err := hashOf(f, size)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(sum, size)
	return errors.Join(err, f.Truncate(size+sealSize), f.Sync())
}

// pagesSize returns the size of the pages that a file's header counts.
func pagesSize(header []byte) int64 {
	page := int64(binary.BigEndian.Uint16(header[atPageSize:]))
	if page == 1 {
		page = 1 << 16
	}
	return page * int64(binary.BigEndian.Uint32(header[atPageCount:]))
}

func hashOf(f *os.File, size int64) ([]byte, error) {
	h := sha256.New()
	_, err := io.CopyBuffer(h, io.NewSectionReader(f, 0, size), make([]byte, 1<<18))
	return h.Sum(nil), err
}

// checkSeal returns the hash of a file that is as it was when it got its seal.
func checkSeal(f *os.File) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	size := info.Size() - sealSize
	seal := make([]byte, sealSize)
	if _, err := f.ReadAt(seal, size); err != nil { // a negative offset is an error of ReadAt
		return "", errors.New("it has no seal")
	}
	sum, err := hashOf(f, size)
	if err == nil && !bytes.Equal(sum, seal) {
		err = errors.New("its content does not fit its seal")
	}
	return hex.EncodeToString(sum), err
}
