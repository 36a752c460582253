package httpapi_test

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/internal/apitest"
)

// CityNames are the display names of the demo's cities.
func cityNames() (names []string) {
	d, _ := apitest.Demo()
	for _, c := range d.Cities {
		names = append(names, c.Name)
	}
	return names
}

// bannerKeys are the keys of the demo's banners of a kind.
func bannerKeys(is func(*basket.Banner) bool) (keys []string) {
	d, _ := apitest.Demo()
	for i := range d.Banners {
		if is(&d.Banners[i]) {
			keys = append(keys, d.Banners[i].Key)
		}
	}
	return keys
}
