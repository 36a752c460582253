package shrink

import (
	"hash/fnv"
	"strconv"
)

// idBits is how wide ids are: JSON numbers, which many readers hold as float64,
// are exact up to 2^53.
const idBits = 52

const idMask = 1<<idBits - 1

// EventID returns the id of the event of a listing, an old and a new size: the
// FNV-1a hash of "listing old new", sizes written as short as they read back,
// folded to 52 bits, above 0.
//
// Ids that were counted up would depend on what else has been imported, and in
// which order. This one is the same in every snapshot that holds the event, so
// that a snapshot that is built anew, or brought up to date in other steps,
// publishes the event under the id that readers already know.
//
// Two of a hundred thousand events share an id with a probability of about one
// in a million. Within one listing Detect keeps them apart.
func EventID(listing int64, oldSize, newSize float64) int64 {
	text := strconv.AppendInt(nil, listing, 10)
	for _, size := range [...]float64{oldSize, newSize} {
		text = append(text, ' ')
		text = strconv.AppendFloat(text, size, 'f', -1, 64)
	}
	h := fnv.New64a()
	h.Write(text)
	sum := h.Sum64()
	id := int64(sum>>idBits ^ sum&idMask)
	if id == 0 {
		return nextID(0)
	}
	return id
}

// claimID returns id, or if it is taken the next one that is free, and takes it.
// Events claim theirs in order of detection, so that a later one never moves
// the id of an earlier one.
func claimID(taken map[int64]bool, id int64) int64 {
	for taken[id] {
		id = nextID(id)
	}
	taken[id] = true
	return id
}

func nextID(id int64) int64 {
	if id == idMask {
		return 1
	}
	return id + 1
}
