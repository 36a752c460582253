package offers

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
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

// Detect returns the one bundled mapping that fits files with offers among the first hundreds.
func Detect(files []string) (*Mapping, error) {
	var fit, names []string
	found := map[string]*Mapping{}
	near, fewest, left := errors.New("there is no file"), 0, 300
	err := walk(files, func(folder []entry) error {
		for _, e := range folder {
			for _, m := range Formats() {
				t, err := m.openTable(e)
				var miss *misfit
				switch {
				case err == nil:
					t.Close()
					if t.joined == "" {
						found[m.Name] = m
					}
				case errors.As(err, &miss) && (fewest == 0 || len(miss.missing) < fewest):
					fewest, near = len(miss.missing), fmt.Errorf("%s is nearest to %s, but %w", e.name, m.Name, err)
				case fewest == 0:
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
		names = append(names, m.Name)
		if found[m.Name] != nil {
			fit = append(fit, m.Name)
		}
	}
	switch len(fit) {
	case 0:
		return nil, fmt.Errorf("the files are in none of the forms %s: %w", strings.Join(names, ", "), near)
	case 1:
		return found[fit[0]], nil
	}
	return nil, fmt.Errorf("the files are in the forms %s: read those of each apart", strings.Join(fit, " and "))
}
