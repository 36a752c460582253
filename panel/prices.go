package panel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/larder-index/larder/basket"
)

// Prices is prices in columns: the i-th elements of all are one price. The last four may be nil.
type Prices struct {
	Product  []string    // what is priced, by name or code
	Day      []time.Time // when; the day is that of the time's own location
	Price    []float64   // of one and the same quantity of the product, with at most four decimals
	Shop     []string    // where, by a name or code of its city; nil: one shop
	City     []string    // nil: one city
	Category []string    // of the product, a slug; nil: one category
	Weight   []float64   // of the product in the basket, on any scale; nil: equal weights
}

// FromPrices returns the panel that a Builder makes of prices: of one banner, based on the FirstWholeWeek. Products
// have the ids 1, 2, ... in the order in which they first come, and categories are in theirs. The error names a
// bad price by its index.
func FromPrices(x Prices) (*Panel, error) {
	const one = "all"
	n := len(x.Price)
	var wrong [6]error
	x.Product, wrong[0] = column("Product", x.Product, n, "")
	x.Day, wrong[1] = column("Day", x.Day, n, time.Time{})
	x.Shop, wrong[2] = column("Shop", x.Shop, n, one)
	x.City, wrong[3] = column("City", x.City, n, one)
	x.Category, wrong[4] = column("Category", x.Category, n, "goods")
	x.Weight, wrong[5] = column("Weight", x.Weight, n, 1)
	err := errors.Join(wrong[:]...)
	if err != nil {
		return nil, err
	}
	var list basket.Categories
	for _, slug := range x.Category {
		if of := (basket.NamedCategory{Slug: slug, Name: slug}); !slices.Contains(list, of) {
			list = append(list, of)
		}
	}
	b, products, shops := NewBuilder(0), map[string]int64{}, map[[2]string]int64{}
	chain := basket.Banner{Key: one, Name: one, Retailer: one, InIndex: true}
	err = errors.Join(b.AddCategories(list), b.AddBanner(chain))
	for i := 0; i < n && err == nil; i++ {
		if err = x.add(b, i, one, products, shops); err != nil {
			err = fmt.Errorf("panel: price %d: %w", i, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return b.Build()
}

// column returns a column of n values, of which each is the given one if it is nil.
func column[T any](name string, values []T, n int, value T) ([]T, error) {
	if values == nil {
		values = slices.Repeat([]T{value}, n)
	}
	if len(values) != n {
		return nil, fmt.Errorf("panel: %d prices, but %d elements of %s", n, len(values), name)
	}
	return values, nil
}

// add adds the i-th price and what is new with it. The ids of products and shops are given.
func (x *Prices) add(b *Builder, i int, banner string, products map[string]int64, shops map[[2]string]int64) error {
	price, err := ParsePrice(strconv.FormatFloat(x.Price[i], 'f', -1, 64))
	if err != nil {
		return err
	}
	name, city, shop := x.Product[i], x.City[i], [2]string{x.City[i], x.Shop[i]}
	if shops[shop] == 0 {
		if _, known := b.cityNamed[city]; !known {
			c := basket.City{Slug: fmt.Sprint("city-", len(b.p.cities)+1), Name: city}
			if err := b.AddCity(c); err != nil {
				return err
			}
		}
		shops[shop] = int64(len(shops) + 1)
		slug := b.p.cities[b.cityNamed[city]].Slug
		err = b.AddStore(Store{ID: shops[shop], Banner: banner, City: slug, Active: true, LocationCertain: true})
	}
	if id := products[name]; id == 0 {
		id = int64(len(products) + 1)
		products[name] = id
		err = errors.Join(err, b.AddProduct(basket.Product{
			ID: id, Name: name, Category: x.Category[i], Weight: x.Weight[i], StandardSize: 1, Unit: basket.Count,
			SoldBy: basket.ByPackage, Active: true,
		}), b.AddListing(Listing{ID: id, ProductID: id, Banner: banner, Name: name, Active: true}))
	} else if was := b.p.products[id-1]; was.Category != x.Category[i] || was.Weight != x.Weight[i] {
		err = fmt.Errorf("product %q is of category %s and weight %v, and was of %s and %v before", name,
			x.Category[i], x.Weight[i], was.Category, was.Weight)
	}
	if err != nil {
		return err
	}
	y, m, d := x.Day[i].Date()
	at := time.Date(y, m, d, 12, 0, 0, 0, Calendar{}.Zone())
	return b.Observe(&Observation{Listing: products[name], Store: shops[shop], Effective: price, ObservedAt: at})
}
