package shrink

const rowsToShow = 3

type sizePair struct{ old, new float64 }

// change is one store's switch: its last row of the old and its first of the
// new size.
type change struct{ before, after sizedRow }

// rollout is one pair with the rows that show it so far.
type rollout struct {
	sizePair
	changes []change   // of the switched stores, in order of time, then id
	shown   []sizedRow // their rows that show the new size, the first three
	over    bool       // recorded, or a switched store has gone back
}

// storeRows is a store's state between two of its rows.
type storeRows struct {
	last   sizedRow
	before float64    // the size before last's; 0: last is the first row
	at     int        // place of last among all rows
	in     []*rollout // those that the store takes part in and that are not over
}

// replay reads rows in order and reports every rollout at the row that
// completes it. A row completes at most one rollout: those that a store takes
// part in at one time have different new sizes, because to switch to the same
// size again it must have gone back first.
func replay(rows []sizedRow, report func(*rollout)) {
	stores := map[int64]*storeRows{}
	rollouts := map[sizePair]*rollout{}
	first := map[float64]int{} // place of the first row of a size
	for at, row := range rows {
		if _, seen := first[row.size]; !seen {
			first[row.size] = at
		}
		store := stores[row.Store]
		if store == nil {
			stores[row.Store] = &storeRows{last: row, at: at}
			continue
		}
		kept := store.in[:0]
		for _, r := range store.in {
			switch {
			case r.over:
			case row.size == r.new:
				r.show(row, report)
			case row.size > r.new:
				r.over = true
			}
			if !r.over {
				kept = append(kept, r)
			}
		}
		store.in = kept
		if row.size < store.last.size && !store.alone(row.size, first[row.size]) {
			pair := sizePair{store.last.size, row.size}
			r := rollouts[pair]
			if r == nil {
				r = &rollout{sizePair: pair}
				rollouts[pair] = r
			}
			if !r.over {
				r.changes = append(r.changes, change{store.last, row})
				r.show(row, report)
				store.in = append(store.in, r)
			}
		}
		store.before, store.last, store.at = store.last.size, row, at
	}
}

// alone reports whether the store's last row, of a larger size than the new
// one, is a single one among rows of the new size. Then its size was misread, or
// another pack was on the shelf once, and nothing shrank. The row is single if
// the store's row before has the new size, or if it is the store's first row and
// another store showed the new size earlier. first is the place of the first row
// of the new size.
func (s *storeRows) alone(size float64, first int) bool {
	return s.before == size || s.before == 0 && first < s.at
}

func (r *rollout) show(row sizedRow, report func(*rollout)) {
	if r.shown = append(r.shown, row); len(r.shown) == rowsToShow {
		r.over = true
		report(r)
	}
}
