package wsterm_test

import (
	"context"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

// defective are terminals whose operations do not work.
type defective struct{ terminals.Terminals }

func (defective) Do(context.Context, terminals.Grant, *terminals.Operation, any, any) error {
	return fault.New(fault.Internal, "the sky falls")
}

// An error of the program itself, which no client can bring about.
func TestDefect(t *testing.T) {
	c := serve(t, defective{opcases.New(t, opcases.Case{})}, terminals.Everything).dial(t, "/ws/json")
	c.write(t, `{"id":1,"method":"list_sessions"}`)
	if d := opcases.Diff(`{"id":1,"method":"list_sessions","error":{"code":"internal_error","message":"the sky falls"}}`, c.reply(t)); d != "" {
		t.Error(d)
	}
}
