package bulk

import (
	"time"

	"github.com/larder-index/larder/panel"
)

// About says what the files of a release are.
type About struct {
	Release  string    // the name in addresses
	Snapshot string    // hash of the snapshot
	Created  time.Time // when it was released or, without a release log, observed last
	Gate     string    // version of the gate
	Method   string    // version of the method
	Words    *panel.About
}

// metadata returns the pairs that a Parquet file bears.
func (a *About) metadata() [][2]string {
	pairs := [][2]string{
		{"larder.release", a.Release}, {"larder.snapshot", a.Snapshot}, {"larder.gate_version", a.Gate}, {"larder.method_version", a.Method},
		{"larder.source", a.Words.SourceLabel()}, {"larder.licence", a.Words.Terms()},
	}
	if notice := a.Words.Notice(); notice != "" {
		pairs = append(pairs, [2]string{"larder.notice", notice})
	}
	return pairs
}
