package sqlite

import "github.com/larder-index/larder/panel"

// derive judges the whole panel anew after an import. It sets aside the findings
// of the quality gate's rules and records packs that got smaller. After an import
// that changed nothing it does nothing: the rules compare with medians without
// earlier findings, so a second look at the same rows could find more.
func (im *importer) derive() error {
	if !im.changed() {
		return nil
	}
	labels, err := readLabels(im.conn)
	if err != nil {
		return err
	}
	if err := im.deriveQuarantine(labels); err != nil {
		return err
	}
	if err := im.ctx.Err(); err != nil {
		return err
	}
	return im.deriveEvents(labels)
}

func (im *importer) deriveQuarantine(labels []panel.Label) error {
	gate, err := readGate(im.conn)
	if err != nil {
		return err
	}
	banners, err := banners.read(im.conn)
	if err != nil {
		return err
	}
	stores, err := stores.read(im.conn)
	if err != nil {
		return err
	}
	screens := screensOf(gate, labels)
	d := panel.NewDerivation(gate, banners, stores)
	err = eachPacked(im.ctx, im.conn, false, func(rows []storedRow) error {
		for i := range rows {
			o := &rows[i]
			d.Add(screens[o.label], o.Store, o.ID, o.Effective, o.ObservedAt)
		}
		return nil
	})
	if err != nil {
		return err
	}
	put, err := quarantine.writer(im.conn)
	if err != nil {
		return err
	}
	for _, e := range d.Entries() {
		if err := put(&e); err != nil {
			return err
		}
		im.summary.Quarantined++
	}
	return nil
}
