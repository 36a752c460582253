package docs_test

import (
	"fmt"
	"strings"

	"github.com/larder-index/larder/docs"
)

func Example() {
	text, err := docs.Files.ReadFile("methodology.md")
	if err != nil {
		fmt.Println(err)
		return
	}
	title, _, _ := strings.Cut(string(text), "\n")
	fmt.Println(title)
	// Output: # How the index is computed
}
