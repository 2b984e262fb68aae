package wsh

import (
	"context"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type versionCommand struct {
	caller.JSONFlag
}

func (versionCommand) Help() string {
	return `If a server runs, and its version is another one, the command says so, and what to do. For a build from an untagged commit, the version includes the commit.

    wsh version
    wsh version --json`
}

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
