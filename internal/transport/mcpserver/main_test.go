package mcpserver

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"

	"ui-mcp/internal/transport/jsonrpc"
)

var update = flag.Bool("update", false, "write the responses that were received into the transcripts")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type echoInput struct {
	Text   string   `json:"text" jsonschema:"what to say"`
	Times  int      `json:"times,omitempty" jsonschema:"how often; default 1"`
	Loud   *bool    `json:"loud,omitempty" jsonschema:"default true"`
	Factor float64  `json:"factor,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Place  *place   `json:"place,omitempty"`
}

type place struct {
	Row int `json:"row"`
}

type failInput struct {
	Kind string `json:"kind"`
}

var harmless = Hints{ReadOnly: Yes, Destructive: No, Idempotent: Yes, OpenWorld: No}

// newTestServer has a tool for each way in which a call can end.
func newTestServer(log *slog.Logger) *Server {
	s := New(Options{Name: "test", Title: "Test", Version: "1.2.3", Instructions: "Call echo.", Logger: log})
	AddTool(s, Tool{Name: "echo", Title: "Echo", Description: "Says it.", Hints: harmless},
		func(_ context.Context, in echoInput) (Result, error) { return JSON(in) })
	AddTool(s, Tool{Name: "hello", Description: "Greets.", Hints: harmless},
		func(context.Context, struct{}) (Result, error) { return Text("hello"), nil })
	AddTool(s, Tool{Name: "fail", Description: "Fails.", Hints: harmless},
		func(_ context.Context, in failInput) (Result, error) {
			for _, k := range kinds() {
				if k.String() == in.Kind {
					return Result{}, fmt.Errorf("wrapped: %w", fault.New(k, "no luck"))
				}
			}
			panic("no such kind")
		})
	AddTool(s, Tool{Name: "value", Description: "Returns the given JSON.", Hints: harmless},
		func(_ context.Context, in struct {
			JSON string `json:"json"`
		}) (Result, error) {
			return JSON(json.RawMessage(in.JSON))
		})
	AddTool(s, Tool{Name: "block", Description: "Waits to be cancelled.", Hints: harmless},
		func(ctx context.Context, _ struct{}) (Result, error) {
			<-ctx.Done()
			return Result{}, ctx.Err()
		})
	return s
}

// kinds are all kinds of error there are.
func kinds() (all []fault.Kind) {
	for k := fault.Internal; k <= fault.Unreachable; k++ {
		all = append(all, k)
	}
	return slices.Clip(all)
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// A session is a server that answers over pipes.
type session struct {
	in     *io.PipeWriter
	lines  *jsonrpc.LineReader
	cancel context.CancelFunc
	ended  chan error
}

func serve(t *testing.T, s *Server, tune func(*Stdio)) *session {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	st := &Stdio{In: inR, Out: outW, Log: quiet()}
	if tune != nil {
		tune(st)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ss := &session{in: inW, lines: jsonrpc.NewLineReader(outR, DefaultMaxLine), cancel: cancel, ended: make(chan error, 1)}
	go func() {
		err := Serve(ctx, s, st)
		outW.Close()
		ss.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		outR.Close()
	})
	return ss
}

func (s *session) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(s.in, line); err != nil {
		t.Fatalf("send %.80q: %v", line, err)
	}
}

func (s *session) receive(t *testing.T) string {
	t.Helper()
	line, err := s.lines.Next()
	if err != nil {
		t.Fatalf("receive: %v", err)
	}
	return string(line)
}

// finish ends the input and returns what else the server said.
func (s *session) finish(t *testing.T) []string {
	t.Helper()
	s.in.Close()
	return s.finishReading(t)
}

// finishReading returns what else the server says until it ends.
func (s *session) finishReading(t *testing.T) (rest []string) {
	t.Helper()
	for {
		line, err := s.lines.Next()
		if err != nil {
			break
		}
		rest = append(rest, string(line))
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the session ended with %v", err)
	}
	return rest
}
