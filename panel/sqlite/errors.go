package sqlite

import (
	"errors"
)

var (
	// ErrRejected is returned by a strict import of a folder with a bad row.
	ErrRejected = errors.New("rows were rejected")
	// ErrBusy is returned when another import into the same snapshot runs, or
	// another change of its quarantine entries.
	ErrBusy = errors.New("another import or change of this snapshot is running")
	// ErrNotSnapshot is returned for a file that is no snapshot at all.
	ErrNotSnapshot = errors.New("not a Larder snapshot")
	// ErrVersion is returned for a snapshot with another schema version.
	ErrVersion = errors.New("the snapshot has another schema version")
	// ErrChanged is returned for a snapshot that is not byte for byte as it was
	// published.
	ErrChanged = errors.New("changed since it was published")
	// ErrLeftover is returned when another program's write-ahead log or journal
	// lies beside the snapshot.
	ErrLeftover = errors.New("another program opened the snapshot for writing")
)
