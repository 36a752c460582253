package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/larder-index/larder/httpapi/state"
)

// route is one address and what is behind it.
type route struct {
	path    string
	under   bool     // path ends in a slash, and all that is below it is the route's
	methods []string // HEAD stands beside GET

	// Of licensed routes: the lowest tier that may use it, the parameters that
	// it takes, and how it makes its body, appended to b. The public index also
	// takes a session, and limits clients before it looks at who they are.
	licensed    bool
	public      bool
	sessionOnly bool // takes a session, and no key
	free        bool // does not count against the month
	tier        state.Tier
	params      []string
	answer      func(c *call, b []byte) ([]byte, error)

	// Of all others: what answers. A page, or what it loads, is for people, and is
	// not in the OpenAPI document.
	handle func(w http.ResponseWriter, r *http.Request) error
	page   bool
}

var (
	methodsGet  = []string{http.MethodGet, http.MethodHead}
	methodsPost = []string{http.MethodPost}
)

// takes says whether an address is the route's.
func (x *route) takes(path string) bool {
	return x.path == path || x.under && strings.HasPrefix(path, x.path)
}

// add registers a route.
func (s *Server) add(x *route) {
	if slices.ContainsFunc(s.routes, func(y *route) bool { return y.path == x.path }) {
		panic("httpapi: two routes for " + x.path)
	}
	s.routes = append(s.routes, x)
}

// addLicensed registers the resources that need a key.
func (s *Server) addLicensed() {
	window := []string{"from", "to", "limit", "offset"}
	shrinkage := append([]string{"confidence", "banner"}, window...)
	index := append([]string{"series", "level", "category", "city", "banner"}, window...)
	for _, x := range []*route{
		{path: "/api/public/index", public: true, tier: state.Research, params: index, answer: s.publicIndex},
		{path: "/api/v1/index", tier: state.Standard, params: index, answer: s.index},
		{path: "/api/v1/prices", tier: state.Standard, params: append([]string{"product_id", "city", "banner"}, window...), answer: s.prices},
		{path: "/api/v1/products", tier: state.Research, answer: s.products},
		{path: "/api/v1/shrinkflation", tier: state.Standard, params: shrinkage, answer: s.shrinkflation},
		{path: "/api/v1/usage", tier: state.Research, free: true, answer: s.usage},
		{path: "/account/usage", sessionOnly: true, tier: state.Research, free: true, answer: s.usage},
		{path: "/account/shrinkflation", sessionOnly: true, tier: state.Standard, params: shrinkage, answer: s.shrinkflation},
	} {
		x.licensed, x.methods = true, methodsGet
		s.add(x)
	}
}
