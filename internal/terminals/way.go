package terminals

import "ui-mcp/internal/fault"

// Details of errors of the way to sessions on another host. They are of kind
// Unreachable, except HostLacks, which is of kind Invalid.
const (
	// HostAway: the host is not connected. Nothing was done.
	HostAway fault.Detail = "host_away"
	// HostSilent: the host has not answered, or its answer was lost. What was asked may have been
	// done.
	HostSilent fault.Detail = "host_silent"
	// HubAway: the connection of this host to the hub is lost. Nothing was done.
	HubAway fault.Detail = "hub_away"
	// HostLacks: the host does not have the operation, since it is of another version or reached in
	// a way that cannot carry it. Nothing was done.
	HostLacks fault.Detail = "host_lacks_operation"
	// NoHost: no host that can be reached has the labels.
	NoHost fault.Detail = "no_such_host"
	// NoRoom: all hosts with the labels run as many programs as they may.
	NoRoom fault.Detail = "no_host_with_room"
)
