package app

import (
	"errors"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
)

// How functions of mcp are used, for those who use them otherwise.
const (
	pushStateUsage = `mcp.pushState needs an event, such as { app = "contacts", event = "save" }`
	subscribeUsage = `mcp:subscribe needs a topic and a function, such as mcp:subscribe("build", function(value) end)`
	askUsage       = `mcp:ask needs a question and a function, such as mcp:ask({ title = "Deploy", message = "Now?", options = { { label = "Yes", value = "yes" } } }, function(answer, err) end)`
	messageUsage   = `mcp:message needs a text, such as mcp:message("Deploy it, please.")`
	contextUsage   = `mcp:context needs a value, such as mcp:context({ selected = "ada" })`
)

// setUp defines the global mcp in a session: this program, as Lua sees it.
func (a *App) setUp(r *running, b *ui.Bridge) error {
	q := r.queue(b.ID())
	// Apps may add to MCP what every session's mcp has.
	b.Define("MCP", map[string]any{"type": "MCP"})
	b.Define("mcp", map[string]any{
		"type":      "MCP",
		"sessionId": b.ID(),
		"app": ui.Func(func(args []ui.Value) ([]any, error) {
			obj, err := b.App(text(args))
			if err != nil {
				return []any{nil, err.Error()}, nil
			}
			return []any{obj}, nil
		}),
		"apps": ui.Func(func([]ui.Value) ([]any, error) {
			names := []any{}
			for _, name := range b.Apps() {
				names = append(names, name)
			}
			return []any{names}, nil
		}),
		"keep": ui.Func(b.Keep),
		"renderMarkdown": ui.Func(func(args []ui.Value) ([]any, error) {
			return []any{markdown.HTML(text(args))}, nil
		}),
		"pushState": ui.Func(func(args []ui.Value) ([]any, error) {
			if len(args) == 0 || args[0] == nil {
				return nil, errors.New(pushStateUsage)
			}
			q.Push(b.JSON(args[0]))
			return nil, nil
		}),
		"pollingEvents": ui.Func(func([]ui.Value) ([]any, error) {
			return []any{q.Waiters() > 0}, nil
		}),
		"pendingEventCount": ui.Func(func([]ui.Value) ([]any, error) {
			return []any{q.Len()}, nil
		}),
		// Pages get the links to the themes when they are loaded, so there is nothing to do.
		"reinjectThemes": ui.Func(func([]ui.Value) ([]any, error) { return nil, nil }),
		"display": ui.Func(func(args []ui.Value) ([]any, error) {
			if r.engine == nil { // the app that is being checked stays on display
				return []any{true}, nil
			}
			if err := b.Display(text(args)); err != nil {
				return []any{nil, err.Error()}, nil
			}
			return []any{true}, nil
		}),
		"waitTime": ui.Func(func([]ui.Value) ([]any, error) {
			return []any{q.SinceWait().Seconds()}, nil
		}),
		"subscribe": ui.Func(func(args []ui.Value) ([]any, error) {
			topic := text(args)
			if topic == "" || len(args) < 2 {
				return nil, errors.New(subscribeUsage)
			}
			cancel, err := r.subscribe(b, topic, args[1])
			if err != nil {
				return nil, err
			}
			return []any{map[string]any{"cancel": ui.Func(func([]ui.Value) ([]any, error) {
				cancel()
				return nil, nil
			})}}, nil
		}),
		"ask": ui.Func(func(args []ui.Value) ([]any, error) { return a.ask(r, b, args) }),
		"publish": ui.Func(func(args []ui.Value) ([]any, error) {
			if len(args) < 2 {
				args = append(args, nil, nil)
			}
			n, err := r.topics.publish(text(args), b.JSON(args[1]))
			return []any{n}, err
		}),
		"status": ui.Func(func([]ui.Value) ([]any, error) {
			st := a.statusIn(r)
			t := map[string]any{"state": st.State, "version": st.Version, "base_dir": st.BaseDir}
			if st.Live != nil {
				if st.TerminalsURL != "" {
					t["terminals_url"] = st.TerminalsURL
				}
				t["url"], t["sessions"], t["errors"], t["mcp_port"] = st.URL, st.Sessions, st.Errors, st.MCPPort
			}
			return []any{t}, nil
		}),
	})
	b.Define("mcp", a.chatFunctions(r, b))
	r.mu.Lock()
	r.bridges[b.ID()] = b
	r.mu.Unlock()
	a.setChat(b)
	return b.Inherit("mcp", "MCP")
}

// text returns the first argument if it is a string, or "".
func text(args []ui.Value) string {
	if len(args) == 0 {
		return ""
	}
	s, _ := lua.String(args[0])
	return s
}
