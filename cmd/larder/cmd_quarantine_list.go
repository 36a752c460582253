package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/panel"
)

// entrySelection is the flags that choose entries of the quarantine.
type entrySelection struct {
	all          bool
	rule, banner string
	product      int
}

func (a *app) quarantineListCommand() *cobra.Command {
	var (
		db, format string
		chosen     entrySelection
	)
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print the entries, and how many rows each sets aside",
		Long: `Prints the entries of the quarantine by id: the rule that made each, what it is
for, when it was found, how many rows it sets aside now (of active stores,
listings and products), and its evidence. Without --all only those in force.`,
		Example: `  larder quarantine list
  larder quarantine list --db larder.db --all --rule wrong_basis --format csv`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, formats); err != nil {
				return err
			}
			if err := oneOfOrNone("rule", chosen.rule, panel.QuarantineRules[:]); err != nil {
				return err
			}
			all, _, err := a.openContents(cmd.Context(), db)
			if err != nil {
				return err
			}
			if err := oneOfOrNone("banner", chosen.banner, bannerKeys(all.Panel)); err != nil {
				return err
			}
			if cmd.Flags().Changed("product") && !hasProduct(all.Panel, chosen.product) {
				return usagef("--product %d is not known here; it takes the id of a canonical product", chosen.product)
			}
			entries := slices.DeleteFunc(entriesOf(all), func(x setAside) bool { return !chosen.has(&x) })
			if len(entries) == 0 {
				fmt.Fprintln(a.stderr, "larder: no entry matches; --all lists released ones too")
			}
			return printEntries(a.stdout, format, entries)
		},
	}
	dbFlag(cmd, &db)
	f := cmd.Flags()
	f.BoolVar(&chosen.all, "all", false, "released entries too")
	f.StringVar(&chosen.rule, "rule", "", "only entries by this `rule`: "+joinOr(panel.QuarantineRules[:]))
	f.IntVar(&chosen.product, "product", 0, "only entries for listings of the product with this `id`")
	f.StringVar(&chosen.banner, "banner", "", "a banner's `key` (default: all)")
	completeWith(cmd, "rule", panel.QuarantineRules[:]...)
	formatFlag(cmd, &format, formats...)
	return cmd
}

func (s *entrySelection) has(x *setAside) bool {
	return (s.all || !x.Released) && (s.rule == "" || x.Rule.String() == s.rule) &&
		(s.product == 0 || x.product.ID == s.product) && (s.banner == "" || x.banner.Key == s.banner)
}

func hasProduct(p *panel.Panel, id int) bool {
	for i := range p.Products() {
		if p.Products()[i].ID == id {
			return true
		}
	}
	return false
}
