package uimcp

import (
	"context"
	"fmt"
	"strings"

	"ui-mcp/internal/install"
)

type installCommand struct {
	dirFlag
	Force    bool `help:"Install whatever version is there, and replace files that you have changed; they are kept as NAME.orig."`
	ClaudeMD bool `name:"claude-md" help:"Tell agents of it in the project's CLAUDE.md, too, between two comments that mark the section."`
}

// Help is the end of what --help says.
func (installCommand) Help() string {
	return `Files that are up to date, and those that you have changed, are left alone. "ui-mcp mcp" and "ui-mcp serve" do this by themselves where nothing is installed.

    ui-mcp install
    ui-mcp install --claude-md
    ui-mcp install --dir /path/to/project/.claude/ui --force`
}

// run installs the bundled files and says what it did.
func (c installCommand) run(_ context.Context, e env) error {
	source, err := bundled()
	if err != nil {
		return err
	}
	r, err := install.Install(install.Options{BaseDir: c.Dir, Force: c.Force, ClaudeMD: c.ClaudeMD, Source: source})
	// What was done before a failure is told, too.
	if _, werr := fmt.Fprint(e.Out, installed(r)); err == nil {
		err = werr
	}
	return err
}

// installed says what an installation did, a file on each line.
func installed(r install.Report) string {
	var b strings.Builder
	if r.VersionSkipped {
		fmt.Fprintf(&b, "Nothing to do: version %s is installed, and this is %s. Use --force to install all the same.\n", r.InstalledVersion, r.BundledVersion)
	}
	for _, part := range []struct {
		did   string
		files []string
	}{{"installed", r.Installed}, {"skipped", r.Skipped}, {"appended", r.Appended}} {
		for _, f := range part.files {
			fmt.Fprintf(&b, "%-9s %s\n", part.did, f)
		}
	}
	return b.String()
}
