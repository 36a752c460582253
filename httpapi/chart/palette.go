package chart

import "image/color"

// hue is the colour of a mark by its use: a line of the palette, or one of those below.
type hue int

const (
	paper hue = iota + MaxLines
	ink
	muted
	grid
	axis
	warning
	numHues
)

// palette has the colours on white. All have a contrast of at least 4.5 to 1, but for
// the grid, and lines differ for colour-blind readers too. chart.css has them by
// class, with those of the dark mode.
var palette = [numHues]color.RGBA{
	rgb(0x0b62b0), rgb(0xb8480b), rgb(0x840054), rgb(0x8448fc), rgb(0x245400),
	rgb(0xcc3078), rgb(0x240cd8), rgb(0x7a6000), rgb(0x543084), rgb(0x2a2f2c),
	paper: rgb(0xffffff), ink: rgb(0x1b221e), muted: rgb(0x59645d), grid: rgb(0xe4e2da), axis: rgb(0x857f70), warning: rgb(0x8a4b00),
}

var hueClasses = [numHues]string{
	"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9",
	paper: "paper", ink: "ink", muted: "muted", grid: "grid", axis: "axis", warning: "warning",
}

func rgb(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }

// bandOpacity is the opacity of an interval's band.
const bandOpacity = 0.14
