package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/internal/fold"
	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/internal/suggest"
	"github.com/larder-index/larder/jevons"
	"github.com/larder-index/larder/panel"
)

// value is a flag whose text is read into a variable. Without a default, an empty text counts as not given.
type value[T any] struct {
	name, text string
	to         *T
	read       func(string) (T, error)
}

// String returns the text.
func (v *value[T]) String() string { return v.text }

// Type returns the word that stands for the text in help.
func (v *value[T]) Type() string { return "string" }

// Set reads the text. The error names the flag.
func (v *value[T]) Set(text string) error {
	if text == "" && v.text == "" {
		return nil
	}
	x, err := v.read(text)
	if err != nil {
		return flagError(v.name, text, err)
	}
	*v.to, v.text = x, text
	return nil
}

// flagError makes an error one about a flag, unless it is one. An error that begins with the
// flag's text follows its name without a colon.
func flagError(name, text string, err error) error {
	switch message := err.Error(); {
	case strings.HasPrefix(message, "--"):
		return usageError(err)
	case strings.HasPrefix(message, `"`), strings.HasPrefix(message, text):
		return usagef("--%s %w", name, err)
	}
	return usagef("--%s: %w", name, err)
}

func addFlag[T any](cmd *cobra.Command, to *T, name, usage string, read func(string) (T, error)) {
	cmd.Flags().Var(&value[T]{name: name, to: to, read: read}, name, usage)
}

// choice adds a flag with fixed values, which the shell completes.
func choice(cmd *cobra.Command, name, byDefault, usage string, accepted ...string) *string {
	return choiceOf(cmd, new(string), name, byDefault, usage, accepted,
		func(text string) (string, error) { return text, nil })
}

// choiceOf adds a flag with fixed values that have a type of their own.
func choiceOf[T any](cmd *cobra.Command, to *T, name, byDefault, usage string, accepted []string,
	parse func(string) (T, error)) *T {
	v := &value[T]{name: name, to: to, text: byDefault, read: func(text string) (T, error) {
		if err := known(text, accepted); err != nil {
			return *new(T), err
		}
		return parse(text)
	}}
	if byDefault != "" {
		*to, _ = parse(byDefault) // one of the accepted
	}
	cmd.Flags().Var(v, name, usage)
	complete := cobra.FixedCompletions(accepted, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic("larder: " + err.Error()) // the flag is there
	}
	return to
}

// formatFlag adds --format. Lists have table, csv and json.
func formatFlag(cmd *cobra.Command, accepted ...string) *string {
	if accepted == nil {
		accepted = []string{"table", "csv", "json"}
	}
	return choice(cmd, "format", "table", "how to print: "+phrase.Or(accepted), accepted...)
}

var tableOrJSON = []string{"table", "json"}

func (a *app) dbFlag(cmd *cobra.Command) *string {
	cmd.Flags().BoolVar(&a.demo, "demo", false,
		"read the demo snapshot, whose prices are invented, also into a file or pipe")
	return cmd.Flags().String("db", "", "the snapshot `file` (default: the demo snapshot)")
}

func dateFlag(cmd *cobra.Command, to *panel.Date, name, usage string) {
	addFlag(cmd, to, name, usage, panel.ParseDate)
}

// needs marks flags without which the command can't run.
func needs(cmd *cobra.Command, flags ...string) {
	cmd.Annotations = map[string]string{"needs": strings.Join(flags, " ")}
}

func checkNeeds(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Lookup(name).Value.String() == "" {
			return usagef("%s needs --%s; for example:\n%s", cmd.CommandPath(), name, cmd.Example)
		}
	}
	return nil
}

// exactly checks that there is one argument for each name, besides the flags.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return usagef("%s needs %s; for example:\n%s", cmd.CommandPath(), names[len(args)], cmd.Example)
		case len(args) > len(names):
			return usagef("%s does not take %q", cmd.CommandPath(), args[len(names)])
		}
		return nil
	}
}

// atLeast checks that a command has arguments.
func atLeast(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		return exactly(name)(cmd, args[:min(len(args), 1)])
	}
}

// selection holds the flags that choose index rows.
type selection struct {
	jevons.Filter
	series, category *string
}

func selectionFlags(cmd *cobra.Command) *selection {
	s := &selection{category: categoryFlag(cmd, "", " (default: all)")}
	s.series = choice(cmd, "series", "v2", "v2, or v1: the frozen March to June 2026 pilot", "v2", "v1")
	choiceOf(cmd, &s.Level, "level", "", "national, city or banner (default: all)",
		[]string{"national", "city", "banner"}, jevons.ParseLevel)
	cityFlag(cmd, &s.City, " (default: all)")
	cmd.Flags().StringVar(&s.Banner, "banner", "", "a banner's `key` (default: all)")
	dateFlag(cmd, &s.From, "from", "first `date`, YYYY-MM-DD (default: the base week)")
	dateFlag(cmd, &s.To, "to", "last `date`, YYYY-MM-DD (default: today)")
	return s
}

// check checks the flags against each other, and against cities, keys of banners and categories. The city gets its
// display name.
func (s *selection) check(cities []basket.City, banners []string, categories basket.Categories) error {
	if err := oneOf("category", *s.category, categories.Words()); err != nil {
		return err
	}
	if *s.category != "" {
		s.Categories = []string{*s.category}
	}
	if err := findCity("city", &s.City, cities, cityName); err != nil {
		return err
	}
	if err := oneOf("banner", s.Banner, banners); err != nil {
		return err
	}
	switch {
	case s.To != 0 && s.From > s.To:
		return usagef("--from %s is after --to %s", s.From, s.To)
	case s.Level == jevons.National && s.City != "":
		return usagef("--level national and --city %q contradict each other: national rows have no city", s.City)
	case (s.Level == jevons.National || s.Level == jevons.City) && s.Banner != "":
		return usagef("--level %s and --banner %s contradict each other: only --level banner has banners", s.Level,
			s.Banner)
	}
	return nil
}

// categoryFlag adds --category, whose value is checked against a snapshot.
func categoryFlag(cmd *cobra.Command, byDefault, more string) *string {
	return cmd.Flags().String("category", byDefault, "a category, or overall for the headline"+more)
}

func cityFlag(cmd *cobra.Command, to *string, more string) {
	cmd.Flags().StringVar(to, "city", "", "a `city`, by its slug or its name, such as toronto"+more)
}

func cityName(c basket.City) string { return c.Name }

func citySlug(c basket.City) string { return c.Slug }

// findCity replaces a flag's city, a slug or a name, by the one that a command goes on with. Case, accents and signs
// need not be right where the letters and digits are those of one city.
func findCity(flag string, text *string, cities []basket.City, as func(basket.City) string) error {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, fold.Text(s))
	}
	if slices.Contains(mapped(cities, as), *text) {
		return nil
	}
	for _, form := range []func(string) string{func(s string) string { return s }, letters} {
		meant := slices.DeleteFunc(slices.Clone(cities), func(c basket.City) bool {
			return form(c.Slug) != form(*text) && form(c.Name) != form(*text)
		})
		if len(meant) == 1 && form(*text) != "" {
			*text = as(meant[0])
			return nil
		}
	}
	return oneOf(flag, *text, mapped(cities, as), append(mapped(cities, cityName), mapped(cities, citySlug)...)...)
}

func bannerKeys(p *panel.Panel) []string {
	return mapped(p.Banners(), func(b basket.Banner) string { return b.Key })
}

func indexBanners(p *panel.Panel) (keys []string) {
	for _, b := range p.Banners() {
		if b.InIndex {
			keys = append(keys, b.Key)
		}
	}
	return keys
}

// mapped returns what a function makes of each element of a list.
func mapped[A, B any](list []A, of func(A) B) []B {
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

func oneOf(flag, value string, accepted []string, alike ...string) error {
	if value == "" {
		return nil
	}
	if err := known(value, accepted, alike...); err != nil {
		return flagError(flag, value, err)
	}
	return nil
}

// known fails for a value that is not accepted. The error lists those that are and suggests
// the nearest of these or of others that are taken too.
func known(value string, accepted []string, alike ...string) error {
	if slices.Contains(accepted, value) {
		return nil
	}
	list := strings.Join(accepted, ", ")
	if meant := suggest.Nearest(value, slices.Concat(accepted, alike)); meant != "" {
		return fmt.Errorf("%q is not known here; did you mean %q? Accepted: %s", value, meant, list)
	}
	return fmt.Errorf("%q is not known here; accepted: %s", value, list)
}

func readTime(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("%q is not a time such as 2026-11-20T12:00:00Z", text)
	}
	return t, nil
}
