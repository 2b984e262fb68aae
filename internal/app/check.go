package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
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
	// Servers have them unless the project says otherwise.
	has := Options{
		HTTP: func(context.Context, async.Request) (async.Response, error) { return async.Response{}, nil },
		Exec: func(context.Context, lua.Command) (lua.Result, error) { return lua.Result{}, nil },
	}
	o := (&App{opts: has}).engineOptions(set)
	if o.Exec != nil {
		o.NoTerminals = async.TerminalsWithheld
	}
	o.Dir, o.Log = dir, slog.New(slog.DiscardHandler)
	setUp, end := trial(dir, version)
	defer end()
	o.Setup = setUp
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
	setUp, end := trial(r.dir, a.version)
	defer end()
	found, err := r.engine.Check(ctx, name, setUp)
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

// trial returns the set-up of sessions in which an app is checked: that of every session, in an app
// that nobody else can reach. The caller must call end when the sessions have ended.
func trial(dir, version string) (setUp func(*ui.Bridge) error, end func()) {
	a := &App{version: version, opts: Options{
		Views: func() int { return 0 },
		Ask: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
	}}
	var runs []*running
	return func(b *ui.Bridge) error {
			r := newRunning(dir)
			r.url = "http://127.0.0.1"
			runs = append(runs, r)
			return a.setUp(r, b)
		}, func() {
			for _, r := range runs {
				a.end(r)
			}
		}
}
