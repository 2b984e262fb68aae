package unixterm

import (
	"context"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

// defective are terminals that do not work.
type defective struct{ terminals.Terminals }

func (defective) Do(context.Context, terminals.Grant, *terminals.Operation, any, any) error {
	return fault.New(fault.Internal, "the sky falls")
}

// An error of the program itself, which no client can bring about.
func TestDefect(t *testing.T) {
	path, _ := serve(t, defective{}, "")
	c := dial(t, path)
	c.send(t, socketwire.ListSessions, "")
	c.expect(t, socketwire.Failed, `{"code":"internal_error","message":"the sky falls"}`)
}
