package uimcp

import (
	"context"
	"errors"

	"ui-mcp/internal/install"
)

type installCommand struct {
	dirFlag
	Force    bool `help:"Install over any version, and replace files that you have changed; they are kept as NAME.orig."`
	ClaudeMD bool `name:"claude-md" help:"Also add a section for agents to the project's CLAUDE.md, between two marker comments."`
	JSON     bool `name:"json" help:"Print the report as JSON, as the tool ui_install returns it."`
}

// run installs the bundled files and prints a report.
func (c installCommand) run(_ context.Context, e env) error {
	r, err := install.Install(install.Options{BaseDir: c.Dir, Force: c.Force, ClaudeMD: c.ClaudeMD, Source: bundled()})
	// The report comes even after a failure: it says what was done before.
	return errors.Join(err, r.Print(e.Out, c.JSON))
}

type uninstallCommand struct {
	dirFlag
	JSON bool `name:"json" help:"Print the report as JSON."`
}

// run removes the bundled files and prints a report.
func (c uninstallCommand) run(_ context.Context, e env) error {
	r, err := install.Uninstall(c.Dir)
	return errors.Join(err, r.Print(e.Out, c.JSON))
}
