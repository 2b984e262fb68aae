package remote

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
)

// A Host is the terminals of another host, as far as it lets this one. Its sessions have the names
// that they have there. Beside what the operations report, errors can have the details
// [terminals.HostAway], [terminals.HostSilent], [terminals.HubAway] and [terminals.HostLacks].
type Host struct {
	link *Link
	id   string
	name string // for errors
}

var (
	_ terminals.Terminals = (*Host)(nil)
	_ attachedterm.Relay  = (*Host)(nil)
)

// Do implements [terminals.Doer].
func (h *Host) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	return errSoon
}

// Watch implements [terminals.Terminals].
func (h *Host) Watch(ctx context.Context, by terminals.Grant, in terminals.WatchQuery) (terminals.Watcher, error) {
	return nil, errSoon
}

// Output implements [terminals.Terminals].
func (h *Host) Output(ctx context.Context, by terminals.Grant, session string) (terminals.Output, error) {
	return nil, errSoon
}

// Join implements [terminals.Terminals].
func (h *Host) Join(ctx context.Context, by terminals.Grant, session string, o term.ClientOptions) (terminals.Client, error) {
	return nil, errSoon
}

// Follow implements [terminals.Terminals].
func (h *Host) Follow(ctx context.Context, by terminals.Grant) (terminals.Lifecycle, error) {
	return nil, errSoon
}

// Relay implements [attachedterm.Relay].
func (h *Host) Relay(ctx context.Context, conn attachedterm.Conn, first socketwire.Frame, o attachedterm.Options) error {
	return errSoon
}

var errSoon = fault.With(terminals.HostLacks, fault.New(fault.Invalid, "not yet"))
