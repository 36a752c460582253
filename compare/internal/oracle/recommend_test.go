package oracle

import "testing"

// totals has the chains sell oats at the given prices; "" is no price.
func totals(prices ...string) *tiny {
	w := newTiny()
	for i, price := range prices {
		if price != "" {
			w.see(auk+i, oats, price)
		}
	}
	return w
}

func TestRecommendation(t *testing.T) {
	lowest := func(key string) Recommendation {
		return Recommendation{"lowest", []string{key}, []string{"lowest_complete_total"}, []string{}}
	}
	closeCall := func(keys ...string) Recommendation {
		return Recommendation{"too_close_to_call", []string{}, []string{"close_total"}, keys}
	}
	insufficient := func(more ...string) Recommendation {
		codes := append([]string{"fewer_than_two_complete_chains"}, more...)
		return Recommendation{"insufficient_coverage", []string{}, codes, []string{}}
	}
	disagrees := Recommendation{"size_basis_disagrees", []string{}, []string{"size_basis_conflict"}, []string{}}
	for _, test := range []struct {
		name string
		w    *tiny
		r    Request
		want Recommendation
	}{
		{"nobody", totals(), list(oats, "1"), insufficient()},
		{"one", totals("1"), list(oats, "1"), insufficient()},
		{"two", totals("1", "2"), list(oats, "1"), lowest("auk")},
		{"three", totals("3", "1", "2"), list(oats, "1"), lowest("tern")},
		{"five cents are close", totals("1.00", "1.05"), list(oats, "1"), closeCall("auk", "tern")},
		{"six are not, on a small total", totals("1.00", "1.06"), list(oats, "1"), lowest("auk")},
		{"five cents are close where 2% are less", totals("2.45", "2.50"), list(oats, "1"), closeCall("auk", "tern")},
		{"2% are close", totals("10.00", "10.20"), list(oats, "1"), closeCall("auk", "tern")},
		{"a cent more is not", totals("10.00", "10.21"), list(oats, "1"), lowest("auk")},
		// 2% of 10.45 are 20.9 cents, not 21.
		{"2% are not rounded up", totals("10.45", "10.66"), list(oats, "1"), lowest("auk")},
		{"2% of the lowest, not of the other", totals("10.00", "10.204"), list(oats, "1"), closeCall("auk", "tern")},
		{"2% in the total, not per item", totals("10.00", "10.20"), list(oats, "3"), closeCall("auk", "tern")},
		{"a tie, by key", totals("2", "3", "2"), list(oats, "1"), closeCall("auk", "wren")},
		{"close ones by total, then key", totals("2.04", "2.04", "2.00"), list(oats, "1"), closeCall("wren", "auk", "tern")},
		{"close to the lowest, not to each other", totals("2.00", "2.05", "2.10"), list(oats, "1"), closeCall("auk", "tern")},
		{"not all chains need be complete", totals("", "1", "2"), list(oats, "1"), lowest("tern")},
		{"untracked", totals("1", "2"), list(oats, "1", tofu, "1"), insufficient("untracked_items")},
		{"a requested chain alone", totals("1", "2"), Request{"halifax", list(oats, "1").Items, []string{"auk"}}, insufficient()},
		{"two requested chains", totals("1", "2", "0.5"), Request{"halifax", list(oats, "1").Items, []string{"tern", "auk"}}, lowest("auk")},
		{"another size is cheaper, for its size too", func() *tiny {
			w := totals()
			w.see(auk, oats, "2.00", size("250 g")) // 1.00, adjusted 2.00
			w.see(tern, oats, "2.01")
			return w
		}(), list(oats, "1"), lowest("auk")},
		{"adjusted totals are equal", func() *tiny {
			w := totals()
			w.see(auk, oats, "2.00", size("250 g"))
			w.see(tern, oats, "2.00")
			return w
		}(), list(oats, "1"), lowest("auk")},
		{"by size it is dearer", func() *tiny {
			w := totals()
			w.see(auk, oats, "2.00", size("250 g"))
			w.see(tern, oats, "1.99")
			return w
		}(), list(oats, "1"), disagrees},
		{"dearer than the third", func() *tiny {
			w := totals("", "2.10", "1.99")
			w.see(auk, oats, "2.00", size("250 g"))
			return w
		}(), list(oats, "1"), disagrees},
		{"dearer than one that is not complete", func() *tiny {
			w := totals("", "2.10", "1.99")
			w.see(auk, oats, "2.00", size("250 g"))
			w.see(auk, milk, "1")
			w.see(tern, milk, "2")
			return w
		}(), list(oats, "1", milk, "1"), lowest("auk")},
		{"a close call comes first", func() *tiny {
			w := totals("", "1.04")
			w.see(auk, oats, "2.00", size("250 g"))
			return w
		}(), list(oats, "1"), closeCall("auk", "tern")},
		{"a quantity that blocks", func() *tiny {
			w := totals()
			w.see(auk, fish, "1", size("2 kg"))
			return w
		}(), list(fish, "1"), insufficient("unsupported_quantity")},
		{"a quantity that does not block", func() *tiny {
			w := totals()
			w.listing(150, auk, fish)
			w.see(auk, fish, "1", size("2 kg"))
			w.see(auk, fish, "1", listing(150))
			return w
		}(), list(fish, "1"), insufficient()},
	} {
		t.Run(test.name, func(t *testing.T) {
			same(t, "recommendation", test.want, test.w.compare(t, test.r).Recommendation)
		})
	}
}
