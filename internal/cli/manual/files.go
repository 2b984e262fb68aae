package manual

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
)

// A Command is the command line of "man".
type Command struct {
	Words []string `arg:"" optional:"" name:"command" complete:"help" help:"The command (default: ${program} itself)."`
	Dir   string   `complete:"directories" placeholder:"DIR" help:"Write all pages into a directory instead, such as ~/.local/share/man/man1; it is created if need be."`
	JSON  bool     `name:"json" help:"Print JSON."`
}

// Run implements [commandline.Shared].
func (c Command) Run(_ context.Context, e commandline.Call) error {
	model := e.Program.Model()
	page := Page{Program: e.Program.Name, Version: version.Number(e.Version), About: e.Program.Description, Topics: e.Program.Topics}
	if c.Dir != "" {
		names, err := Install(c.Dir, page, model)
		if err != nil {
			return err
		}
		return e.Print(c.JSON, strings.Join(names, "\n")+"\n", map[string]any{"dir": kong.ExpandPath(c.Dir), "pages": names})
	}
	node, unknown := commandline.Find(model.Node, c.Words)
	if unknown != "" {
		return fault.New(fault.Invalid, "there is no manual page for %q: \"%s --help\" lists the commands", unknown, page.Program)
	}
	if len(c.Words) > 0 {
		page.Command, page.Topics = node, nil
	}
	text := page.Write(model)
	return e.Print(c.JSON, text, map[string]string{"page": page.Name() + ".1", "text": text})
}

// Details are the last part of what --help prints.
const Details = `The page is printed as man(1) reads it. With --dir, all pages are written, and their names are printed.

    PROGRAM man docs | man -l -
    PROGRAM man --dir ~/.local/share/man/man1; man PROGRAM-docs`

// All returns the pages of a program: its own, and one for each command that is not hidden.
func All(program Page, model *kong.Application) []Page {
	pages := []Page{program}
	var add func(*kong.Node)
	add = func(node *kong.Node) {
		for _, c := range node.Children {
			if !c.Hidden {
				pages = append(pages, Page{Program: program.Program, Version: program.Version, Command: c})
				add(c)
			}
		}
	}
	add(model.Node)
	return pages
}

// Install writes all pages of a program into a directory, such as ~/.local/share/man/man1, and
// returns their names.
func Install(dir string, program Page, model *kong.Application) ([]string, error) {
	dir = kong.ExpandPath(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fault.Wrap(fault.Precondition, err, "write the pages")
	}
	var names []string
	for _, p := range All(program, model) {
		name := p.Name() + ".1"
		if err := files.Write(filepath.Join(dir, name), []byte(p.Write(model)), 0o644); err != nil {
			return names, fault.Wrap(fault.Precondition, err, "write the pages")
		}
		names = append(names, name)
	}
	return names, nil
}
