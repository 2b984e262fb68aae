package wsh

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/spell"
)

// A helpCommand is "wsh help".
type helpCommand struct {
	Words []string `arg:"" optional:"" name:"command" complete:"help" help:"A command, such as attach or \"token new\", or a topic: keys, sizes, states, settings or environment."`
}

// Help is the last part of what --help prints.
func (helpCommand) Help() string {
	return `Without a command, the whole command line is described.

    wsh help attach
    wsh help keys`
}

func (c helpCommand) run(ctx context.Context, e env) error {
	for _, topic := range topics {
		if len(c.Words) == 1 && c.Words[0] == topic.Name {
			return e.printf("%s\n", topic.Text)
		}
	}
	model := new(grammar).program(e.version, e.Streams).Model()
	if _, err := find(model.Node, c.Words); err != nil {
		return err
	}
	if status := Run(ctx, e.version, append(slices.Clone(c.Words), "--help"), e.Streams); status != exitOK {
		return &statusError{status: status}
	}
	return nil
}

// find returns the command of a path such as "token", "new".
func find(node *kong.Node, path []string) (*kong.Node, error) {
	for _, name := range path {
		i := slices.IndexFunc(node.Children, func(c *kong.Node) bool {
			return !c.Hidden && (c.Name == name || slices.Contains(c.Aliases, name))
		})
		if i < 0 {
			return nil, unknownHelp(node, name)
		}
		node = node.Children[i]
	}
	return node, nil
}

func unknownHelp(node *kong.Node, name string) error {
	var names []string
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	if node.Type == kong.ApplicationNode {
		for _, topic := range topics {
			names = append(names, topic.Name)
		}
	}
	if meant := spell.Nearest(name, names); meant != "" {
		return fault.New(fault.Invalid, "there is no command or topic %q: did you mean %q?", name, meant)
	}
	return fault.New(fault.Invalid, "there is no command or topic %q: \"wsh help\" lists them", name)
}

// A manCommand is "wsh man".
type manCommand struct {
	Words []string `arg:"" optional:"" name:"command" complete:"help" help:"The command (default: wsh itself)."`
	Dir   string   `complete:"directories" placeholder:"DIR" help:"Write all pages into a directory instead, such as ~/.local/share/man/man1, which is made."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (manCommand) Help() string {
	return `The page is printed as man(1) reads it. With --dir, all pages are written, and their names are printed.

    wsh man run | man -l -
    wsh man --dir ~/.local/share/man/man1; man wsh-run`
}

func (c manCommand) run(_ context.Context, e env) error {
	model := new(grammar).program(e.version, e.Streams).Model()
	page := manual.Page{Program: "wsh", Version: version.Number(e.version), About: description, Topics: topics}
	if c.Dir == "" {
		node, err := find(model.Node, c.Words)
		if err != nil {
			return err
		}
		if len(c.Words) > 0 {
			page.Command, page.Topics = node, nil
		}
		text := page.Write(model)
		if c.JSON {
			return e.printJSON(map[string]string{"page": page.Name() + ".1", "text": text})
		}
		return e.printf("%s", text)
	}
	dir := kong.ExpandPath(c.Dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the pages")
	}
	names, err := manual.Install(dir, page, model)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "write the pages")
	}
	if c.JSON {
		return e.printJSON(map[string]any{"dir": dir, "pages": names})
	}
	return e.printf("%s\n", strings.Join(names, "\n"))
}

// completeHelp returns what "wsh help" and "wsh man" take.
func completeHelp(command *kong.Node, given []string) []string {
	root := command
	for root.Parent != nil {
		root = root.Parent
	}
	node, err := find(root, given)
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	if command.Name == "help" && len(given) == 0 {
		for _, topic := range topics {
			names = append(names, topic.Name)
		}
	}
	return names
}
