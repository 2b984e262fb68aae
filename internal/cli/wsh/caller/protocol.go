package caller

import (
	"fmt"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// checkProtocol returns an error unless a server of that name can be used by this version.
func checkProtocol(name string, about terminals.ServerInfo, own string) error {
	if about.Protocol == terminals.Protocol {
		return nil
	}
	return fault.New(fault.Precondition, "%s", Advice(name, about, own))
}

// HowToStop returns the command that ends a server.
func HowToStop(name string) string {
	if name == "default" {
		return "wsh stop"
	}
	return "wsh stop -L " + name
}

// Advice says how a server of that name differs from this version, and what to do, or is "".
func Advice(name string, about terminals.ServerInfo, own string) string {
	server, client := version.Number(about.Version), version.Number(own)
	stop := HowToStop(name)
	switch {
	case about.Protocol < terminals.Protocol:
		return fmt.Sprintf("the server %q has version %s with protocol %d, and this is version %s with protocol %d: %q ends the older server with its sessions, and the next command starts a new one; -L OTHER leaves it alone",
			name, server, about.Protocol, client, terminals.Protocol, stop)
	case about.Protocol > terminals.Protocol:
		return fmt.Sprintf("the server %q has version %s with protocol %d, and this is version %s with protocol %d: update this wsh, or use another server with -L OTHER",
			name, server, about.Protocol, client, terminals.Protocol)
	case server != client:
		return fmt.Sprintf("the server %q has version %s, which this version can use; %q ends it with its sessions, and the next command starts this version", name, server, stop)
	}
	return ""
}
