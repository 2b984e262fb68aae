package attachedterm

import (
	"context"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

// The terminals of [Options] say by one of these interfaces how persons' terminals are attached to
// their sessions. Those that have none of them cannot attach any.
type (
	// A Router has sessions on several hosts.
	Router interface {
		// Route returns the terminals that have the session of that name or ID, or on which one of
		// that name is to be created; and what precedes their names and IDs here: nothing, or the
		// name of a host and "/".
		Route(session string) (on terminals.Terminals, prefix string, err error)
	}

	// A Relay has sessions in another process, which serves attached terminals itself.
	Relay interface {
		// Relay passes frames between a client and that process, where [Serve] gets the same
		// options. It returns as Serve does.
		Relay(ctx context.Context, conn Conn, first socketwire.Frame, o Options) error
	}

	// A viewing has sessions in this process.
	viewing interface {
		Attach(ctx context.Context, by terminals.Grant, session string, o term.ViewerOptions) (*terminals.Viewer, error)
	}
)

// Serve answers a connection's first frame, which asks to create a session or to attach to one, and
// returns when the client has left. It returns an error for the client if the request fails.
func Serve(ctx context.Context, conn Conn, first socketwire.Frame, o Options) error {
	if first.Kind != socketwire.CreateSession && first.Kind != socketwire.AttachSession {
		return fault.New(fault.Invalid, "frames of type %02x are not served", byte(first.Kind))
	}
	switch t := o.Terminals.(type) {
	case Router:
		in := struct{ Name string }{o.Session}
		if o.Session == "" {
			if err := first.Decode(&in); err != nil {
				return err
			}
		}
		on, prefix, err := t.Route(strings.TrimPrefix(in.Name, o.Prefix))
		if err != nil {
			return err
		}
		o.Terminals, o.Prefix = on, o.Prefix+prefix
		return Serve(ctx, conn, first, o)
	case Relay:
		return t.Relay(ctx, conn, first, o)
	case viewing:
		c := &client{Conn: conn, Options: o, viewing: t, drawn: make(chan bool, maxUndrawn)}
		if first.Kind == socketwire.CreateSession {
			return c.create(ctx, first)
		}
		return c.attach(ctx, first)
	}
	return fault.New(fault.Precondition, "terminals cannot be attached to these sessions")
}
