package mcpterm_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpterm"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/skills"
)

// conversation records what it learns of sessions, as views in a conversation do.
type conversation struct {
	mu     sync.Mutex // guards the field below
	events []string
}

func (c *conversation) note(event string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, event)
}

func (c *conversation) Creating() (created func(session string)) {
	c.note("creating")
	return func(session string) { c.note("created " + session) }
}

func (c *conversation) Used(session string) { c.note("used " + session) }

func (c *conversation) URL(session string) string { return "http://127.0.0.1:8000/" + session }

// taken returns the events since the last time.
func (c *conversation) taken() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	events := c.events
	c.events = nil
	return events
}

// Views learn of each session that a tool creates or uses, also of one that could not be created,
// and results have the address of its page.
func TestViews(t *testing.T) {
	views := &conversation{}
	rec := &recorder{answers: map[string]string{
		"session.create": `{"name":"dev","pid":7}`,
		"command.run":    `{"status":"done","screen":{"lines":[]}}`,
	}}
	options := mcpterm.Options{
		Terminals: rec, Grant: func(context.Context) terminals.Grant { return terminals.Everything }, Skills: skills.Wsh(),
	}
	without := connectTo(t, mcpterm.New(options))
	options.Views = views
	with := connectTo(t, mcpterm.New(options))

	tests := []struct {
		tool, args string
		err        error // of creating a session
		want       []string
		url        string
	}{
		{"wsh_create_session", `{"name":"dev"}`, nil, []string{"creating", "created dev"}, "http://127.0.0.1:8000/dev"},
		{"wsh_create_session", `{"name":"dev"}`, fault.New(fault.Exhausted, "no"), []string{"creating", "created "}, ""},
		{"wsh_run_command", `{"session":"dev","input":"ls"}`, nil, []string{"used dev"}, "http://127.0.0.1:8000/dev"},
		{"wsh_send_input", `{"session":"dev","input":"x"}`, nil, nil, ""}, // has no view
	}
	for _, tt := range tests {
		rec.errs = map[string]error{"session.create": tt.err}
		for c, want := range map[*mcp.ClientSession][]string{with: tt.want, without: nil} {
			res, err := call(t, c, tt.tool, tt.args)
			if err != nil || res.IsError != (tt.err != nil) {
				t.Fatalf("%s %s: %v, %v", tt.tool, tt.args, res, err)
			}
			if diff := cmp.Diff(want, views.taken()); diff != "" {
				t.Errorf("%s %s (%v): events (-want +got):\n%s", tt.tool, tt.args, tt.err, diff)
			}
			fields, _ := res.StructuredContent.(map[string]any)
			url, _ := fields["url"].(string)
			if c == with && url != tt.url || c == without && url != "" {
				t.Errorf("%s %s: the URL is %q", tt.tool, tt.args, url)
			}
		}
	}

	// Exactly the tools whose calls have a view name it.
	for c, want := range map[*mcp.ClientSession][]string{with: {"wsh_create_session", "wsh_run_command"}, without: nil} {
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		for _, tool := range list.Tools {
			if tool.Meta["ui/resourceUri"] == mcpview.AppURI {
				named = append(named, tool.Name)
			}
		}
		if diff := cmp.Diff(want, named); diff != "" {
			t.Errorf("tools with a view (-want +got):\n%s", diff)
		}
	}
}
