package lanes

// Transpose makes rows of the log prices of series, which stand together by week:
// those of the week before a band, and of its weeks.
func Transpose(rows []Row, before []float64, weeks *[Width][]float64) {
	n := len(rows)
	first := before[:n]
	a, b, c, d := weeks[0][:n], weeks[1][:n], weeks[2][:n], weeks[3][:n]
	e, f, g, h := weeks[4][:n], weeks[5][:n], weeks[6][:n], weeks[7][:n]
	for i := range rows {
		rows[i] = Row{first[i], a[i], b[i], c[i], d[i], e[i], f[i], g[i], h[i]}
	}
}

// Relate fills in the columns of stores that have one series each, of the given
// log prices and those of the base week, and sets the sums. A difference with NaN is NaN.
func Relate(to []Column, rows []Row, base []float64, sums *Sums) {
	n := min(len(rows), atOnce)
	relate(to, rows[:n], base, sums)
	for i := n; i < len(rows); i += n {
		pieces := [2]Sums{*sums}
		relate(to[i:], rows[i:min(i+n, len(rows))], base[i:], &pieces[1])
		Add(sums, pieces[:])
	}
}

// relate does it for at most so many stores as are added up at once.
func relate(to []Column, rows []Row, base []float64, sums *Sums) {
	if useAVX2 && len(rows) > 0 {
		relateAVX2(&to[:len(rows)][0], &rows[0], &base[:len(rows)][0], len(rows), sums)
		return
	}
	*sums = Sums{}
	for k := range rows {
		to[k].relate(&rows[k], base[k])
		sums.addColumn(&to[k])
	}
}

func (c *Column) relate(row *Row, base float64) {
	last := row[0] - base
	for j, v := range row[1:] {
		d := v - base
		c[Prices][j] = v
		c[Relatives][j] = d
		c[Earlier][j] = last + 0*d
		c[Later][j] = d + 0*last
		last = d
	}
}

// atOnce is how many stores are added up before their sum is added to those
// before: a sum of thousands that grows by one value at a time would lose digits
// that decide how a level is rounded.
const atOnce = 64

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
			for j, v := range p.Total[s] {
				all.Total[s][j] += v
			}
		}
		for s := range all.count {
			for j, v := range p.count[s] {
				all.count[s][j] += v
			}
		}
	}
	*sums = all
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
