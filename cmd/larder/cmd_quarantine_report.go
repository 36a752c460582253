package main

import (
	"context"
	"fmt"

	"github.com/larder-index/larder/panel"
)

// changed loads what an operator's change led to. It is not interrupted: the
// change is made.
func (a *app) changed(ctx context.Context, db string, id int64) (entries []setAside, this *setAside, err error) {
	all, _, err := a.openContents(context.WithoutCancel(ctx), db)
	if err != nil {
		return nil, nil, fmt.Errorf("the change is made, but: %w", err)
	}
	entries = entriesOf(all)
	for i := range entries {
		if entries[i].ID == id {
			return entries, &entries[i], nil
		}
	}
	return nil, nil, fmt.Errorf("the change is made, but %s has been replaced since", db)
}

func (a *app) reportAdded(ctx context.Context, db string, id int64) error {
	_, x, err := a.changed(ctx, db, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "entry %d, %s, is in force: %s; it sets aside %s\n", id, x.Rule, printable(x.what()), plural(x.held(), "row"))
	return nil
}

// reportReleased says what a release did, and what still stands in the way of
// the listing's rows.
func (a *app) reportReleased(ctx context.Context, db string, id int64) error {
	entries, x, err := a.changed(ctx, db, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "entry %d, %s, is released: %s\n", id, x.Rule, printable(x.what()))
	fmt.Fprintf(a.stderr, "of its %s, pass again: %d; fail identity by title or size: %d; held by other entries: %d\n",
		plural(x.about(), "row"), x.rows[panel.Pass], x.rows[panel.FailsIdentity], x.rows[panel.Quarantined])
	for i := range entries {
		if other := &entries[i]; other.Listing == x.Listing && other.held() > 0 {
			fmt.Fprintf(a.stderr, "entry %d, %s, still sets aside %s of this listing, at %s\n",
				other.ID, other.Rule, plural(other.held(), "row"), other.place())
		}
	}
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
