package mcpterm_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

	"ui-mcp/skills"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

var update = flag.Bool("update", false, "write the tools as they are to testdata")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A recorder is terminals without sessions: it records the operations that it is asked to carry
// out, with their input as JSON, and answers as configured.
type recorder struct {
	terminals.Terminals // what a test does not expect

	asked   []string
	answers map[string]string // JSON, by the name of the operation
	errs    map[string]error  // likewise
}

// Do implements [terminals.Terminals].
func (r *recorder) Do(_ context.Context, _ terminals.Grant, o *terminals.Operation, in, out any) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r.asked = append(r.asked, o.Name+" "+string(data))
	if of, ok := in.(*terminals.Target); ok {
		if s, ok := out.(*wire.Session); ok {
			s.Name = of.Session
		}
	}
	if answer := r.answers[o.Name]; answer != "" {
		if err := wire.Decode([]byte(answer), out, nil); err != nil {
			return fmt.Errorf("the answer of %s: %w", o.Name, err)
		}
	}
	return r.errs[o.Name]
}

// connect returns a client of a server on which the caller may do everything, and its face.
func connect(t *testing.T, of terminals.Terminals) *mcp.ClientSession {
	t.Helper()
	return connectAs(t, of, terminals.Everything)
}

func connectAs(t *testing.T, of terminals.Terminals, by terminals.Grant) *mcp.ClientSession {
	t.Helper()
	return connectTo(t, mcpterm.New(mcpterm.Options{Terminals: of, Grant: func(context.Context) terminals.Grant { return by }, Skills: skills.Wsh()}))
}

func connectTo(t *testing.T, face *mcpterm.Face) *mcp.ClientSession {
	t.Helper()
	return testkit.InMemory(t, serverOf(face).Server, nil, "")
}

func serverOf(face *mcpterm.Face) *mcpserver.Server {
	s := mcpserver.New(mcpserver.Options{
		Name: "wsh", Version: "0", Instructions: mcpterm.Instructions, Logger: slog.New(slog.DiscardHandler), Tune: face.Tune,
	})
	face.Register(s)
	return s
}

// notifyingServerOf is serverOf a face that notifies clients until the test ends.
func notifyingServerOf(t *testing.T, face *mcpterm.Face) *mcpserver.Server {
	s := serverOf(face)
	ctx, cancel := context.WithCancel(context.Background())
	var notifying sync.WaitGroup
	notifying.Go(func() { face.Notify(ctx, s) })
	t.Cleanup(func() {
		cancel()
		notifying.Wait()
	})
	return s
}

// call calls a tool with arguments in JSON.
func call(t *testing.T, c *mcp.ClientSession, tool, args string) (*mcp.CallToolResult, error) {
	t.Helper()
	return c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
}

// mustCall calls a tool that succeeds, and returns the text of its result.
func mustCall(t *testing.T, c *mcp.ClientSession, tool, args string) string {
	t.Helper()
	res, err := call(t, c, tool, args)
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	text := res.Content[0].(*mcp.TextContent).Text
	if res.IsError {
		t.Fatalf("%s %s: %s", tool, args, text)
	}
	return text
}
