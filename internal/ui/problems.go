package ui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// trouble is the problems of a session, and which of them were reported to whom.
type trouble struct {
	list     problem.List
	announce func(Announcement)

	sent    int64 // the version of the list that pages have
	tree    int64 // the version of the tree's problems that the list has
	views   int64 // and of those of the view definitions
	counted int   // errors that are in the engine's count
}

// An Announcement is an error that an agent should learn of without asking.
type Announcement struct {
	Session string
	App     string // the app that it is in, as far as is known, or ""
	Problem problem.Problem
}

// Problems lists what does not work in the session, the newest first.
func (s *Session) Problems(ctx context.Context) ([]problem.Problem, error) {
	found := make(chan []problem.Problem, 1)
	err := s.exec.Do(ctx, func() error {
		found <- s.st.trouble.list.All()
		return nil
	})
	if err != nil {
		return nil, s.outcome(err)
	}
	return <-found, nil
}

// findProblems updates the problems that follow from the present state: bindings that fail and view
// definitions. newTemplates says that the tree uses more templates than before.
func (st *state) findProblems(newTemplates bool) {
	t := &st.trouble
	if v := st.tree.ProblemsVersion(); v != t.tree {
		t.tree = v
		var now []problem.Problem
		for _, p := range st.tree.Problems() {
			now = append(now, bindingProblem(problem.Binding, p))
		}
		st.logAll(t.list.Follow(problem.Binding, now))
	}
	if v := st.views.version.Load(); v != t.views || newTemplates {
		t.views = v
		now := st.views.problems()
		for _, tmpl := range st.tree.Templates() {
			for _, w := range tmpl.Warnings {
				now = append(now, viewdefProblem(w, true))
			}
		}
		st.logAll(t.list.Follow(problem.Viewdef, now))
	}
	st.countErrors(t.list.Errors())
}

// countErrors makes n this session's part in the engine's count of errors.
func (st *state) countErrors(n int) {
	st.counts.errors.Add(int64(n - st.trouble.counted))
	st.trouble.counted = n
}

func bindingProblem(kind problem.Kind, p *variable.Problem) problem.Problem {
	out := problem.Problem{
		Kind: kind, File: p.File, Line: p.Line, Source: p.Source, Message: p.Msg,
		Count: p.Count, Instance: p.Instance, Slot: p.Slot,
	}
	if p.Err != nil {
		out.Message, out.Trace = lua.Message(p.Err), trace(p.Err)
	}
	return out
}

func viewdefProblem(p viewdef.Problem, warning bool) problem.Problem {
	return problem.Problem{Kind: problem.Viewdef, Warning: warning, File: p.File, Line: p.Line, Message: p.Msg}
}

// trace is Lua's stack at an error, a line each, or "".
func trace(err error) string {
	var se *lua.ScriptError
	if errors.As(err, &se) {
		return se.Trace
	}
	return ""
}

// add records a problem. owner, if not nil, is the page whose end clears it.
func (st *state) add(p problem.Problem, owner any) {
	if st.trouble.list.Add(p, owner) {
		st.logAll([]problem.Problem{p})
	}
}

// logAll writes new problems to the log files, for the author of the app and for ours.
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

// fileFailed records that a Lua file could not be run.
func (st *state) fileFailed(file string, err error) {
	rel := st.vm.Rel(file)
	p := problem.Problem{Kind: problem.Reload, File: rel, Message: lua.Message(err), Trace: trace(err)}
	p.Line = lineIn(p.Message, rel)
	// Earlier problems of the file may not exist any more.
	st.fileWorks(file)
	st.add(p, nil)
}

// lineIn is the line at which a message that begins with FILE:LINE: puts what is wrong in file, or
// 0.
func lineIn(msg, file string) int {
	rest, ok := strings.CutPrefix(msg, file+":")
	if !ok {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ":")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// fileWorks clears the problem that a Lua file could not be run.
func (st *state) fileWorks(file string) {
	rel := st.vm.Rel(file)
	st.trouble.list.Clear(func(p *problem.Problem) bool { return p.Kind == problem.Reload && p.File == rel })
}

// codeLoaded is called for each file that was run: new code deserves a fresh start.
func (st *state) codeLoaded(file string) {
	st.tree.Retry()
	st.fileWorks(file)
	st.trouble.list.Clear(func(p *problem.Problem) bool { return p.Kind == problem.Action || p.Kind == problem.Timer })
}

// viewsRead is called with the view definitions that were read again: pages show them again, with
// their scripts.
func (st *state) viewsRead(keys []string) {
	st.trouble.list.Clear(func(p *problem.Problem) bool {
		return p.Kind == problem.Script && slices.ContainsFunc(strings.Fields(p.Source), func(word string) bool {
			return slices.Contains(keys, word)
		})
	})
}

// actionFailed records that what the person did could not be carried out.
func (st *state) actionFailed(err error) problem.Problem {
	p := problem.Problem{Kind: problem.Action, Message: lua.Message(err), Trace: trace(err)}
	var at *variable.Problem
	if errors.As(err, &at) {
		p = bindingProblem(problem.Action, at)
	}
	st.add(p, nil)
	return p
}

// callbackFailed records that a function failed that the app had deferred: by a timer, or with the
// outcome of a request.
func (st *state) callbackFailed(_ string, err error) {
	st.add(problem.Problem{Kind: problem.Timer, Message: lua.Message(err), Trace: trace(err)}, nil)
}

// actionWorks takes back that what a binding does could not be done, in whatever instance of its
// template.
func (st *state) actionWorks(at variable.Problem) {
	st.trouble.list.Clear(func(p *problem.Problem) bool {
		return p.Kind == problem.Action && p.File == at.File && p.Line == at.Line && p.Source == at.Source
	})
}

// pageFailed records an error of a script in a page.
func (st *state) pageFailed(c Client, f *wire.Failure) {
	st.add(problem.Problem{Kind: problem.Script, File: f.File, Line: f.Line, Source: f.Source, Message: f.Message}, c)
}

// sendProblems sends the list to every page, if it has changed.
func (st *state) sendProblems() {
	t := &st.trouble
	// A page that cannot take the message is dropped, which may change the list.
	for t.sent != t.list.Version() {
		t.sent = t.list.Version()
		st.broadcast(wire.AppendProblems(nil, t.list.Wire()))
	}
	st.countErrors(t.list.Errors())
}

// announce passes on the errors that an agent should learn of.
func (st *state) announce() {
	for _, p := range st.trouble.list.Announce() {
		st.trouble.announce(Announcement{Session: st.id, App: st.appOf(p), Problem: p})
	}
}

// appOf is the app that a problem is in.
func (st *state) appOf(p problem.Problem) string {
	for _, place := range [...]string{p.File, p.Message} {
		if rest, ok := strings.CutPrefix(place, "apps/"); ok {
			if app, _, ok := strings.Cut(rest, "/"); ok {
				return app
			}
		}
	}
	return st.shown
}
