package pages_test

import (
	"fmt"

	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/pages"
)

// The pages are read and checked once, at the start of a server.
func ExampleNew() {
	set := pages.New()
	fmt.Println(set.Documents(lang.English)[0].Path)
	style, there := set.Asset(set.Address("style.css"))
	fmt.Println(there, style.Type)
	// Output:
	// /methodology
	// true text/css; charset=utf-8
}
