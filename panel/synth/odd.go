package synth

import "github.com/larder-index/larder/panel"

// makeOdd spoils a single row.
func (w *world) makeOdd(o *panel.Observation, x *series, kind odd) {
	switch kind {
	case perPound:
		cents := ratio(int64(o.Effective), 10_000, 22_046*100)
		o.Effective = panel.Price(cents * 100)
		o.Regular, o.Sale, o.OnSale = o.Effective, 0, false
		o.SaleEndsOn, o.SaleCondition = 0, panel.NoCondition
		o.Verdict = panel.Quarantined
	case strayTitle:
		o.ScrapedName, o.Verdict = wrongTitles[x.ProductID], panel.FailsIdentity
	case strayPack:
		c := &w.chains[x.chain]
		o.PackageSize = packText(c.style, c.french, w.products[x.good], x.size/10)
		o.Verdict = panel.FailsIdentity
	}
}
