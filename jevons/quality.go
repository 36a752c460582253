package jevons

import "github.com/larder-index/larder/panel"

// Extra holds the members that a row has only when they are asked for.
type Extra struct {
	Quality       *Quality
	Contributions []Part
}

// Quality says how well a row is supported. Its errors measure how much the level
// depends on the choice of products. They say nothing about the choice of stores,
// or about prices within a product. Numbers have four decimals.
type Quality struct {
	SE        panel.Fixed // standard error of the level, index points
	Low, High panel.Fixed // ends of the 95% interval of the level, index points
	SEWoW     panel.Fixed // standard error of a headline's WoW, percentage points
	LowWoW    panel.Fixed // lower end of the 95% interval of WoW, percentage points
	HighWoW   panel.Fixed // its upper end
	Weight    panel.Fixed // of the matched products, as a share of the slice's weight
	DF        int32       // degrees of freedom
	Series    int32       // matched series behind the level, before the trim
	Stores    int32       // distinct stores of these series
	Trimmed   int32       // store relatives dropped, both ends together
	Status    Status
}

// Status is an observation status of the SDMX code list CL_OBS_STATUS.
type Status byte

// The statuses that rows have.
const (
	normal    Status = 'A'
	estimated Status = 'E' // much of the weight, or a whole category, is not matched
	breaks    Status = 'B' // the series' first published week
)

// enoughWeight is the matched share of the weight under which a row is estimated.
var enoughWeight = Percent(80)

// LeastDF is the smallest number of degrees of freedom that gives an interval.
const LeastDF = 3
