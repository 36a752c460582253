package sqlite

import (
	"maps"
	"slices"

	"github.com/larder-index/larder/panel/csvdir"
)

// cityNames returns the slug of the city that each display name will have once
// cities.csv is imported. It looks at the file as a whole, so that two cities can
// exchange their names and the order of rows does not matter. If several cities
// want one name, the city that has it keeps it. If none has it, the first by slug
// gets it.
func (im *importer) cityNames() (map[string]string, error) {
	wanted, err := im.wantedNames()
	if err != nil {
		return nil, err
	}
	for {
		final := map[string]string{} // slug -> name
		for slug, city := range im.refs.cities {
			final[slug] = city.Name
		}
		maps.Copy(final, wanted)
		owner := map[string]string{} // name -> slug
		refused := false
		for _, slug := range slices.Sorted(maps.Keys(final)) {
			name := final[slug]
			other, taken := owner[name]
			if taken && im.refs.cities[slug].Name == name {
				slug, other = other, slug // it has the name already
				owner[name] = other
			}
			if !taken {
				owner[name] = slug
				continue
			}
			// A refused city keeps its old name, which may now be wanted
			// twice: look again.
			delete(wanted, slug)
			refused = true
		}
		if !refused {
			return owner, nil
		}
	}
}

// wantedNames returns the names that the file gives to cities.
func (im *importer) wantedNames() (map[string]string, error) {
	r, err := csvdir.Read(im.dir, csvdir.Cities)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	wanted := map[string]string{} // slug -> name
	for r.Next() {
		if r.Reject() != nil {
			continue
		}
		if city := r.Record(); wanted[city.Slug] == "" {
			wanted[city.Slug] = city.Name
		}
	}
	return wanted, r.Err()
}
