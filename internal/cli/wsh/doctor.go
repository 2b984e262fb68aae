package wsh

import (
	"context"

	"ui-mcp/internal/cli/doctor"
	"ui-mcp/internal/cli/wsh/caller"
)

type doctorCommand struct {
	caller.JSONFlag
}

func (doctorCommand) Help() string {
	return `It examines the command in PATH, who can use the folders of servers, all servers that run and whether they answer, those on other machines that they know, ports, clients and what they start, shells, and what the system offers. Each line is ok, a note about something that not everyone needs, or a problem, and what to do is below. The status is 1 with a problem, else 0.

    wsh doctor
    wsh doctor --json`
}

func (c doctorCommand) Run(ctx context.Context, e caller.Env) error {
	return doctor.Run(ctx, doctor.Program{Name: "wsh", Version: e.Version, Ports: []int{8080}, Vars: e.Vars}, e.Out, c.JSON)
}
