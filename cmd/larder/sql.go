package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/internal/phrase"
	"github.com/larder-index/larder/jevons/sqlscript"
)

func (a *app) sqlCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sql",
		Short: "Print the method as a script of SQL",
		Long: `Prints a script that computes the published rows of the index, with the columns of
--include quality, from the tables of "larder release --publish".`,
		Example: `  larder sql --db larder.db --dialect duckdb > index.sql
  larder sql --db larder.db --dialect postgres`,
	}
	var script sqlscript.Script
	db := a.dbFlag(cmd)
	dialect := choice(cmd, "dialect", "", "the engine: "+phrase.Or(sqlscript.Dialects()), sqlscript.Dialects()...)
	needs(cmd, "dialect")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		all, err := a.open(cmd.Context(), *db, false)
		if err != nil {
			return err
		}
		p := all.Panel
		for _, b := range p.Banners() {
			if b.InIndex && b.Verified {
				return fmt.Errorf("banner %q is verified and in the index: its rows that nobody approved count "+
					"there, and the files of prices lack them; take verified or in_index off it", b.Key)
			}
		}
		for _, product := range p.Products() {
			if product.Active {
				script.Products++
			}
		}
		script.Banners, script.Base, script.Through = indexBanners(p), p.BaseWeek(), p.Calendar().LastClosed(a.now)
		script.Dialect, script.About = *dialect, p.About()
		return script.Write(a.stdout)
	}
	return cmd
}
