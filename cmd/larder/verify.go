package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/larder-index/larder/jevons/release/folder"
)

func (a *app) verifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Verify the published folder of a release",
		Long: `Verifies a folder that "larder release --publish" wrote, from its files alone: sums,
leaf and checkpoint, and every published row, computed anew from panel/. Give the
publisher's public key as --key to check the signature too.`,
		Example: `  larder verify r12/
  larder verify r12/ --key prices.example.org+a1b2c3d4+...`,
		Args: exactly("the folder of a release"),
	}
	key := cmd.Flags().String("key", "", "the publisher's public `key`, as larder release --new-key printed it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, err := folder.Verify(cmd.Context(), args[0], *key)
		if err != nil {
			return fmt.Errorf("%s does not verify:\n%w", args[0], err)
		}
		a.warnInvented(v.About)
		fmt.Fprintf(a.stdout, "release %s of %s is as it was published: %d files, %d rows recomputed from panel/\n",
			v.ID(), v.At.Format(time.RFC3339), v.Files, v.Rows)
		if *key == "" {
			fmt.Fprintln(a.stdout, "no --key: nobody's signature was checked")
		}
		return nil
	}
	return cmd
}
