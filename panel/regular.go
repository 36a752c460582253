package panel

// maxRegular is how many times the effective price a regular price may be.
const maxRegular = 4

// RestateRegular applies the regular-price rule to a row of a banner that is
// not verified: a regular price below the effective price, or above four times
// it, is a slip of the shop's page, and the sale that it made up is none. The
// regular price becomes the effective price, and the row is no longer on sale.
// Rows of a verified banner keep their reviewed basis.
//
// It is for readers of rows (the prices endpoint, shopper comparisons): what is
// stored stays as it was collected, and the effective price never changes.
func (o *Observation) RestateRegular(verified bool) {
	if verified || o.Regular == 0 || o.Regular >= o.Effective && o.Regular <= maxRegular*o.Effective {
		return
	}
	o.Regular, o.Sale, o.OnSale = o.Effective, 0, false
	o.SaleEndsOn, o.SaleCondition = 0, NoCondition
}
