package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons/sqlscript"
	"github.com/larder-index/larder/panel"
)

func (a *app) sqlCommand() *cobra.Command {
	var (
		db     string
		script sqlscript.Script
	)
	cmd := &cobra.Command{
		Use:   "sql",
		Short: "Print the method as a script of SQL",
		Long: `Prints a script that computes the published rows of the index, with the columns of
--include quality, from the tables of "larder export --format parquet". Use it for a
panel that is too large for one machine. Comments name the section of the method that each
statement computes.

The base week and the index banners come from the snapshot, which needs no prices. The last
closed week comes from the clock.`,
		Example: `  larder sql --dialect duckdb > index.sql
  larder sql --db larder.db --dialect postgres`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmp.Or(required(cmd, "dialect", script.Dialect), oneOf("dialect", script.Dialect, sqlscript.Dialects())); err != nil {
				return err
			}
			p, now, err := a.openPanel(cmd.Context(), db)
			if err != nil {
				return err
			}
			for _, b := range p.Banners() {
				if b.InIndex && b.Verified {
					return fmt.Errorf("banner %q is verified and in the index: its rows that nobody approved count there, and the files of prices lack them; take verified or in_index off it", b.Key)
				}
			}
			for _, product := range p.Products() {
				if product.Active {
					script.Products++
				}
			}
			script.Banners, script.Base, script.Through = indexBanners(p), p.BaseWeek(), panel.LastClosed(now)
			return script.Write(a.stdout)
		},
	}
	dbFlag(cmd, &db)
	cmd.Flags().StringVar(&script.Dialect, "dialect", "", "the engine: "+phrase.Or(sqlscript.Dialects()))
	completeWith(cmd, "dialect", sqlscript.Dialects()...)
	return cmd
}
