package release

import (
	"fmt"

	"github.com/larder-index/larder/basket"
)

// Ends of sentences with the usual range of a figure.
const (
	usualChange = "; usual is %+.2[3]f%% to %+.2[4]f%%, by %[5]s"
	usualShare  = "; usual is %.1[3]f%% to %.1[4]f%%, by %[5]s"
)

// words has a sentence for each code. Of a figure, the arguments are its value, the rows that it is of, the ends of
// the usual range and the history that says so.
var words = map[string]string{
	"scale": "the median of %d prices is %s the price of the same listing and store before, such as %s after %s" +
		" of listing %d at store %d%s",

	"relatives_median": "the median of %[2]d prices moves by %+.2[1]f%%" + usualChange,
	"relatives_mean":   "the trimmed mean of %[2]d prices moves by %+.2[1]f%%" + usualChange,
	"relatives_large":  "%.1[1]f%% of %[2]d prices change by half or more" + usualShare,
	"unchanged_1":      "%.1[1]f%% of %[2]d prices are those of the week before" + usualShare,
	"unchanged_2":      "%.1[1]f%% of %[2]d prices are those of two weeks before" + usualShare,
	"unchanged_3":      "%.1[1]f%% of %[2]d prices are those of three weeks before" + usualShare,
	"unchanged_long": "%.1[1]f%% of %[2]d prices are those of three weeks before, and so they were before;" +
		" elsewhere %.1[3]f%% to %.1[4]f%% are usual",
	"set_aside": "%.1[1]f%% more of %[2]d rows than in the week before are set aside or fail identity" + usualShare +
		"; %[6]d by %[7]s",
	"untitled": "%.1[1]f%% more of %[2]d rows than in the week before have no title, so that nothing tells" +
		" what they are" + usualShare,
	"repeated":     "there are %.2[1]f rows for each price that is sought; usual is %.2[3]f to %.2[4]f, by %[5]s",
	"mass":         "%s",
	"on_sale":      "%.1[1]f%% of %[2]d rows are on sale" + usualShare,
	"discount":     "sales take %.1[1]f%% off, by the mean of %[2]d rows on sale" + usualShare,
	"expired":      "%.1[1]f%% of %[2]d rows on sale are past the end of the sale" + usualShare,
	"out_of_stock": "%.1[1]f%% of %[2]d rows are not known to be in stock" + usualShare,
	"unexplained":  "%.1[1]f%% of %[2]d rows ask neither their sale price nor their regular price" + usualShare,

	"series_usual": "%g series with a price; usual are %g, in %s",
	"series_base":  "%g series with a price in the base week have one, by the median of %d weeks; they were %g",
	"places":       "%d stores are active and at a certain place; in the snapshot before there were %d",

	"jump": "%+.4[1]f%% over the week; usual is %+.2[3]f%% to %+.2[4]f%%, by %[5]s",
	"jump_early": "%+.4f%% over the week; too few changes before say what is usual," +
		" and this is beyond %g%%",
	"lost_city": "no cell of the city is left; %s had a headline",
	"lost": "%d of the %d cells of the last released week, %s, are not in the new table's last week, %s;" +
		" such as %s",
	"lost_slowly": "%g cells are published, by the median of %d weeks; in the base week they were %g",
	"revision": "%s was released and is now %s, because of %s; released weeks of it that move: %d, this one most;" +
		" up to %s points stop nothing",
	"restatement":   "%s moves %s of released weeks, headlines by up to %s points, %s in %s by %s",
	"nothing_new":   "no new closed week and no changed cell; the last released week is %s",
	"nothing_first": "no new closed week and no changed cell; no week was ever released",
}

// Text says where and what, in words.
func (f *Finding) Text() string {
	text := fmt.Sprintf(words[f.Code], f.Args...)
	if f.Cell == nil {
		return text
	}
	return fmt.Sprintf("%s, week %s: %s", f.place(), f.Week, text)
}

// place names the cell. Some rules look at a banner's prices, others at its headline.
func (f *Finding) place() string {
	c := f.Cell
	if f.Rule == Jump || f.Rule == Revision || f.Rule == Lost && c.Banner == "" {
		return c.String()
	}
	text := c.Banner
	if c.City != "" {
		text += " in " + c.City
	}
	if c.Category != basket.Overall {
		text += ", " + c.Category.String()
	}
	return text
}

// Of the sentence about scale: the ratio, and the rows that the gate set aside for it.
type (
	times      float64
	asideScale int
)

// String implements fmt.Stringer.
func (t times) String() string {
	if t < 1 {
		return fmt.Sprintf("1/%.2f of", 1/float64(t))
	}
	return fmt.Sprintf("%.2f times", float64(t))
}

// String implements fmt.Stringer.
func (n asideScale) String() string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %s set %d of them aside", scaleRule, int(n))
}

// String names the weeks that a usual range is of.
func (u usual) String() string {
	if u.pooled {
		return fmt.Sprintf("%d such changes before, as its own are fewer than %d", u.values, leastHistory)
	}
	return fmt.Sprintf("its %d weeks before", u.values)
}
