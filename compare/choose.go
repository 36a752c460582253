package compare

// pick is the current price of a chain and item for a quantity.
type pick struct {
	winner  int32  // place among the cell's candidates; of no meaning without one
	reason  Reason // why there is none
	dropped dropped
}

// dropped says for which reasons some row was dropped, of those that a
// comparison lists.
type dropped struct{ count, quantity bool }

// pick returns the current price in a cell for a quantity.
func (pr *Projection) pick(d *cityDay, c *cell, it *item, q Quantity) pick {
	switch {
	case c.count == 0:
		return pick{reason: NoObservation}
	case it.perKg:
		return pr.choose(d.of(c), it, q)
	}
	return c.picked
}

func (d *cityDay) of(c *cell) []candidate { return d.candidates[c.first : c.first+c.count] }

// choose returns which of the candidates, the newest first, is the current
// price: of the usable ones those nearest to the standard size, of these the one
// of the lowest line total, of these the newest, of these the lowest id.
func (pr *Projection) choose(of []candidate, it *item, q Quantity) pick {
	best := pick{winner: -1, reason: NoObservation}
	var lowest int64
	for i := range of {
		c := &of[i]
		reason := c.reason(q)
		switch reason {
		case AmbiguousCheckout:
			best.dropped.count = true
		case UnsupportedQuantity:
			best.dropped.quantity = true
		}
		if i == 0 {
			best.reason = reason // the newest row names it
		}
		if reason != Priced {
			continue
		}
		line, _ := c.line(it.perKg, q)
		if best.winner < 0 {
			best.winner, lowest = int32(i), line
			continue
		}
		b := &of[best.winner]
		closer := nearer(c.size, b.size, it.standard)
		// Rows are in order of time, then id: a later candidate of the same
		// moment has the lower id.
		if closer < 0 || closer == 0 && (line < lowest || line == lowest && pr.rows.UnixNano(int(c.row)) == pr.rows.UnixNano(int(b.row))) {
			best.winner, lowest = int32(i), line
		}
	}
	if best.winner >= 0 {
		best.reason = Priced
	}
	return best
}
