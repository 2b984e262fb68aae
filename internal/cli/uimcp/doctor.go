package uimcp

import (
	"context"
	"os"

	"ui-mcp/internal/cli/doctor"
)

type doctorCommand struct {
	JSON bool `name:"json" help:"Print the checks as a JSON array."`
}

func (doctorCommand) Help() string {
	return `It examines the commands in PATH, who can use the folders of servers, the servers of apps and of terminals that run and whether they answer, ports, clients and what they start, shells, and what the system offers. Each line is ok, a note about something that not everyone needs, or a problem, and what to do is below. Exit status: 1 with a problem, else 0.

    ui-mcp doctor
    ui-mcp doctor --json`
}

func (c doctorCommand) run(ctx context.Context, e env) error {
	return doctor.Run(ctx, doctor.Program{Name: "ui-mcp", Version: e.version, Ports: []int{8000, 8001}, Vars: os.Environ()}, e.Out, c.JSON)
}
