package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/httpapi"
	"github.com/larder-index/larder/httpapi/prepared"
)

func (a *app) mcpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcp [--db FILE]",
		Short: "Offer the comparison and the index to an agent, over standard input and output",
		Long: `Speaks the Model Context Protocol over standard input and output, with tools that only
read. An agent host starts it; docs/mcp.md says how to tell it so.`,
		Example: `  larder mcp
  larder mcp --db larder.db --base-url https://prices.example.org`,
	}
	db := a.dbFlag(cmd)
	var baseURL string
	addFlag(cmd, &baseURL, "base-url",
		"the `address` of your larder serve, for links in results; without it there are none", readOrigin)
	a.logLevelFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.mcp(cmd.Context(), *db, baseURL) }
	return cmd
}

// mcp serves one client until its input ends or the context is done.
func (a *app) mcp(ctx context.Context, db, baseURL string) error {
	clock := a.runningClock()
	a.kept = false // every answer says that the demo's prices are invented
	db, err := a.snapshotPath(ctx, db)
	if err != nil {
		return err
	}
	log := a.logger(clock)
	snapshots := prepared.NewSnapshots(db, clock)
	server, err := httpapi.NewMCP(snapshots, clock, baseURL, log)
	if err != nil {
		return err
	}
	if err := snapshots.Refresh(ctx); err != nil {
		return err
	}
	watched := watch(ctx, snapshots, log)
	defer watched()
	if a.terminal {
		fmt.Fprintln(a.stderr,
			"larder: waiting for messages of the Model Context Protocol on standard input; an agent host sends them "+
				"(see larder help mcp)")
	}
	return server.RunStdio(ctx, os.Stdin, messages{a.stdout})
}

// messages writes each message at once. Close leaves the standard output to the program.
type messages struct{ *output }

func (w messages) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	return n, cmp.Or(err, w.Flush())
}

func (messages) Close() error { return nil }
