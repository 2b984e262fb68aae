package wsh

import (
	"context"
	"slices"

	"github.com/alecthomas/kong"

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
	model := new(grammar).program(e.version, e.vars, e.Streams).Model()
	if _, err := find(model.Node, c.Words); err != nil {
		return err
	}
	if status := Run(ctx, e.version, append(slices.Clone(c.Words), "--help"), e.vars, e.Streams); status != exitOK {
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
