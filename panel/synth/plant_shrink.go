package synth

// shrinking is a pack that gets smaller, store by store.
type shrinking struct {
	from, to int // weeks of the roll-out
	size     int64
	text     string
	shelf    int64 // factor of the shelf price at the change
}

// packs are the roll-outs: one or more of every grade. A shelf price that
// stays raises the unit price by about what the size lost.
var packs = []struct {
	id       int
	banner   string
	old, new int64 // grams or millilitres
	shelf    int64
	expect   string
}{
	{1, "northlarch", 750, 650, one, "high ok"},                       // size -13.3%, unit price +15.4%
	{43, "boisverin", 930, 860, one, "high ok"},                       // -7.5%, +8.1%
	{33, "pennywold", 400, 350, 1_150_000, "medium ok"},               // -12.5%, +31.4%
	{4, "tillbrook", 454, 450, one, "low suspect_tiny"},               // -0.9%, +0.9%
	{42, "ottermill", 1500, 1200, one, "low suspect_swap"},            // -20%, +25%
	{12, "prairiekeel", 675, 500, one, "low suspect_swap"},            // -25.9%, held to -20%
	{38, "gullhaven", 750, 660, 680_000, "low suspect_unit_mismatch"}, // -12%, -22.7%
	{22, "cedarquay", 454, 400, one, "high ok"},                       // -11.9%, +13.5%
}

const (
	rollout   = 4 // weeks
	quiet     = 4 // weeks before a roll-out in which its price stands still
	minShrink = 10
)

// shrinks plants the roll-outs near the end, where a reader of the last ninety
// days finds them.
func (p *planter) shrinks() {
	if p.weeks < minShrink {
		return
	}
	for i, want := range packs {
		l := p.pick([]int{want.id}, 3, want.banner)
		if l == nil {
			continue
		}
		c, prod := &p.chains[l.chain], p.products[l.good]
		l.size, l.sizeText = want.old, packText(c.style, c.french, prod, want.old)
		from := max(2, p.weeks-12+i%6)
		l.shrink = &shrinking{from: from, to: from + rollout, size: want.new, text: packText(c.style, c.french, prod, want.new), shelf: want.shelf}
		title := goods[l.good].en[0]
		if c.french {
			title = goods[l.good].fr[0]
		}
		if l.Brand != "" {
			title = l.Brand + " " + title
		}
		p.rename(l, title)
		x := Plant{
			Kind: Shrink, Product: l.ProductID, Banner: l.Banner, Listings: []int64{l.ID},
			From: p.named(from), To: p.named(from + rollout), Expect: want.expect,
			OldPack: l.sizeText, NewPack: l.shrink.text,
		}
		for n, s := range l.series {
			if n == 5 { // this one never had the larger pack
				s.change = -1 - lead
				x.AlwaysNew = append(x.AlwaysNew, s.store.ID)
				continue
			}
			s.change = from + n*(rollout+1)/len(l.series)
			x.Stores = append(x.Stores, s.store.ID)
		}
		p.add(x)
	}
}
