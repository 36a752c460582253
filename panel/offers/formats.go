package offers

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
)

//go:embed formats/*.csv
var bundled embed.FS

// Formats returns the bundled mappings, by name.
var Formats = sync.OnceValue(func() (list []*Mapping) {
	files, _ := bundled.ReadDir("formats")
	for _, f := range files {
		text, _ := bundled.ReadFile("formats/" + f.Name())
		m, err := ReadMapping(strings.TrimSuffix(f.Name(), ".csv"), bytes.NewReader(text))
		if err != nil {
			panic(err)
		}
		list = append(list, m)
	}
	return list
})

// errEnough ends a walk.
var errEnough = errors.New("enough")

// Detect returns the one bundled mapping that fits files with offers among the first hundreds.
func Detect(files []string) (*Mapping, error) {
	var all, fit []string
	var form *Mapping
	near, fewest, left := errors.New("there is no file"), math.MaxInt, 300
	found := map[*Mapping]bool{}
	err := walk(files, func(folder []entry) error {
		for _, e := range folder {
			for _, m := range Formats() {
				t, err := m.openTable(e)
				miss, _ := errors.AsType[*misfit](err)
				switch {
				case err == nil:
					t.Close()
					found[m] = found[m] || t.joined == ""
				case miss != nil && len(miss.missing) < fewest:
					fewest, near = len(miss.missing), fmt.Errorf("%s is nearest to %s, but %w", e.name, m.Name, err)
				case fewest == math.MaxInt:
					near = fmt.Errorf("%s %w", e.name, err)
				}
			}
			if left--; left == 0 {
				return errEnough
			}
		}
		return nil
	})
	if err != nil && err != errEnough {
		return nil, err
	}
	for _, m := range Formats() {
		all = append(all, m.Name)
		if found[m] {
			form, fit = m, append(fit, m.Name)
		}
	}
	switch len(fit) {
	case 0:
		return nil, fmt.Errorf("the files are in none of the forms %s: %w", strings.Join(all, ", "), near)
	case 1:
		return form, nil
	}
	return nil, fmt.Errorf("the files are in the forms %s: read those of each apart", strings.Join(fit, " and "))
}
