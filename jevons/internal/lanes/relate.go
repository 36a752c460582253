package lanes

// Transpose makes rows of the log prices of series, which stand together by week:
// those of the week before a band, and of its weeks.
func Transpose(rows []Row, before []float64, weeks *[Width][]float64) {
	for i, v := range before[:len(rows)] {
		rows[i][0] = v
	}
	for j := range weeks {
		for i, v := range weeks[j][:len(rows)] {
			rows[i][1+j] = v
		}
	}
}

// Relate fills in the columns of stores that have one series each, of the given
// log prices and those of the base week, and sets the sums.
func Relate(to []Column, rows []Row, base []float64, sums *Sums) {
	*sums = Sums{}
	for i := 0; i < len(rows); i += atOnce {
		end := min(i+atOnce, len(rows))
		pieces := [2]Sums{*sums}
		relate(to[i:end], rows[i:end], base[i:end], &pieces[1])
		Add(sums, pieces[:])
	}
}

// relate sets the sums of at least one store and at most as many as are added at once.
func relate(to []Column, rows []Row, base []float64, sums *Sums) {
	_, _ = to[len(rows)-1], base[len(rows)-1]
	if useAVX2 {
		relateAVX2(&to[0], &rows[0], &base[0], len(rows), sums)
		return
	}
	*sums = Sums{}
	for i := range rows {
		to[i].relate(&rows[i], base[i])
		sums.addColumn(&to[i])
	}
}

// relate fills in a column. A difference with NaN is NaN.
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
