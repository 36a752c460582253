package lanes

import "math"

// atOnce is how many stores are added up before their sum is added to those
// before: a sum of thousands that grows by one value at a time would lose digits
// that decide how a level is rounded.
const atOnce = 64

// addColumn adds the values of one store.
func (s *Sums) addColumn(c *Column) {
	for stream := range Later {
		total, count := &s.Total[stream], &s.count[stream]
		for j, v := range c[stream] {
			none := isNaN(v)
			total[j] += unless(none, v)
			count[j] += unless(none, 1)
		}
	}
	for j, v := range c[Later] {
		s.Total[Later][j] += unless(isNaN(v), v)
	}
}

// AddColumns sets sums to those of columns.
func AddColumns(sums *Sums, columns []Column) {
	*sums = Sums{}
	for i := 0; i < len(columns); i += atOnce {
		var pieces [2]Sums
		pieces[0] = *sums
		for k := range columns[i:min(i+atOnce, len(columns))] {
			pieces[1].addColumn(&columns[i+k])
		}
		Add(sums, pieces[:])
	}
}

// Add sets sums to what the pieces add up to, in their order.
func Add(sums *Sums, pieces []Sums) {
	if useAVX2 && len(pieces) > 0 {
		addAVX2(sums, &pieces[0], len(pieces))
		return
	}
	var all Sums
	for i := range pieces {
		p := &pieces[i]
		for s := range all.Total {
			all.Total[s].add(&p.Total[s])
		}
		for s := range all.count {
			all.count[s].add(&p.count[s])
		}
	}
	*sums = all
}

func (b *Band) add(c *Band) {
	for j := range b {
		b[j] += c[j]
	}
}

// Divide makes means of sums; 0 where there is no value.
func Divide(sums *Sums) {
	if useAVX2 {
		divideAVX2(sums)
		return
	}
	for s := range sums.Total {
		count := sums.Count(s)
		for j := range sums.Total[s] {
			sums.Total[s][j] /= max(count[j], 1)
		}
	}
}

// isNaN returns 1 for NaN and 0 for a finite number, without a branch: which
// prices are missing can't be predicted.
func isNaN(v float64) int {
	const infinity = 0x7ff0 << 48
	return int(uint64(infinity-int64(math.Float64bits(v)&^(1<<63))) >> 63)
}

// unless returns v where skip is 0, and 0 where it is 1.
func unless(skip int, v float64) float64 {
	return math.Float64frombits(math.Float64bits(v) & uint64(int64(skip)-1))
}
