package lanes

// atOnce is how many stores are added up before their sum is added to those
// before: a sum of thousands that grows by one value at a time would lose digits
// that decide how a level is rounded.
const atOnce = 64

// addColumn adds the values of one store.
func (s *Sums) addColumn(c *Column) {
	for stream := range c {
		for j, v := range c[stream] {
			if v != v {
				continue
			}
			s.Total[stream][j] += v
			if stream < Later {
				s.count[stream][j]++
			}
		}
	}
}

// AddColumns sets sums to those of columns.
func AddColumns(sums *Sums, columns []Column) {
	*sums = Sums{}
	for i := 0; i < len(columns); i += atOnce {
		pieces := [2]Sums{*sums}
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
