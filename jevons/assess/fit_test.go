package assess

import (
	"math"
	"testing"
)

// The values are those that IndexNumR 0.6.0 computes by WTPDIndex for its dataset CES_sigma_2, in its
// tests: over 12 months at once, and by a window of 11 with the mean splice on published values. The data
// are artificial, of Diewert and Fox, "Substitution bias in multilateral methods for CPI construction
// using scanner data" (2017): shares of expenditure are in proportion to a/p.
func TestWeightedDummies(t *testing.T) {
	prices := [4][]float64{
		{2, 1.75, 1.6, 1.5, 1.45, 1.4, 1.35, 1.3, 1.25, 1.2, 1.15, 1.1},
		{1, 0.5, 1.05, 1.1, 1.12, 1.15, 1.18, 0.6, 1.2, 1.25, 1.28, 1.3},
		{1, 0.95, 0.9, 0.85, 0.4, 0.8, 0.75, 0.72, 0.7, 0.4, 0.7, 0.65},
		{0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.7, 0.65, 0.7, 0.75, 0.75, 0.8},
	}
	var g group
	for range prices {
		g.series = append(g.series, series{make([]float64, 12), make([]float64, 12)})
	}
	for month := range 12 {
		total := 0.0
		for i, a := range [4]float64{0.2, 0.2, 0.2, 0.4} {
			price := prices[i][month]
			g.series[i].logs[month], g.series[i].weights[month] = math.Log(price), a/price
			total += a / price
		}
		for i := range g.series {
			g.series[i].weights[month] /= total
		}
	}
	for window, want := range map[int][12]float64{
		12: {1, 0.880339868502394, 1.11310561070234, 1.15879006335178, 0.944228876424154, 1.23413422819567,
			1.17381864977063, 0.96466253410287, 1.14473361053433, 0.955804858341343, 1.17418844896016,
			1.17377193225844},
		11: {1, 0.88125316126336, 1.11113003298188, 1.15577105831891, 0.939283785493012, 1.22946886276831,
			1.16928578010074, 0.962925047843644, 1.13966638509599, 0.949589626761819, 1.16793031098926,
			1.17283932343105},
	} {
		g.splice(12, window, false)
		equal(t, g.levels, want[:])
	}
}

// The values are those that gpindex tests its GEKS index of Jevons indices with, on artificial prices
// with gaps; they agree with IndexNumR's.
func TestPairsWithGaps(t *testing.T) {
	var g group
	for product := range 5 {
		x := series{make([]float64, 13), make([]float64, 13)}
		for month := range 13 {
			switch price := 13*product + month + 1; price {
			case 1, 3, 11, 63, 64: // none
			default:
				x.logs[month], x.weights[month] = math.Log(float64(price)), 1
			}
		}
		g.series = append(g.series, x)
	}
	g.splice(13, 13, true)
	equal(t, g.levels, []float64{1, 0.881430091367338, 1.07738238354928, 1.04409985620757, 1.11240421520015,
		1.1762944906968, 1.23711048474119, 1.29566160297349, 1.35247476672703, 1.40791242863053,
		1.40078559388863, 1.56851442510621, 1.56825957051767})
}

func equal(t *testing.T, logs, want []float64) {
	t.Helper()
	for k, log := range logs {
		if got := math.Exp(log); !(math.Abs(got-want[k]) < 1e-12) {
			t.Errorf("month %d: %.15g, want %.15g", k+1, got, want[k])
		}
	}
}
