package app

import (
	"fmt"

	"ui-mcp/internal/ui"
)

// setUp gives a session its global mcp: what Lua sees of this program.
func (a *App) setUp(r *running, b *ui.Bridge) error {
	q := r.queue(b.ID())
	b.Define("mcp", map[string]any{
		"type":      "MCP",
		"sessionId": b.ID(),
		"pushState": ui.Func(func(args []ui.Value) ([]any, error) {
			if len(args) == 0 || args[0] == nil {
				return nil, fmt.Errorf("mcp.pushState needs an event, such as { app = \"contacts\", event = \"save\" }")
			}
			q.Push(b.JSON(args[0]))
			return nil, nil
		}),
		"pollingEvents": ui.Func(func([]ui.Value) ([]any, error) {
			return []any{q.Waiters() > 0}, nil
		}),
		"display": ui.Func(func(args []ui.Value) ([]any, error) {
			var name string
			if len(args) > 0 {
				name, _ = b.String(args[0])
			}
			if err := b.Display(name); err != nil {
				return []any{nil, err.Error()}, nil
			}
			return []any{true}, nil
		}),
		"status": ui.Func(func([]ui.Value) ([]any, error) {
			st := a.status()
			t := map[string]any{"state": st.State, "version": st.Version, "base_dir": st.BaseDir}
			if st.Live != nil {
				t["url"], t["sessions"], t["errors"] = st.URL, st.Sessions, st.Errors
			}
			return []any{t}, nil
		}),
	})
	return nil
}
