package ui

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// problems holds the problems of a session, and records which of them pages and the agent have
// received.
type problems struct {
	list     problem.List
	announce func(Announcement)

	sent       int64  // the version of the list that pages have
	tree       int64  // the version of the tree's problems in the list
	views      int64  // the update of the view definitions whose problems are in the list
	currentApp string // the app that was displayed then
	counted    int    // errors that are in the engine's count
}

// An Announcement is an error that an agent should learn of without asking.
type Announcement struct {
	Session string
	App     string // the app with the error, if known, or ""
	Problem problem.Problem
}

// Problems lists what does not work in the session, newest first.
func (s *Session) Problems(ctx context.Context) ([]problem.Problem, error) {
	return read(ctx, s, s.st.problems.list.All)
}

// findProblems updates the problems that follow from the current state: of bindings and of
// view definitions. newTemplates says that the tree uses more templates than before.
func (st *state) findProblems(newTemplates bool) {
	t := &st.problems
	if v := st.tree.ProblemsVersion(); v != t.tree {
		t.tree = v
		var now []problem.Problem
		for _, p := range st.tree.Problems() {
			now = append(now, bindingProblem(problem.Binding, p))
		}
		st.logAll(t.list.Follow(problem.Binding, now))
	}
	if v := st.pinned.update; v != t.views || newTemplates || st.currentApp != t.currentApp {
		t.views, t.currentApp = v, st.currentApp
		now := st.views.problems()
		for _, tmpl := range st.tree.Templates() {
			// Those of the displayed app may be back any time, such as with the first row of a
			// list.
			if app := lua.AppOf(tmpl.File); app != "" && app != st.currentApp && !st.tree.Displays(tmpl) {
				continue
			}
			for _, m := range tmpl.Mistakes {
				now = append(now, viewdefProblem(m, false))
			}
			for _, w := range tmpl.Warnings {
				now = append(now, viewdefProblem(w, true))
			}
		}
		st.logAll(t.list.Follow(problem.Viewdef, now))
	}
	if kept := st.keeps.problems(); !slices.Equal(kept, st.keeps.followed) {
		st.keeps.followed = kept
		st.logAll(t.list.Follow(problem.Keep, kept))
	}
	st.countErrors(t.list.Errors())
}

// countErrors sets this session's share of the engine's count of errors to n.
func (st *state) countErrors(n int) {
	st.counts.errors.Add(int64(n - st.problems.counted))
	st.problems.counted = n
}

func bindingProblem(kind problem.Kind, p *variable.Problem) problem.Problem {
	out := p.Problem
	out.Kind = kind
	if p.Err != nil {
		of := failure(kind, p.Err)
		out.Message, out.Trace = of.Message, of.Trace
	}
	return out
}

func viewdefProblem(p viewdef.Problem, warning bool) problem.Problem {
	return problem.Problem{Kind: problem.Viewdef, Warning: warning, File: p.File, Line: p.Line, Message: p.Msg}
}

// failure returns the problem that code of the app has failed, with Lua's stack, one call per line.
func failure(kind problem.Kind, err error) problem.Problem {
	p := problem.Problem{Kind: kind, Message: lua.Message(err)}
	if se, ok := errors.AsType[*lua.ScriptError](err); ok {
		p.Trace = se.Trace
	}
	return p
}

// add records a problem. owner, if not nil, is the page with which it ends.
func (st *state) add(p problem.Problem, owner any) {
	if st.problems.list.Add(p, owner) {
		st.logAll([]problem.Problem{p})
	}
}

// logAll writes new problems to the app's log and to the server's.
func (st *state) logAll(list []problem.Problem) {
	for _, p := range list {
		text := p.String()
		if p.Trace != "" {
			text += "\n" + p.Trace
		}
		st.vm.ErrorLog(text)
		st.log.Warn("a problem in the app", "kind", p.Kind, "file", p.File, "line", p.Line, "source", p.Source, "problem", p.Message)
	}
}

// fileFailed records that a Lua file, which is given by its key, could not be run.
func (st *state) fileFailed(key string, err error) {
	p := failure(problem.Reload, err)
	p.OfFile, p.File, p.Line = true, key, lineIn(p.Message, key)
	// Earlier problems of the file may be gone.
	st.problems.list.Clear(func(old *problem.Problem) bool { return old.Kind == problem.Reload && old.File == key })
	st.add(p, nil)
}

// lineIn returns the line in file at which a message that starts with FILE:LINE: locates the error,
// or 0.
func lineIn(msg, file string) int {
	rest, ok := strings.CutPrefix(msg, file+":")
	if !ok {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ":")
	n, _ := strconv.ParseUint(digits, 10, 31)
	return int(n)
}

// codeLoaded is called after each file that was run. Bindings that were stopped are read again: the
// new code may be faster.
func (st *state) codeLoaded() {
	st.tree.Retry()
	st.tree.Renew()
	st.forgetFixed()
	st.problems.list.Clear(func(p *problem.Problem) bool {
		return p.Kind == problem.Action || p.Kind == problem.Timer
	})
}

// viewsRead is called with the view definitions that were read again. Pages display them from
// scratch and run their scripts again, and what failed in an action may be fixed.
func (st *state) viewsRead(keys []string) {
	st.problems.list.Clear(func(p *problem.Problem) bool {
		switch p.Kind {
		case problem.Script:
			return slices.ContainsFunc(strings.Fields(p.Source), func(word string) bool { return slices.Contains(keys, word) })
		case problem.Action:
			return slices.Contains(keys, strings.TrimSuffix(path.Base(p.File), ".html"))
		}
		return false
	})
}

func (st *state) actionFailed(err error) problem.Problem {
	p := failure(problem.Action, err)
	var at *variable.Problem
	if errors.As(err, &at) {
		p = bindingProblem(problem.Action, at)
	}
	st.add(p, nil)
	if st.acts.underway() { // the agent must learn that its act failed, although it knows the error
		st.problems.list.GiveBack([]problem.Problem{p})
	}
	return p
}

// callbackFailed records the failure of a deferred function of the app: a timer's, or a callback of
// a request.
func (st *state) callbackFailed(_ string, err error) {
	st.add(failure(problem.Timer, err), nil)
}

// actionWorks clears the problem of a binding whose action had failed, in all instances of its
// template.
func (st *state) actionWorks(at variable.Problem) {
	st.problems.list.Clear(func(p *problem.Problem) bool {
		return p.Kind == problem.Action && p.File == at.File && p.Line == at.Line && p.Source == at.Source
	})
}

// pageFailed records an error that a page reported, such as a script's.
func (st *state) pageFailed(c Client, f *wire.Failure) {
	st.add(problem.Problem{Kind: problem.Script, File: f.File, Line: f.Line, Source: f.Source, Message: f.Message}, c)
}

// sendProblems sends the list to every page, if it has changed by more than counts: what fails in a
// short interval must not flood them.
func (st *state) sendProblems() {
	t := &st.problems
	// A page that cannot take the message is dropped, which may change the list.
	for t.sent != t.list.Version() {
		t.sent = t.list.Version()
		st.broadcast(wire.AppendProblems(nil, t.list.Wire()))
	}
	st.countErrors(t.list.Errors())
}

// announce reports new errors that an agent should learn of.
func (st *state) announce() {
	if st.acts.underway() {
		return // the answer of an act has them
	}
	for _, p := range st.problems.list.Announce() {
		st.problems.announce(Announcement{Session: st.id, App: st.appOf(p), Problem: p})
	}
}

// notReported announces problems that were taken for an agent that did not get them.
func (st *state) notReported(list []problem.Problem) {
	st.problems.list.GiveBack(list)
	st.announce()
}

// forgetApp clears the problems of an app that is no longer displayed or was removed: of its code,
// of the person's actions and of its pages. Problems of bindings and view definitions follow from
// what is displayed.
func (st *state) forgetApp(app string) {
	if app == "" {
		return
	}
	st.problems.list.Clear(func(p *problem.Problem) bool {
		switch p.Kind {
		case problem.Action, problem.Timer, problem.Script, problem.Reload:
			return st.appOf(*p) == app
		}
		return false
	})
}

func (st *state) appOf(p problem.Problem) string {
	for _, location := range [...]string{p.File, p.Message} {
		if app := lua.AppOf(location); app != "" {
			return app
		}
	}
	return st.currentApp
}
