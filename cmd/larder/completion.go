package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/sqlite"
	"github.com/larder-index/larder/panel/synth"
)

// completions returns the values of a flag that a snapshot has, each with what it is, for what is typed.
type completions func(p *panel.Panel, typed string) []cobra.Completion

// completes lets the shell complete a flag from the snapshot that the command would read.
func completes(cmd *cobra.Command, flag string, from completions) {
	completeFlag(cmd, flag, func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return offer(cmd, typed, from), cobra.ShellCompDirectiveNoFileComp
	})
}

// completesList is completes for a flag of values with commas between.
func completesList(cmd *cobra.Command, flag string, from completions) {
	completeFlag(cmd, flag, func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		last := strings.LastIndex(typed, ",") + 1
		list := mapped(offer(cmd, typed[last:], from), func(c cobra.Completion) cobra.Completion { return typed[:last] + c })
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

func completeFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic("larder: " + err.Error()) // the flag is there
	}
}

// offer returns what fits, and nothing where there is no snapshot: the shell shows no error. A demo snapshot is
// not made for it.
func offer(cmd *cobra.Command, typed string, from completions) (list []cobra.Completion) {
	flagsFromEnvironment(cmd.Flags()) //nolint:errcheck // the command says it
	given := func(flag string) string {
		if f := cmd.Flag(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	db := given("db")
	if dir, err := demoDir(); db == "" && cmd.Flag("db") != nil && given("log") == "" && err == nil {
		made, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("demo-%d.%d-*.db", sqlite.SchemaVersion, synth.Version)))
		db = append([]string{""}, made...)[len(made)]
	}
	p, err := sqlite.LoadReferences(db)
	if err != nil {
		return nil
	}
	for _, c := range from(p, typed) {
		if strings.HasPrefix(c, typed) {
			text, is, _ := strings.Cut(c, "\t")
			list = append(list, cobra.CompletionWithDesc(printable(text), printable(is)))
		}
	}
	return list
}

// completeCities returns slugs, or names where what is typed begins none.
func completeCities(p *panel.Panel, typed string) []cobra.Completion {
	return mapped(p.Cities(), func(c basket.City) cobra.Completion {
		text := c.Slug
		if !strings.HasPrefix(text, typed) {
			text = c.Name
		}
		return cobra.CompletionWithDesc(text, c.Name+", "+c.Province)
	})
}

func completeBanners(meant func(basket.Banner) bool) completions {
	return func(p *panel.Panel, _ string) (list []cobra.Completion) {
		for _, b := range p.Banners() {
			if meant(b) {
				list = append(list, cobra.CompletionWithDesc(b.Key, b.Name))
			}
		}
		return list
	}
}

func inIndex(b basket.Banner) bool   { return b.InIndex }
func inShopper(b basket.Banner) bool { return b.InShopper }
func anyBanner(basket.Banner) bool   { return true }

func completeProducts(p *panel.Panel, _ string) []cobra.Completion {
	return mapped(p.Products(), func(x basket.Product) cobra.Completion {
		return cobra.CompletionWithDesc(strconv.Itoa(x.ID), x.Name)
	})
}
