package csvdir_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel/csvdir"
)

// Example writes the cities of a panel directory by themselves and reads them
// back; one has been spoilt meanwhile.
func Example() {
	dir, err := os.MkdirTemp("", "larder")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	check(csvdir.WriteDir(filepath.Join(dir, "prices"), func(w *csvdir.Writer) error {
		return errors.Join(
			csvdir.WriteSorted(w, csvdir.Cities, basket.Canada().Cities[:2]), csvdir.WriteSorted(w, csvdir.Products, nil),
			csvdir.WriteSorted(w, csvdir.Banners, nil), csvdir.WriteSorted(w, csvdir.Stores, nil),
			csvdir.WriteSorted(w, csvdir.Listings, nil), csvdir.WriteSorted(w, csvdir.Observations, nil),
		)
	}))
	appendTo(filepath.Join(dir, "prices", "cities.csv"), "Ottawa,Ottawa,ON\n")

	d, err := csvdir.Open(filepath.Join(dir, "prices"))
	check(err)
	r, err := csvdir.Read(d, csvdir.Cities)
	check(err)
	defer r.Close()
	for r.Next() {
		if reject := r.Reject(); reject != nil {
			fmt.Printf("%s, line %d: %s\n", reject.File, reject.Line, reject.Reason)
			continue
		}
		fmt.Println(r.Record().Name)
	}
	check(r.Err())
	// Output:
	// Calgary
	// Vancouver
	// cities.csv, line 4: slug "Ottawa" is not lowercase letters, digits, "-", "_" and "."
}

func appendTo(path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
