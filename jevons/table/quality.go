package table

import (
	"slices"
	"strconv"

	"github.com/larder-index/larder/internal/jsontext"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// Against names the difference of a row to a city's.
const Against = "against"

// Names of what rows can include.
const (
	IncludeQuality       = "quality"
	IncludeContributions = "contributions"
	IncludeWoWInterval   = "wow_interval"
)

var (
	qualityColumns = []Column{
		ofQuality("se", "se", 4, func(q *jevons.Quality) panel.Fixed { return q.SE }),
		intervalColumns[0], intervalColumns[1],
		ofQuality("df", "df", 1, func(q *jevons.Quality) panel.Fixed { return q.DF }),
		ofQuality("se_wow", "se week %", 4, func(q *jevons.Quality) panel.Fixed { return q.SEWoW }),
		ofQuality("matched_series", "series", 0, func(q *jevons.Quality) panel.Fixed { return whole(q.Series) }),
		ofQuality("matched_stores", "stores", 0, func(q *jevons.Quality) panel.Fixed { return whole(q.Stores) }),
		ofQuality("trimmed", "trimmed", 0, func(q *jevons.Quality) panel.Fixed { return whole(q.Trimmed) }),
		ofQuality("matched_weight", "weight", 4, func(q *jevons.Quality) panel.Fixed { return q.Weight }),
		text("status", "status", func(r *jevons.Row) string { return string(rune(r.Extra.Quality.Status)) }),
	}
	intervalColumns = []Column{
		endOf("ci95_low", "95% from", func(q *jevons.Quality) *panel.Fixed { return &q.Low }),
		endOf("ci95_high", "to", func(q *jevons.Quality) *panel.Fixed { return &q.High }),
	}
	wowInterval = []Column{
		ofQuality("ci95_low", "95% from", 4, func(q *jevons.Quality) panel.Fixed { return q.LowWoW }),
		ofQuality("ci95_high", "to", 4, func(q *jevons.Quality) panel.Fixed { return q.HighWoW }),
	}
)

// ofQuality is null in a row without quality.
func ofQuality(name, title string, decimals int, value func(*jevons.Quality) panel.Fixed) Column {
	return number(name, title, decimals, func(r *jevons.Row) panel.Fixed {
		if r.Extra == nil || r.Extra.Quality == nil {
			return panel.Fixed{}
		}
		return value(r.Extra.Quality)
	})
}

func endOf(name, title string, at func(*jevons.Quality) *panel.Fixed) Column {
	c := ofQuality(name, title, 4, func(q *jevons.Quality) panel.Fixed { return *at(q) })
	c.Set = func(r *jevons.Row, v panel.Fixed) {
		if r.Extra == nil && v.Valid {
			r.Extra = &jevons.Extra{Quality: &jevons.Quality{}}
		}
		if v.Valid {
			*at(r.Extra.Quality) = v
		}
	}
	return c
}

// IntervalColumns returns the ends of the interval of a level, of rows with or without quality.
func IntervalColumns() []Column { return slices.Clone(intervalColumns) }

// QualityColumns returns the members of a row's quality as columns of their own,
// for CSV files and tables. The rows must be those of a table with Options.Quality.
func QualityColumns() []Column { return slices.Clone(qualityColumns) }

// QualityColumn is the member "quality" of a row in JSON: an object.
func QualityColumn() Column { return object(IncludeQuality, qualityColumns) }

// object is a member with the columns as its own members.
func object(name string, columns []Column) Column {
	return Column{Name: name, JSON: func(b []byte, r *jevons.Row) []byte { return AppendJSON(b, r, columns) }}
}

// WoWIntervalColumn is the member "wow_interval" of a row in JSON: an object with the
// ends of the 95% interval of WoW. They are null where SEWoW is.
func WoWIntervalColumn() Column { return object(IncludeWoWInterval, wowInterval) }

// DifferenceColumns returns the difference of a row to a city as columns of their own, the city first under the
// given name. The rows must be those of WithDifferences.
func DifferenceColumns(city string) []Column {
	of := func(name, title string, value func(*jevons.Difference) panel.Fixed) Column {
		return number(name, title, 4, func(r *jevons.Row) panel.Fixed { return value(r.Extra.Difference) })
	}
	return []Column{
		text(city, city, func(r *jevons.Row) string { return r.Extra.Difference.City }),
		of("pct_difference", "diff %", func(d *jevons.Difference) panel.Fixed { return d.Percent }),
		of("pct_difference_low", "95% from", func(d *jevons.Difference) panel.Fixed { return d.Low }),
		of("pct_difference_high", "to", func(d *jevons.Difference) panel.Fixed { return d.High }),
	}
}

// AgainstColumn is the member "against" of a row in JSON: an object. The rows must be those of
// WithDifferences.
func AgainstColumn() Column { return object(Against, DifferenceColumns("city")) }

// ContributionsColumn is the member "contributions" of a row in JSON: an array of
// {id, level, wow}. The rows must be those of WithContributions.
func ContributionsColumn() Column {
	return Column{Name: IncludeContributions, JSON: func(b []byte, r *jevons.Row) []byte {
		b = append(b, '[')
		for i := range r.Extra.Contributions {
			c := &r.Extra.Contributions[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"id":`...)
			if c.Product != 0 {
				b = strconv.AppendInt(b, int64(c.Product), 10)
			} else {
				b = jsontext.AppendOrNull(b, c.Category.String())
			}
			b = c.Level.Append(append(b, `,"level":`...), 4)
			b = append(c.WoW.Append(append(b, `,"wow":`...), 4), '}')
		}
		return append(b, ']')
	}}
}
