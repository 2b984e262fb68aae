package remote

import (
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

// maxText is how much of another host's text is in an error, in bytes.
const maxText = 2000

// About this server, callers must believe this server only. So these are not taken from another
// host as they are: what it says of itself, of tokens and of hosts behind it becomes an error of
// the way to it.
var meanings = map[fault.Detail]struct {
	kind   fault.Kind
	detail fault.Detail
	text   string
}{
	terminals.Withdrawn: {fault.Precondition, terminals.NotAllowed, "it does not accept this server any more"},
	registry.Stopping:   {fault.Unreachable, terminals.HostSilent, "it is stopping: " + maybe},
	terminals.HostAway:  {fault.Unreachable, terminals.HostSilent, "it asked another host in vain: " + maybe},
	terminals.HubAway:   {fault.Unreachable, terminals.HostSilent, "it asked another host in vain: " + maybe},
}

const maybe = "what was asked may have been done, or not"

// reported returns the error that another host reports about an operation. What it can be is what
// the operation can report, and else of no detail, on which callers act. Its text says which host
// reports it.
func reported(host string, o *terminals.Operation, err error) error {
	kind, detail, text := fault.KindOf(err), fault.DetailOf(err), err.Error()
	if m, ok := meanings[detail]; ok {
		return fault.With(m.detail, fault.New(m.kind, "%s: %s", host, m.text))
	}
	as := func(kind fault.Kind) error {
		return fault.New(kind, "%s: %s", host, safetext.Clip(safetext.Visible(text), maxText))
	}
	switch {
	case kind == fault.Unreachable:
		return fault.With(terminals.HostSilent, fault.New(kind, "%s: %s: %s", host, maybe, safetext.Clip(safetext.Visible(text), maxText)))
	case detail == terminals.HostLacks:
		return fault.With(detail, as(fault.Invalid))
	case detail == "" && kind != fault.Script:
		return as(kind)
	}
	fails := o.Failures()
	if i := slices.IndexFunc(fails, func(f terminals.Failure) bool { return f.Detail == detail && f.Kind == kind }); i >= 0 && detail != "" {
		return fault.With(detail, as(kind))
	}
	return as(fault.Precondition)
}
