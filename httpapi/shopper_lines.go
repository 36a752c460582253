package httpapi

import (
	"net/http"

	"github.com/larder-index/larder/compare"
)

// pathLines is where the page of the comparison gets what its table shows. It is
// no part of the interface for agents: it stands beside the page, only pages of
// this site may use it, and it changes with the page.
const pathLines = compare.ShopperPath + "/lines"

// errLinesCrossSite refuses what another site makes a browser send. The answer is
// hidden from that site anyway, but it would use up its visitor's minute.
var errLinesCrossSite = &apiError{
	Status: http.StatusForbidden, Code: errCrossSite.Code,
	Message: errCrossSite.Message + "; compare from other pages by POST " + pathCompare,
}

// lines answers with the lines of a comparison and its split. All that compare
// checks is checked, in the same order: 429, 415, 413, 400, 503; whether the page
// is this site's comes before that.
func (s *shopper) lines(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	if s.cross.Check(r) != nil {
		return errLinesCrossSite
	}
	return s.answer(w, r, listOfBody, (*compare.Result).AppendLinesJSON)
}
