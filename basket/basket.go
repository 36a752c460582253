package basket

// Basket is a fixed list of products and the cities where they are priced.
type Basket struct {
	Products []Product
	Cities   []City
}
