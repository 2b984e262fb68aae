package app

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui"
)

// Check finds what does not work in an app of a base directory, without a server and without any
// effect of the app: see [ui.Check]. version is what the app is told. eyes look at its pages; nil
// leaves that out.
func Check(ctx context.Context, dir, version, name string, eyes *Eyes) (finding.Checked, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return finding.Checked{}, fault.Wrap(fault.Invalid, err, "base directory %q", dir)
	}
	set, err := readSettings(dir)
	if err != nil {
		return finding.Checked{}, err
	}
	o := (&App{}).engineOptions(set)
	o.Dir, o.Log = dir, slog.New(slog.DiscardHandler)
	o.Setup = trialSetUp(dir, version)
	if eyes == nil {
		return ui.Check(ctx, o, name, nil)
	}
	v := &viewing{eyes: eyes, dir: dir, app: name}
	found, err := ui.Check(ctx, o, name, v.look)
	if err != nil {
		return finding.Checked{}, err
	}
	found.Findings = append(found.Findings, v.findings()...)
	found.NotTried = append(found.NotTried, v.untried...)
	found.Sort()
	return found, nil
}

// CheckNews is Check for an app of the running server. It returns what the caller's session has not
// been told yet: what is gone, and comes back, is told again.
func (a *App) CheckNews(ctx context.Context, session, name string) (news finding.Checked, err error) {
	r, err := a.runs()
	if err != nil {
		return news, err
	}
	found, err := r.engine.Check(ctx, name, trialSetUp(r.dir, a.version))
	if err != nil {
		return news, err
	}
	of := [2]string{session, name}
	now := map[any]bool{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range found.Findings {
		now[f] = true
		if !r.reported[of][f] {
			news.Findings = append(news.Findings, f)
		}
	}
	for _, u := range found.NotTried {
		now[u] = true
		if !r.reported[of][u] {
			news.NotTried = append(news.NotTried, u)
		}
	}
	r.reported[of] = now
	return news, nil
}

// trialSetUp defines the global mcp for a session in which an app is checked. It has all that the
// one of setUp has; what acts outside of the session is not done, and says that it was.
func trialSetUp(dir, version string) func(b *ui.Bridge) error {
	return func(b *ui.Bridge) error {
		nothing := ui.Func(func([]ui.Value) ([]any, error) { return nil, nil })
		done := ui.Func(func([]ui.Value) ([]any, error) { return []any{true}, nil })
		answer := func(v ...any) ui.Func { return func([]ui.Value) ([]any, error) { return v, nil } }
		needs := func(n int, what string, results ...any) ui.Func {
			return func(args []ui.Value) ([]any, error) {
				for i := range n {
					if i >= len(args) || args[i] == nil {
						return nil, errors.New(what)
					}
				}
				b.JSON(args[0])
				return results, nil
			}
		}
		b.Define("MCP", map[string]any{"type": "MCP"})
		table := map[string]any{
			"pushState":         needs(1, pushStateUsage),
			"pollingEvents":     answer(false),
			"pendingEventCount": answer(0),
			"waitTime":          answer(0),
			"reinjectThemes":    nothing,
			"display":           done,
			"subscribe":         needs(2, subscribeUsage, map[string]any{"cancel": nothing}),
			"ask":               needs(2, askUsage),
			"publish":           answer(0),
			"message":           needs(1, messageUsage, false, notChatting),
			"context":           needs(1, contextUsage, false, notChatting),
			"fullscreen":        answer(false, notChatting),
			"status": answer(map[string]any{
				"state": Running.String(), "version": version, "base_dir": dir,
				"url": "http://127.0.0.1/", "sessions": 1, "errors": 0, "mcp_port": 0,
			}),
		}
		maps.Copy(table, plainMCP(b))
		b.Define("mcp", table)
		noChat := noChat{}.State(b.ID())
		b.DefineIn("mcp", "chat", map[string]any{"views": noChat.Views, "canMessage": false, "canContext": false, "canFullscreen": false})
		return b.Inherit("mcp", "MCP")
	}
}

// notChatting is why nothing reaches a conversation from an app that is being checked.
const notChatting = "no chat displays this app"
