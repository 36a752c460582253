package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// selection holds the flags that choose index rows.
type selection struct {
	series, level, category, city, banner, from, to string
}

func (s *selection) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.series, "series", "v2", "v2, or v1: the frozen March to June 2026 pilot")
	f.StringVar(&s.level, "level", "", "national, city or banner (default: all)")
	f.StringVar(&s.category, "category", "", "a category, or overall for the headline (default: all)")
	f.StringVar(&s.city, "city", "", "a city's display `name` (default: all)")
	f.StringVar(&s.banner, "banner", "", "a banner's `key` (default: all)")
	f.StringVar(&s.from, "from", "", "first `date`, YYYY-MM-DD (default: the base week)")
	f.StringVar(&s.to, "to", "", "last `date`, YYYY-MM-DD (default: today)")
	completeWith(cmd, "series", "v2", "v1")
	completeWith(cmd, "level", levels...)
	completeWith(cmd, "category", categories()...)
}

var headline = []basket.Category{basket.Overall}

var levels = []string{"national", "city", "banner"}

func categories() []string {
	var names []string
	for _, c := range basket.Slices() {
		names = append(names, c.String())
	}
	return names
}

// formats are the values of --format for lists.
var formats = []string{"table", "csv", "json"}

var tableOrJSON = []string{"table", "json"}

func formatFlag(cmd *cobra.Command, format *string, accepted ...string) {
	cmd.Flags().StringVar(format, "format", "table", "how to print: "+phrase.Or(accepted))
	completeWith(cmd, "format", accepted...)
}

// completeWith offers fixed values to the shell for a flag.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("larder: " + err.Error()) // the flag was not registered
	}
}

// filter checks the flags against the panel's cities and banners.
func (s *selection) filter(p *panel.Panel) (jevons.Filter, error) {
	return s.filterIn(cityNames(p), indexBanners(p))
}

// filterIn checks the flags against display names of cities and keys of banners.
func (s *selection) filterIn(cities, banners []string) (jevons.Filter, error) {
	var f jevons.Filter
	if err := oneOf("series", s.series, []string{"v2", "v1"}); err != nil {
		return f, err
	}
	if err := oneOfOrNone("level", s.level, levels); err != nil {
		return f, err
	}
	if s.level != "" {
		f.Level, _ = jevons.ParseLevel(s.level) // checked above
	}
	if err := oneOfOrNone("category", s.category, categories()); err != nil {
		return f, err
	}
	if s.category != "" {
		c, _ := basket.ParseCategory(s.category) // checked above
		f.Categories = []basket.Category{c}
	}
	if err := oneOfOrNone("city", s.city, cities); err != nil {
		return f, err
	}
	if err := oneOfOrNone("banner", s.banner, banners); err != nil {
		return f, err
	}
	f.City, f.Banner = s.city, s.banner
	var err error
	if f.From, err = dateFlag("from", s.from); err != nil {
		return f, err
	}
	if f.To, err = dateFlag("to", s.to); err != nil {
		return f, err
	}
	return f, s.contradiction(f)
}

// contradiction fails on flags that no row can meet together.
func (s *selection) contradiction(f jevons.Filter) error {
	switch {
	case s.from != "" && s.to != "" && f.From > f.To:
		return usagef("--from %s is after --to %s", s.from, s.to)
	case f.Level == jevons.National && s.city != "":
		return usagef("--level national and --city %q contradict each other: national rows have no city", s.city)
	case f.Level == jevons.National && s.banner != "", f.Level == jevons.City && s.banner != "":
		return usagef("--level %s and --banner %s contradict each other: only --level banner has banners", s.level, s.banner)
	}
	return nil
}

func dateFlag(name, value string) (panel.Date, error) {
	if value == "" {
		return 0, nil
	}
	d, err := panel.ParseDate(value)
	if err != nil {
		return 0, usagef("--%s: %v", name, err)
	}
	return d, nil
}

func cityNames(p *panel.Panel) []string {
	var names []string
	for _, c := range p.Cities() {
		names = append(names, c.Name)
	}
	return names
}

func indexBanners(p *panel.Panel) []string {
	var keys []string
	for _, b := range p.Banners() {
		if b.InIndex {
			keys = append(keys, b.Key)
		}
	}
	return keys
}

// oneOf fails when the flag does not accept the value. The error lists the
// accepted values and suggests the nearest.
func oneOf(flag, value string, accepted []string) error {
	if slices.Contains(accepted, value) {
		return nil
	}
	list := strings.Join(accepted, ", ")
	if meant := suggest.Nearest(value, accepted); meant != "" {
		return usagef("--%s %q is not known here; did you mean %q? Accepted: %s", flag, value, meant, list)
	}
	return usagef("--%s %q is not known here; accepted: %s", flag, value, list)
}

// oneOfOrNone is oneOf for a flag that may be left out.
func oneOfOrNone(flag, value string, accepted []string) error {
	if value == "" {
		return nil
	}
	return oneOf(flag, value, accepted)
}
