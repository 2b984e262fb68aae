package wsh

import (
	"context"
	"slices"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/setup"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/ui/spell"
)

type helpCommand struct {
	Words []string `arg:"" optional:"" name:"command" complete:"help" help:"A command, such as attach or \"token new\", or a topic: keys, sizes, states, settings or environment."`
}

func (c helpCommand) Run(ctx context.Context, e caller.Env) error {
	for _, topic := range topics {
		if len(c.Words) == 1 && c.Words[0] == topic.Name {
			return e.Printf("%s\n", topic.Text)
		}
	}
	model := new(grammar).program(e.Version, e.Vars, e.Streams).Model()
	if _, err := find(model.Node, c.Words); err != nil {
		return err
	}
	if status := Run(ctx, e.Version, append(slices.Clone(c.Words), "--help"), e.Vars, e.Streams); status != commandline.ExitOK {
		return &commandline.StatusError{Status: status}
	}
	return nil
}

// find returns the command at a path such as "token", "new".
func find(node *kong.Node, path []string) (*kong.Node, error) {
	node, name := commandline.Find(node, path)
	if name == "" {
		return node, nil
	}
	if meant := spell.Nearest(name, helpNames(node, node.Type == kong.ApplicationNode)); meant != "" {
		return nil, fault.New(fault.Invalid, "there is no command or topic %q: did you mean %q?", name, meant)
	}
	return nil, fault.New(fault.Invalid, "there is no command or topic %q: \"wsh help\" lists them", name)
}

// completeHelp returns what "wsh help" and "wsh man" take.
func completeHelp(command *kong.Node, given []string) []string {
	root := command
	for root.Parent != nil {
		root = root.Parent
	}
	node, unknown := commandline.Find(root, given)
	if unknown != "" {
		return nil
	}
	return helpNames(node, command.Name == "help" && len(given) == 0)
}

// helpNames returns the commands below a node, and the topics if wanted.
func helpNames(node *kong.Node, withTopics bool) (names []string) {
	for _, c := range node.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	for _, topic := range topics {
		if withTopics {
			names = append(names, topic.Name)
		}
	}
	return names
}

type setupCommand struct{ setup.Flags }

func (c setupCommand) Run(ctx context.Context, e caller.Env) error {
	return setup.Run(ctx, setup.Options{Flags: c.Flags, Program: "wsh", Streams: e.Streams}, e.Vars)
}

type versionCommand struct{ caller.JSONFlag }

// A versionReport is what "wsh version --json" prints.
type versionReport struct {
	Version  string         `json:"version"`
	Protocol int            `json:"protocol"`
	Server   *serverVersion `json:"server"` // null: none runs
	// Same says that client and server have the same version, or that no server runs.
	Same   bool   `json:"same"`
	Advice string `json:"advice,omitempty"`
}

type serverVersion struct {
	Name     string `json:"name"`
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
}

func (c versionCommand) Run(ctx context.Context, e caller.Env) error {
	report := versionReport{Version: version.Number(e.Version), Protocol: terminals.Protocol, Same: true}
	err := e.WithAnyServer(ctx, func(r *caller.Remote, about terminals.ServerInfo) error {
		report.Server = &serverVersion{e.Where.ServerName, version.Number(about.Version), about.Protocol}
		report.Same = report.Server.Version == report.Version && about.Protocol == terminals.Protocol
		report.Advice = caller.Advice(e.Where.ServerName, about, e.Version)
		return nil
	})
	if err != nil && fault.DetailOf(err) != caller.NoServer {
		report.Advice = err.Error()
	}
	if c.JSON {
		return e.PrintJSON(report)
	}
	text := version.Line("wsh", e.Version)
	if report.Advice != "" {
		text += "\n" + report.Advice
	}
	return e.Printf("%s\n", text)
}
