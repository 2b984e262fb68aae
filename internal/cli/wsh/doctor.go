package wsh

import (
	"context"

	"ui-mcp/internal/cli/doctor"
)

type doctorCommand struct {
	jsonFlag
}

func (doctorCommand) Help() string {
	return `It examines the command in PATH, who can use the folders of servers, all servers that run and whether they answer, those on other machines that they know, ports, clients and what they start, shells, and what the system offers. Each line is ok, a note about something that not everyone needs, or a problem, and what to do is below. The status is 1 with a problem, else 0.

    wsh doctor
    wsh doctor --json`
}

func (c doctorCommand) run(ctx context.Context, e env) error {
	return doctor.Run(ctx, doctor.Program{Name: "wsh", Version: e.version, Ports: []int{8080}, Vars: e.vars}, e.Out, c.JSON)
}
