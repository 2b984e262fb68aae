package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
)

func TestErrorMapping(t *testing.T) {
	cs := connect(t, newTestServer(quiet()).Server)
	const toolResult = 0
	codes := map[fault.Kind]int64{
		fault.Internal:     jsonrpc.CodeInternalError,
		fault.Invalid:      jsonrpc.CodeInvalidParams,
		fault.NotFound:     jsonrpc.CodeInvalidParams,
		fault.Exists:       jsonrpc.CodeInvalidParams,
		fault.Precondition: toolResult,
		fault.Script:       toolResult,
		fault.Timeout:      toolResult,
		fault.Gone:         toolResult,
		fault.Exhausted:    toolResult,
		fault.Unreachable:  toolResult,
	}
	for _, kind := range kinds() {
		t.Run(kind.String(), func(t *testing.T) {
			want, decided := codes[kind]
			if !decided {
				t.Fatal("decide how this kind reaches a client")
			}
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail", Arguments: map[string]any{"kind": kind.String()}})
			if want == toolResult {
				if err != nil || !res.IsError || res.Content[0].(*mcp.TextContent).Text != "wrapped: no luck" {
					t.Errorf("got (%+v, %v), want a result with isError", res, err)
				}
				return
			}
			we, ok := errors.AsType[*jsonrpc.Error](err)
			if !ok || we.Code != want || we.Message != "wrapped: no luck" {
				t.Errorf("err = %v, want code %d", err, want)
			}
		})
	}
}

// The stack is for us, not for the client.
func TestPanicIsLogged(t *testing.T) {
	var logged bytes.Buffer
	cs := connect(t, newTestServer(slog.New(slog.NewTextHandler(&logged, nil))).Server)
	_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "fail", Arguments: map[string]any{"kind": "unheard of"}})
	we, ok := errors.AsType[*jsonrpc.Error](err)
	if !ok || we.Code != jsonrpc.CodeInternalError || strings.Contains(we.Message, "main_test.go") {
		t.Errorf("err = %v", err)
	}
	for _, want := range []string{"no such kind", "main_test.go", "method=tools/call"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log lacks %q: %s", want, logged.String())
		}
	}
}

// A tool that is declared wrongly is noticed at the latest when the tools are listed.
func TestAddToolRefusesWrongDeclarations(t *testing.T) {
	fine := func(context.Context, struct{}) (Result, error) { return Result{}, nil }
	for name, declare := range map[string]func(*Server){
		"no hints": func(s *Server) { AddTool(s, Tool{Name: "x"}, fine) },
		"a hint missing": func(s *Server) {
			AddTool(s, Tool{Name: "x", Hints: Hints{ReadOnly: Yes, Destructive: No, Idempotent: Yes}}, fine)
		},
		"input is no struct": func(s *Server) {
			AddTool(s, Tool{Name: "x", Hints: harmless}, func(context.Context, string) (Result, error) { return Result{}, nil })
		},
		"input has no schema": func(s *Server) {
			AddTool(s, Tool{Name: "x", Hints: harmless}, func(context.Context, struct{ C chan int }) (Result, error) { return Result{}, nil })
		},
		"the order is by an argument that it lacks": func(s *Server) {
			AddTool(s, Tool{Name: "x", Hints: harmless, Order: InSession("y", "1")}, fine)
		},
	} {
		t.Run(name, func(t *testing.T) {
			panicked := false
			func() {
				defer func() { panicked = recover() != nil }()
				s := New(Options{Name: "t", Version: "0", Logger: quiet()})
				declare(s)
				s.tools["x"].input()
			}()
			if !panicked {
				t.Error("it was accepted")
			}
		})
	}
}

// A text that is JSON but no object is structured content, too, as "result": some clients parse it
// themselves and refuse all but objects. With more to read than the text, an object is not.
func TestResults(t *testing.T) {
	result := func(v any) Result {
		t.Helper()
		r, err := JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tt := range []struct {
		result           Result
		text, structured string
	}{
		{result(map[string]string{"html": "b"}), `{"html":"b"}`, `{"html":"b"}`},
		{result([]int{1, 2}), `[1,2]`, `{"result":[1,2]}`},
		{result(nil), `null`, `{"result":null}`},
		{result("x"), `"x"`, `{"result":"x"}`},
		{Text("9007199254740993\n"), "9007199254740993\n", `{"result":9007199254740993}`},
		{Text("true").AsError(), "true", `{"result":true}`},
		{Text("7 rows"), "7 rows", `null`},
		{Text(" {}"), " {}", `null`},
		{Text(""), "", `null`},
		{result(5).With("New problems: a"), "5", `{"result":5,"notes":["New problems: a"]}`},
		{result(map[string]int{"a": 1}).With("note"), `{"a":1}`, `null`},
		{Text("5").WithImage("image/png", nil), "5", `null`},
	} {
		wire := tt.result.wire()
		structured, err := json.Marshal(wire.StructuredContent)
		if text := wire.Content[0].(*mcp.TextContent).Text; err != nil || text != tt.text || string(structured) != tt.structured {
			t.Errorf("%q has the text %q and is structured as %s, want %q and %s (%v)", tt.text, text, structured, tt.text, tt.structured, err)
		}
	}
	if _, err := JSON(func() {}); fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("JSON(func) = %v", err)
	}
}

func connect(t *testing.T, s *mcp.Server) *mcp.ClientSession {
	t.Helper()
	cs := testkit.InMemory(t, s, nil, "")
	return cs
}

// A text that is added to a result stays beside JSON that is no object, whose form clients check,
// and takes the place of an object.
func TestAddText(t *testing.T) {
	for json, want := range map[string]any{
		"42":      wrapped{[]byte("42"), []string{"one", "two"}},
		`{"a":1}`: nil,
	} {
		res := Text(json).With("one").wire()
		addText(res, "two")
		if diff := cmp.Diff(want, res.StructuredContent); diff != "" || len(res.Content) != 3 {
			t.Errorf("%s with two texts: %d, -want +got:\n%s", json, len(res.Content), diff)
		}
	}
}
