package mcpterm_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/skills"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/mcpterm"
)

// read reads a resource.
func read(t *testing.T, c *mcp.ClientSession, uri string) string {
	t.Helper()
	res, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	if of := res.Contents[0]; of.MIMEType != "application/json" || of.URI != uri {
		t.Errorf("%s: %+v", uri, of)
	}
	return res.Contents[0].Text
}

func TestResources(t *testing.T) {
	c := connect(t, opcases.New(t, opcases.Case{}))
	t.Run("`wsh://sessions` returns well-formed session list", func(t *testing.T) {
		const want = `[{"name":"a","pid":4242,"rows":4,"cols":20,"running":true},{"name":"over","running":false}]`
		if diff := opcases.Diff(want, read(t, c, "wsh://sessions")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("`wsh://sessions/{name}/screen` returns screen data", func(t *testing.T) {
		const want = `{"lines":["hello","$","",""],"cursor":{"row":1,"col":2},"rows":4,"cols":20,"mode":"normal"}`
		if diff := opcases.Diff(want, read(t, c, "wsh://sessions/a/screen")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("`wsh://sessions/{name}/scrollback` returns scrollback with defaults", func(t *testing.T) {
		const want = `{"lines":["hello","$","",""],"total":4}`
		if diff := opcases.Diff(want, read(t, c, "wsh://sessions/a/scrollback")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("Unknown session in URI → error", func(t *testing.T) {
		for _, uri := range []string{"wsh://sessions/nobody/screen", "wsh://sessions/nobody/scrollback", "wsh://sessions/a/other", "wsh://sessions//screen"} {
			if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("%s: %v", uri, err)
			}
		}
	})
}

func TestPrompts(t *testing.T) {
	c := connect(t, &recorder{})
	list, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(t *testing.T, name string) string {
		t.Helper()
		res, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return res.Messages[0].Content.(*mcp.TextContent).Text
	}
	t.Run("All 9 prompts listed with correct names and descriptions", func(t *testing.T) {
		got := map[string]string{}
		for _, p := range list.Prompts {
			got[p.Name] = p.Description
		}
		want := map[string]string{
			"wsh:core":                "API primitives and send/wait/read/decide loop (MCP-adapted)",
			"wsh:drive-process":       "Running CLI commands, handling prompts",
			"wsh:tui":                 "Operating full-screen TUI applications",
			"wsh:multi-session":       "Parallel session orchestration",
			"wsh:agent-orchestration": "Driving other AI agents",
			"wsh:monitor":             "Watching terminal activity",
			"wsh:visual-feedback":     "Overlays and panels",
			"wsh:input-capture":       "Capturing keyboard input",
			"wsh:generative-ui":       "Dynamic interactive experiences",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("Each prompt returns non-empty markdown content", func(t *testing.T) {
		for _, p := range list.Prompts {
			if body := text(t, p.Name); !strings.HasPrefix(body, "# ") {
				t.Errorf("%s begins with %.50q", p.Name, body)
			}
		}
	})
	t.Run("`wsh:core` returns MCP-adapted variant, not curl variant", func(t *testing.T) {
		if body := text(t, "wsh:core"); !strings.Contains(body, "wsh_run_command") || strings.Contains(body, "curl") {
			t.Errorf("it is %.200s", body)
		}
	})
	t.Run("Unknown prompt name → error", func(t *testing.T) {
		if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "wsh:unknown"}); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("%v", err)
		}
	})
}

// Callers can list, complete, read and subscribe to the sessions that their grant covers, and no
// others.
func TestCoveredResources(t *testing.T) {
	of := opcases.New(t, opcases.Case{})
	c, _ := notified(t, of, terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"a"}})
	list, err := c.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range list.Resources {
		uris = append(uris, r.URI)
	}
	if want := []string{"wsh://sessions", "wsh://sessions/a/screen", "wsh://sessions/a/scrollback"}; !slices.Equal(uris, want) {
		t.Errorf("listed: %q", uris)
	}
	for typed, want := range map[string][]string{"": {"a"}, "a": {"a"}, "o": {}} {
		res, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "wsh://sessions/{name}/screen"},
			Argument: mcp.CompleteParamsArgument{Name: "name", Value: typed},
		})
		if err != nil || !slices.Equal(res.Completion.Values, want) {
			t.Errorf("complete %q: %v, %v", typed, res, err)
		}
	}
	for uri, code := range map[string]int64{
		"wsh://sessions": 0, "wsh://sessions/a/screen": 0, "wsh://sessions/over/screen": jsonrpc.CodeInvalidParams, "wsh://sessions/a/x": jsonrpc.CodeInvalidParams,
	} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); testkit.CodeOf(err) != code {
			t.Errorf("subscribe to %s: %v", uri, err)
		}
	}
}

// Subscribers learn of changes of a screen and of the sessions.
func TestUpdates(t *testing.T) {
	of := opcases.New(t, opcases.Case{})
	c, updates := notified(t, of, terminals.Everything)
	for _, uri := range []string{"wsh://sessions/a/screen", "wsh://sessions"} {
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
	}
	// The list of sessions changes at moments of its own.
	awaitScreen := func() {
		for uri := range updates.uri {
			if uri == "wsh://sessions/a/screen" {
				return
			}
			if uri != "wsh://sessions" {
				t.Errorf("updated: %s", uri)
			}
		}
	}
	awaitScreen() // it may have changed since it was read
	if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "wsh://sessions/a/screen"}); err != nil {
		t.Fatal(err)
	}
	awaitScreen() // likewise, for another subscriber
	mustCall(t, c, "wsh_send_input", `{"session":"a","input":"typed"}`)
	awaitScreen()
	for range 3 { // and again at once
		if err := errors.Join(c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "wsh://sessions/a/screen"}),
			c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "wsh://sessions/a/screen"})); err != nil {
			t.Fatal(err)
		}
	}
	awaitScreen()
	if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "wsh://sessions/a/screen"}); err != nil {
		t.Fatal(err)
	}
	mustCall(t, c, "wsh_manage_session", `{"session":"over","action":"kill"}`)
	for uri := range updates.uri {
		if uri == "wsh://sessions" {
			break
		}
	}
	<-updates.list
}

// updates are the notifications that a client has received.
type updates struct {
	uri  chan string
	list chan struct{}
}

// notified returns a client of a server that notifies its clients.
func notified(t *testing.T, of terminals.Terminals, by terminals.Grant) (*mcp.ClientSession, updates) {
	t.Helper()
	face := mcpterm.New(mcpterm.Options{Terminals: of, Grant: func(context.Context) terminals.Grant { return by }, Skills: skills.Wsh()})
	u := updates{make(chan string, 100), make(chan struct{}, 100)}
	c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			u.uri <- req.Params.URI
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { u.list <- struct{}{} },
	})
	return testkit.InMemory(t, notifyingServerOf(t, face).Server, c, "2025-11-25"), u
}
