package panel

import "errors"

// idTable maps ids to places in a list; its zero value is empty. Readers of rows look
// up two ids for every one, so small ids, the usual ones, are looked up in a slice.
type idTable struct {
	dense  []int32 // 1 + place, by id
	sparse map[int64]int32
}

const maxDense = 1 << 20

var (
	errID      = errors.New("the id is not above 0")
	errTakenID = errors.New("the id is taken")
)

func (t *idTable) check(id int64) error {
	if id <= 0 {
		return errID
	}
	if _, taken := t.get(id); taken {
		return errTakenID
	}
	return nil
}

func (t *idTable) get(id int64) (int32, bool) {
	if uint64(id) < uint64(len(t.dense)) {
		place := t.dense[id] - 1
		return place, place >= 0
	}
	place, ok := t.sparse[id]
	return place, ok
}

func (t *idTable) set(id int64, place int32) {
	if id < maxDense {
		if n := int(id) + 1; n > len(t.dense) {
			t.dense = append(t.dense, make([]int32, n-len(t.dense))...)
		}
		t.dense[id] = place + 1
		return
	}
	if t.sparse == nil {
		t.sparse = map[int64]int32{}
	}
	t.sparse[id] = place
}
