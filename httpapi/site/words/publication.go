package words

import (
	"slices"
	"sync"

	"github.com/larder-index/larder/panel"
)

// publication holds the settings that change how pages are worded.
type publication struct{ country, first, currency string }

var publications sync.Map // []*Language by publication, the first language first

func init() { publications.Store(publication{"CA", "en", "CAD"}, All) }

// Of returns the languages of a publication's pages. Pages of the first one stand at /, without a prefix.
// Publications of one country, first language and currency have the same.
func Of(about *panel.About) []*Language {
	key := publication{about.Country(), about.Language(), about.Currency()}
	if all, ok := publications.Load(key); ok {
		return all.([]*Language)
	}
	var all []*Language
	for _, l := range All {
		own := *l
		own.Tag, own.Prefix, own.Currency = l.Code+"-"+key.country, "/"+l.Code, key.currency
		all = append(all, &own)
	}
	if all[0].Code != key.first {
		slices.Reverse(all)
	}
	all[0].Prefix, all[0].other, all[1].other = "", all[1], all[0]
	kept, _ := publications.LoadOrStore(key, all)
	return kept.([]*Language)
}

// Of returns the language as the pages of a publication have it.
func (l *Language) Of(about *panel.About) *Language {
	all := Of(about)
	return all[slices.IndexFunc(all, func(x *Language) bool { return x.Code == l.Code })]
}
