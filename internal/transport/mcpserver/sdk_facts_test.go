package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/jsonrpc"
)

// The tests in this file state what the SDK does in cases that this package works around. When one
// fails after an upgrade, the work-around may go.

// This is why AddTool exists: wrong arguments should be a protocol error.
func TestSDKReportsBadArgumentsAsToolResult(t *testing.T) {
	type in struct {
		Session string `json:"session"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "x"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
		return nil, nil, fmt.Errorf("wrapped: %w", &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams})
	})
	cs := connect(t, s)
	for name, args := range map[string]map[string]any{
		"missing argument":      {},
		"wrapped jsonrpc.Error": {"session": "1"},
	} {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "x", Arguments: args})
		if err != nil || !res.IsError {
			t.Errorf("%s: got (%v, %v), want isError", name, res, err)
		}
	}
}

// The reason for wireSchema.
func TestSDKSchemaHasNoProperties(t *testing.T) {
	schema, err := jsonschema.For[struct{}](nil)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := json.Marshal(schema); err != nil || strings.Contains(string(data), "properties\":{") {
		t.Errorf("schema = %s, %v", data, err)
	}
}

// The reasons for connection, era and presentable, in the SDK's own transport.
func TestSDKStdio(t *testing.T) {
	const discover = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + statelessMeta + `}}`
	const initialize = `{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}`
	for name, tt := range map[string]struct {
		lines []string
		want  string // in the last answer; "" means that the session ends with an error
	}{
		"a malformed line ends the session":    {[]string{`malformed`}, ""},
		"an error without a code":              {[]string{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`}, `"code":0`},
		"initialize after discover is refused": {[]string{discover, initialize}, `duplicate`},
	} {
		t.Run(name, func(t *testing.T) {
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "0"}, nil)
				ended <- s.Run(t.Context(), &mcp.IOTransport{Reader: inR, Writer: outW})
			}()
			answers := jsonrpc.NewLineReader(outR, DefaultMaxLine)
			var answer []byte
			for _, line := range tt.lines {
				io.WriteString(inW, line+"\n")
				if tt.want == "" {
					continue
				}
				var err error
				if answer, err = answers.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if tt.want == "" {
				if err := <-ended; err == nil {
					t.Error("the session ended without an error")
				}
				return
			}
			if !strings.Contains(string(answer), tt.want) {
				t.Errorf("answer = %s, want %s", answer, tt.want)
			}
			inW.Close()
			<-ended
		})
	}
}

// The reason why Stdio.read waits for calls.
func TestSDKGivesUpCallsAtTheEndOfInput(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "0"}, nil)
	started, ended := make(chan struct{}), make(chan error, 1)
	s.AddTool(&mcp.Tool{Name: "x", InputSchema: &jsonschema.Schema{Type: "object"}}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(started)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	defer outR.Close()
	go func() {
		io.WriteString(inW, callTool("a", "x")+"\n")
		<-started
		inW.Close()
	}()
	if err := s.Run(t.Context(), &mcp.IOTransport{Reader: inR, Writer: outW}); err != nil {
		t.Errorf("Run = %v", err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
}
