package chart

import (
	"strconv"

	"github.com/larder-index/larder/httpapi/site/words"
	"github.com/larder-index/larder/jevons/assess"
	"github.com/larder-index/larder/panel"
)

var methods = map[assess.Method]string{
	assess.Published: words.Key("The published index"), assess.GEKS: words.Key("Same goods, GEKS-Jevons"),
	assess.TPD:      words.Key("Same goods, time-product dummy"),
	assess.AllGoods: words.Key("All goods, time-product dummy"),
}

// Assessed returns a line for each method of an assessment, by which the category of the slug was computed.
func Assessed(l *words.Language, x *assess.Assessment, category string) (lines []Line) {
	for _, line := range x.Lines {
		if name := methods[line.Method]; name != "" && line.Category == category {
			of := Line{Name: l.T(name), Strong: line.Method == assess.Published}
			for k, level := range line.Levels {
				value, _ := panel.ParseFixed(strconv.FormatFloat(float64(level), 'f', 4, 64)) // null for NaN
				of.Points = append(of.Points, Point{Week: x.Weeks[k], Value: value})
			}
			lines = append(lines, of)
		}
	}
	return lines
}
