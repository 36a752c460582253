package csvdir

import (
	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/panel"
)

// The files of a panel directory, in an order in which a row refers only to
// earlier files or rows. docs/snapshot.md lists their columns.
var (
	Settings          *Table[Setting]           = settingsTable()
	Products          *Table[basket.Product]    = productsTable()
	Cities            *Table[basket.City]       = citiesTable()
	Banners           *Table[basket.Banner]     = bannersTable()
	Stores            *Table[panel.Store]       = storesTable()
	Listings          *Table[panel.Listing]     = listingsTable()
	Observations      *Table[panel.Observation] = observationsTable()
	Specs             *Table[basket.Spec]       = specsTable()
	QuarantineEntries *Table[panel.Quarantine]  = quarantineEntriesTable()
	ShrinkEvents      *Table[panel.ShrinkEvent] = shrinkEventsTable()
	Pilot             *Table[panel.PilotRow]    = pilotTable()
)
