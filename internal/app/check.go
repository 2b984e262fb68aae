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

// News is what a check has found in an app, for a session.
type News struct {
	Findings []finding.Finding // that the session's agent has not got yet
	Reported int               // how many others there still are
	NotTried []finding.Untried
}

// CheckNews is Check for an app of the running server. [App.Reported] decides what counts as
// reported; what is gone, and comes back, is reported again.
func (a *App) CheckNews(ctx context.Context, session, name string) (News, error) {
	r, err := a.runs()
	if err != nil {
		return News{}, err
	}
	found, err := r.engine.Check(ctx, name, trialSetUp(r.dir, a.version))
	if err != nil {
		return News{}, err
	}
	news := News{NotTried: found.NotTried}
	of := [2]string{session, name}
	still := map[finding.Finding]bool{}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range found.Findings {
		if r.reported[of][f] {
			still[f] = true
			news.Reported++
		} else {
			news.Findings = append(news.Findings, f)
		}
	}
	r.reported[of] = still
	return news, nil
}

// Reported takes note of what the answer about a displayed app tells the agent: its problems, and
// the findings that it lists. If the caller has left, the agent has got nothing of it.
func (a *App) Reported(ctx context.Context, session, name string, d Displayed, listed []finding.Finding) {
	r, err := a.runs()
	if err != nil {
		return
	}
	if ctx.Err() != nil {
		if s, err := r.engine.Session(session); err == nil {
			s.NotReported(d.unreported)
		}
		return
	}
	of := [2]string{session, name}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reported[of] == nil {
		r.reported[of] = map[finding.Finding]bool{}
	}
	for _, f := range listed {
		r.reported[of][f] = true
	}
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
