package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
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
			return a.writeManual(cmd.Root(), args[0])
		},
	}
}

// writeManual writes the pages of a command and of those under it.
func (a *app) writeManual(cmd *cobra.Command, dir string) error {
	page := a.manual(cmd)
	if err := os.WriteFile(filepath.Join(dir, pageName(cmd)+".1"), []byte(page), 0o644); err != nil {
		return err
	}
	for _, under := range documented(cmd) {
		if err := a.writeManual(under, dir); err != nil {
			return err
		}
	}
	return nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// documented returns the commands under one that help lists, but for help itself.
func documented(cmd *cobra.Command) (list []*cobra.Command) {
	for _, under := range cmd.Commands() {
		if under.IsAvailableCommand() && under.Name() != "help" {
			list = append(list, under)
		}
	}
	return list
}

var (
	indented   = regexp.MustCompile(`^[ \t]`)
	paragraphs = regexp.MustCompile(`\n\s*\n`)
	flagLine   = regexp.MustCompile(`^ *(\S.*?)(?: {2,}(.*))?$`) // the flag, then what it does
)

// roff escapes text. A line that would be a request begins with nothing.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
}

// manual returns a page of man(7) macros with the help of a command.
func (a *app) manual(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	var b strings.Builder
	section := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, ".SH %s\n%s", name, text)
		}
	}
	as := func(text string) string { return ".nf\n" + roff(strings.TrimRight(text, "\n")) + "\n.fi\n" }
	entry := func(term, text string) string { return fmt.Sprintf(".TP\n.B %s\n%s\n", roff(term), roff(text)) }
	flags := func(usages string) (text string) {
		for line := range strings.Lines(usages) {
			m := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
			text += entry(m[1], m[2])
		}
		return text
	}
	name := roff(pageName(cmd))
	fmt.Fprintf(&b, ".TH %s 1 %s \"%s\" Larder\n", strings.ToUpper(name), a.now.UTC().Format("2006-01-02"), roff(version()))
	section("NAME", fmt.Sprintf("%s \\- %s\n", name, roff(cmd.Short)))
	given := strings.TrimPrefix(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()), " ")
	if given == "[flags]" && cmd.HasSubCommands() {
		given = "COMMAND"
	}
	section("SYNOPSIS", strings.TrimSuffix(fmt.Sprintf(".B %s\n%s", roff(cmd.CommandPath()), roff(given)), "\n")+"\n")
	long := ""
	for i, p := range paragraphs.Split(strings.Trim(cmd.Long, "\n"), -1) {
		if i > 0 {
			long += ".PP\n"
		}
		switch {
		case p == "":
		case indented.MatchString(p):
			long += as(p)
		default:
			long += roff(p) + "\n"
		}
	}
	section("DESCRIPTION", long)
	commands, also := "", ""
	refer := func(to *cobra.Command) {
		also += fmt.Sprintf(".BR %s (1),\n", roff(pageName(to)))
	}
	if cmd.HasParent() {
		refer(cmd.Parent())
	}
	for _, under := range documented(cmd) {
		commands += entry(under.CommandPath(), under.Short)
		refer(under)
	}
	section("COMMANDS", commands)
	section("OPTIONS", flags(cmd.NonInheritedFlags().FlagUsages()))
	section(`"GLOBAL OPTIONS"`, flags(cmd.InheritedFlags().FlagUsages()))
	if cmd.Example != "" {
		section("EXAMPLES", as(cmd.Example))
	}
	section(`"SEE ALSO"`, strings.TrimSuffix(also, ",\n")+"\n")
	return b.String()
}
