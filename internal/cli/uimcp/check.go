package uimcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	uimcp "ui-mcp"
	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
)

type checkCommand struct {
	dirFlag
	App  string `arg:"" help:"The name of the app, such as contacts."`
	JSON bool   `name:"json" help:"Print what was found, and what was not tried, as JSON."`
}

// Help is the last part of what --help prints.
func (checkCommand) Help() string {
	return `It needs no server: it loads the app in a session of its own, clicks and fills in whatever there is, and reads the files. The app can change nothing meanwhile: what it writes is dropped, its requests, programs and questions are not answered, and there are no terminals. What only looking at the page shows, ui_screenshot tells.

Each finding is a line with file and line, what is wrong, and what to do. Lines with "not tried" follow: what no control led to, and what a check does not do, such as dragging and choosing files. Exit status: 0 without findings, 1 with some.

    ui-mcp check contacts
    ui-mcp check contacts --json --dir /path/to/project/.claude/ui`
}

func (c checkCommand) run(ctx context.Context, e env) error {
	version, err := install.Version(uimcp.Readme)
	if err != nil {
		return err
	}
	found, err := app.Check(ctx, c.Dir, version, c.App)
	if err != nil {
		return err
	}
	if err := c.print(e, found); err != nil || len(found.Findings) == 0 {
		return err
	}
	return &commandline.StatusError{Status: commandline.ExitFailure}
}

func (c checkCommand) print(e env, found finding.Checked) error {
	if c.JSON {
		found.Findings = append([]finding.Finding{}, found.Findings...) // not null
		found.NotTried = append([]finding.Untried{}, found.NotTried...)
		return json.NewEncoder(e.Out).Encode(found)
	}
	var b strings.Builder
	for _, f := range found.Findings {
		fmt.Fprintln(&b, f)
	}
	for _, u := range found.NotTried {
		fmt.Fprintln(&b, u)
	}
	_, err := io.WriteString(e.Out, b.String())
	return err
}
