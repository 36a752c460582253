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
	rgb(0x1479a3), rgb(0x9d6500), rgb(0x75005c), rgb(0x8800ff), rgb(0x265000),
	rgb(0xd6037b), rgb(0x1b04ce), rgb(0x9c2649), rgb(0x5c258c), rgb(0x2a2f2c),
	paper: rgb(0xffffff), ink: rgb(0x1b221e), muted: rgb(0x59645d), grid: rgb(0xe4e2da), axis: rgb(0x857f70), warning: rgb(0x8a4b00),
}

var hueClasses = [numHues]string{
	"c-s0", "c-s1", "c-s2", "c-s3", "c-s4", "c-s5", "c-s6", "c-s7", "c-s8", "c-s9",
	paper: "c-paper", ink: "c-ink", muted: "c-muted", grid: "c-grid", axis: "c-axis", warning: "c-warning",
}

func rgb(c uint32) color.RGBA { return color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xff} }
