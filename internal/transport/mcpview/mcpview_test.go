package mcpview

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/relay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const uri = "ui://test/view.html"

// An echo answers each message with the same message.
type echo struct{ view *relay.View }

func (e echo) Receive(_ context.Context, channel string, msg []byte) error {
	e.view.Send(channel, msg)
	return nil
}

func (echo) Close() {}

const key secret.Key = "key"

// open returns a client of a server with a view and a relay, with the given key. The client
// speaks the given revision, and declares the extension with the given settings unless they are
// nil.
func open(t testing.TB, version string, settings map[string]any) *mcp.ClientSession {
	t.Helper()
	hub := relay.NewHub(relay.Options{Key: key, Open: func(_ context.Context, v *relay.View, _ json.RawMessage) (relay.Handler, error) {
		return echo{v}, nil
	}})
	s := mcpserver.New(mcpserver.Options{Name: "test", Version: "0", Logger: slog.New(slog.DiscardHandler), Tune: Tune})
	AddView(s, View{URI: uri, Name: "view", Title: "View", Border: true, HTML: func(context.Context) (string, error) { return "<!doctype html>", nil }})
	AddRelay(s, "test_relay", hub, slog.New(slog.DiscardHandler))
	mcpserver.AddTool(s, mcpserver.Tool{
		Name: "declared", Description: "Says whether the client has declared the extension.", Meta: Meta(uri),
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
	}, func(ctx context.Context, _ struct{}) (mcpserver.Result, error) {
		return mcpserver.Textf("declared: %v", Declared(ctx)), nil
	})
	caps := &mcp.ClientCapabilities{}
	if settings != nil {
		caps.AddExtension(Extension, settings)
	}
	t.Cleanup(hub.Close)
	return testkit.InMemory(t, s.Server, mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, &mcp.ClientOptions{Capabilities: caps}), version)
}

func call(t *testing.T, cs *mcp.ClientSession, tool string, args map[string]any) (text string, isError bool, err error) {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", false, err
	}
	if res.StructuredContent != nil {
		t.Errorf("%s has structured content, which some hosts drop", tool)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError, nil
}

var types = map[string]any{"mimeTypes": []any{MIMEType}}

// The server says that it has views, at the handshake or to those who ask what it can do.
func TestDeclaration(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		cs := open(t, version, nil)
		res := cs.InitializeResult()
		if res.ProtocolVersion != version {
			t.Errorf("the client speaks %s, want %s", res.ProtocolVersion, version)
		}
		if diff := cmp.Diff(map[string]any{Extension: types}, res.Capabilities.Extensions); diff != "" {
			t.Errorf("%s: the declared extensions (-want +got):\n%s", version, diff)
		}
		if res.Capabilities.Resources == nil {
			t.Errorf("%s: no resources are declared", version)
		}
	}
}

func TestWhoMayUseTheRelay(t *testing.T) {
	for name, tt := range map[string]struct {
		version  string
		settings map[string]any
		listed   bool
		allowed  bool
	}{
		"declared in the handshake":       {"2025-11-25", types, true, true},
		"declared without types":          {"2025-11-25", map[string]any{}, true, true},
		"declared for other types":        {"2025-11-25", map[string]any{"mimeTypes": []any{"text/html"}}, false, false},
		"not declared in the handshake":   {"2025-11-25", nil, false, false},
		"declared in each request":        {"2026-07-28", types, true, true},
		"not declared in stateless calls": {"2026-07-28", nil, true, false}, // the list is the same for all
	} {
		t.Run(name, func(t *testing.T) {
			cs := open(t, tt.version, tt.settings)
			list, err := cs.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if listed := slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "test_relay" }); listed != tt.listed {
				t.Errorf("listed = %v", listed)
			}
			text, isError, err := call(t, cs, "test_relay", map[string]any{
				"v": 1, "view": "0123456789abcdef", "token": relay.NewToken(key), "hello": map[string]any{},
				"first": 1, "out": []any{map[string]any{"c": "x", "m": []any{1}}}, "wait": 1000,
			})
			want := `{"v":1,"got":1,"first":1,"in":[{"c":"x","m":[1]}]}`
			if tt.allowed && (err != nil || isError || text != want) {
				t.Errorf("a call = %s, %v, %v", text, isError, err)
			}
			if !tt.allowed && err == nil {
				t.Errorf("the call was carried out: %s", text)
			}
			if text, _, err := call(t, cs, "declared", nil); err != nil || text != map[bool]string{true: "declared: true", false: "declared: false"}[tt.allowed] {
				t.Errorf("Declared = %s, %v", text, err)
			}
		})
	}
}

// Whatever a view says in its calls reaches the relay.
func TestWhatViewsSay(t *testing.T) {
	const first, second = "0123456789abcdef", "fedcba9876543210"
	cs := open(t, "", types)
	for _, step := range []struct {
		what string
		args map[string]any
		want string
	}{
		{"a hello", map[string]any{"view": first, "token": relay.NewToken(key), "hello": map[string]any{}}, `{"v":1,"got":0}`},
		{"another version", map[string]any{"v": 2, "view": first}, `"error":"version"`},
		{"a message", map[string]any{"view": first, "first": 1, "out": []any{map[string]any{"c": "x", "m": 1}}, "wait": 1000}, `{"v":1,"got":1,"first":1,"in":[{"c":"x","m":1}]}`},
		{"a poll that has received nothing", map[string]any{"view": first, "wait": 1000}, `{"v":1,"got":1,"first":1,"in":[{"c":"x","m":1}]}`},
		{"a poll that has received it", map[string]any{"view": first, "ack": 1, "wait": 100}, `{"v":1,"got":1}`},
		{"a hello in the place of the first view", map[string]any{"view": second, "was": first, "token": relay.NewToken(key), "hello": map[string]any{}}, `{"v":1,"got":0}`},
		{"the view that was replaced", map[string]any{"view": first}, `"error":"unknown_view"`},
		{"a view that is there", map[string]any{"view": second}, `{"v":1,"got":0}`},
		{"goodbye", map[string]any{"view": second, "bye": true}, `{"v":1,"got":0}`},
		{"a view that has said goodbye", map[string]any{"view": second}, `"error":"unknown_view"`},
	} {
		if step.args["v"] == nil {
			step.args["v"] = 1
		}
		text, _, err := call(t, cs, "test_relay", step.args)
		if err != nil || text != step.want && !strings.Contains(text, `,`+step.want+`,`) {
			t.Errorf("%s: %s, %v; want %s", step.what, text, err, step.want)
		}
	}
}

func TestCallWithoutTokenIsRefused(t *testing.T) {
	cs := open(t, "", types)
	text, isError, err := call(t, cs, "test_relay", map[string]any{"v": 1, "view": "0123456789abcdef", "hello": map[string]any{}})
	if err != nil || !isError || !strings.Contains(text, `"error":"token"`) {
		t.Errorf("the call = %s, %v, %v", text, isError, err)
	}
}

func TestView(t *testing.T) {
	cs := open(t, "", types)
	res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(res.Contents)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"uri":"ui://test/view.html","mimeType":"text/html;profile=mcp-app","text":"\u003c!doctype html\u003e",` +
		`"_meta":{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":true}}}]`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name == "declared" && (tool.Meta["ui/resourceUri"] != uri || tool.Meta["ui"].(map[string]any)["resourceUri"] != uri) {
			t.Errorf("metadata of a tool with a view: %v", tool.Meta)
		}
	}
}
