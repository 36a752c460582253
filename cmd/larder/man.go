package main

import (
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Writes what "larder help" says as manual pages into a folder: larder.1, and one for each
command, such as larder-keys-rotate.1. --now is their date.`,
		Example: `  larder man man1/
  man -l man1/larder-index.1`,
		Args: exactly("the folder to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root := a.rootCommand() // its texts become Markdown
			forManual(root)
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Date: &a.now, Source: version(), Manual: "Larder"}, args[0])
		},
	}
}

var (
	marks = regexp.MustCompile("[*_`<>\\[\\]|~&\\\\]")
	lists = regexp.MustCompile(`(?m)^  +`)
)

// forManual makes the texts of a command, and of those under it, the Markdown that cobra takes: an indented line
// stands as it is, and nothing else has a meaning.
func forManual(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	var out []string
	for _, part := range strings.Split(cmd.Long, "\n\n") {
		if lists.MatchString(part) {
			part = lists.ReplaceAllString(part, "      ")
		} else {
			part = marks.ReplaceAllString(part, `\$0`)
		}
		out = append(out, part)
	}
	cmd.Long = strings.Join(out, "\n\n")
	for _, under := range cmd.Commands() {
		forManual(under)
	}
}
