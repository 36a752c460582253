package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
)

// downloads are the pages that a figure is recomputed from, and those that it is
// compared with.
type downloads struct {
	files          int
	prices, index  []*query
	rows           []priceRow // of all queries for prices, each once
	indexRows      []indexRow
	products       []basket.Product
	gate           string
	oldest, newest time.Time
}

// readDownloads opens the files of each flag, and those that are named behind
// them, which may be of any endpoint.
func readDownloads(prices, products, index, others []string) (*downloads, error) {
	d := &downloads{}
	var priced, indexed []*page
	var errs []error
	productsFile := ""
	for _, list := range []struct {
		files     []string
		endpoints []string
	}{
		{prices, []string{pricesEndpoint}},
		{products, []string{productsEndpoint}},
		{index, []string{indexEndpoint, publicIndexEndpoint}},
		{others, nil},
	} {
		for _, file := range list.files {
			p, err := openPage(file)
			if err == nil && list.endpoints != nil && !slices.Contains(list.endpoints, p.meta.Endpoint) {
				err = fmt.Errorf("%s: it is of %s, and should be of %s", file, p.meta.Endpoint, strings.Join(list.endpoints, " or "))
			}
			if err != nil {
				errs = append(errs, err)
				continue
			}
			d.note(p)
			switch p.meta.Endpoint {
			case pricesEndpoint:
				priced = append(priced, p)
			case productsEndpoint:
				if productsFile != "" {
					errs = append(errs, fmt.Errorf("%s and %s both hold the products: leave the older one out", productsFile, file))
				}
				productsFile = file
				errs = append(errs, d.addProducts(p))
			default:
				indexed = append(indexed, p)
			}
		}
	}
	switch {
	case errors.Join(errs...) != nil:
		return nil, errors.Join(errs...)
	case priced == nil:
		return nil, usagef("larder verify needs --prices: pages of %s", pricesEndpoint)
	case productsFile == "":
		return nil, usagef("larder verify needs --products: the answer of %s", productsEndpoint)
	}
	return d, errors.Join(d.addPrices(priced), d.addIndex(indexed))
}

func (d *downloads) note(p *page) {
	d.files++
	at := p.meta.GeneratedAt
	if d.files == 1 || at.Before(d.oldest) {
		d.oldest = at
	}
	if d.files == 1 || at.After(d.newest) {
		d.newest = at
	}
}

func (d *downloads) addProducts(p *page) error {
	for i := range p.products {
		product, err := p.products[i].product()
		if err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		d.products = append(d.products, product)
	}
	return nil
}

// addPrices puts the pages of prices together, and refuses what can't be of one
// snapshot.
func (d *downloads) addPrices(pages []*page) error {
	d.gate = pages[0].meta.GateVersion
	for _, p := range pages {
		if p.meta.GateVersion != d.gate {
			return fmt.Errorf("%s is of gate_version %q, %s of %q: the same rows may have other verdicts; download both again", pages[0].file, d.gate, p.file, p.meta.GateVersion)
		}
	}
	var err error
	if d.prices, err = queriesOf(pages); err != nil {
		return err
	}
	for _, q := range d.prices {
		err = errors.Join(err, q.whole(), q.ordered())
	}
	if err != nil {
		return err
	}
	type first struct {
		at   int
		file string
	}
	seen := map[int64]first{}
	for _, p := range pages {
		for _, r := range p.prices {
			f, again := seen[r.id]
			if !again {
				seen[r.id] = first{len(d.rows), p.file}
				d.rows = append(d.rows, r)
			} else if d.rows[f.at] != r {
				return fmt.Errorf("row %d stands in %s and in %s with different members: the data changed between the downloads, or a page was changed; download both again", r.id, f.file, p.file)
			}
		}
	}
	return d.agree()
}

// agree refuses queries of which one holds a row that another should hold too.
func (d *downloads) agree() error {
	if len(d.prices) == 1 {
		return nil
	}
	for i := range d.rows {
		r := &d.rows[i]
		for _, q := range d.prices {
			if q.asksFor(r) && q.reaches(r.day) && !q.rows[r.id] {
				return fmt.Errorf("row %d is in %s and not in %s, where it belongs too: the data changed between the downloads; download both again", r.id, d.fileOf(r.id), q.pages[0].file)
			}
		}
	}
	return nil
}

// fileOf names the first file that has a row.
func (d *downloads) fileOf(id int64) string {
	for _, q := range d.prices {
		for _, p := range q.pages {
			if slices.ContainsFunc(p.prices, func(r priceRow) bool { return r.id == id }) {
				return p.file
			}
		}
	}
	return ""
}
