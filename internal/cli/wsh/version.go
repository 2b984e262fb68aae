package wsh

import (
	"context"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type versionCommand struct {
	jsonFlag
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

func (c versionCommand) run(ctx context.Context, e env) error {
	report := versionReport{Version: version.Number(e.version), Protocol: terminals.Protocol, Same: true}
	err := e.withAnyServer(ctx, func(r *remote, about terminals.ServerInfo) error {
		report.Server = &serverVersion{e.where.ServerName, version.Number(about.Version), about.Protocol}
		report.Same = report.Server.Version == report.Version && about.Protocol == terminals.Protocol
		report.Advice = advice(e.where.ServerName, about, e.version)
		return nil
	})
	if err != nil && fault.DetailOf(err) != noServer {
		report.Advice = err.Error()
	}
	if c.JSON {
		return e.printJSON(report)
	}
	text := version.Line("wsh", e.version)
	if report.Advice != "" {
		text += "\n" + report.Advice
	}
	return e.printf("%s\n", text)
}
