package problem

import (
	"slices"

	"ui-mcp/internal/ui/wire"
)

const (
	// maxListed is the greatest number of problems that pages get.
	maxListed = 100
	// burst is how many errors are announced to an agent before it asks again: errors whose texts
	// never repeat must not push the app's own events aside.
	burst = 10
)

// A List is the problems of one session. It is not safe for concurrent use. The zero List is empty
// and ready.
type List struct {
	entries []*entry // the oldest first
	byKey   map[key]*entry
	lastID  int64
	version int64
	spent   int // how many were announced since the agent got some last
}

type entry struct {
	Problem
	reported bool         // whether the agent got it in a result
	sent     bool         // whether it was sent to the agent unasked, or in a result
	owners   map[any]bool // who reported it, if it ends with them
}

// Version changes whenever what [List.Wire] returns may have changed, except that a known problem
// has occurred again.
func (l *List) Version() int64 { return l.version }

// Errors is the number of problems that are not warnings.
func (l *List) Errors() int {
	n := 0
	for _, e := range l.entries {
		if !e.Warning {
			n++
		}
	}
	return n
}

// All returns the problems, the newest first.
func (l *List) All() []Problem {
	out := make([]Problem, 0, len(l.entries))
	for _, e := range slices.Backward(l.entries) {
		out = append(out, e.Problem)
	}
	return out
}

// Wire returns the problems for pages: the newest ones, the newest first.
func (l *List) Wire() []wire.Problem {
	n := min(len(l.entries), maxListed)
	out := make([]wire.Problem, 0, n)
	for _, e := range slices.Backward(l.entries[len(l.entries)-n:]) {
		out = append(out, e.wire())
	}
	return out
}

// Add records that a problem has occurred, and reports whether it is new. If its owners are not
// nil, the problem is removed once [List.Forget] has been called for each of them.
func (l *List) Add(p Problem, owner any) (fresh bool) {
	e := l.byKey[p.key()]
	if fresh = e == nil; fresh {
		l.version++
		e = l.insert(p)
		l.trim(p.Kind)
	} else {
		e.Instance, e.Slot, e.Trace = p.Instance, p.Slot, p.Trace
	}
	if owner != nil {
		if e.owners == nil {
			e.owners = map[any]bool{}
		}
		e.owners[owner] = true
	}
	return fresh
}

// Follow replaces all problems of a kind with those in now, in that order, and returns the new
// ones. If there are more than the limit of the kind, the first ones are kept.
func (l *List) Follow(kind Kind, now []Problem) (fresh []Problem) {
	want := make(map[key]bool, len(now))
	list := make([]Problem, 0, min(len(now), limits[kind]))
	for _, p := range now {
		p.Kind = kind
		if k := p.key(); !want[k] && len(list) < limits[kind] {
			want[k] = true
			list = append(list, p)
		}
	}
	l.Clear(func(p *Problem) bool { return p.Kind == kind && !want[p.key()] })
	for _, p := range list {
		e := l.byKey[p.key()]
		if e == nil {
			l.version++
			fresh = append(fresh, l.insert(p).Problem)
			continue
		}
		p.ID = e.ID
		if e.Problem != p {
			l.version++
			e.Problem = p
		}
	}
	return fresh
}

// Clear removes the problems for which fixed returns true.
func (l *List) Clear(fixed func(*Problem) bool) {
	before := len(l.entries)
	l.entries = slices.DeleteFunc(l.entries, func(e *entry) bool {
		if !fixed(&e.Problem) {
			return false
		}
		delete(l.byKey, e.key()) // if it comes back, it is news
		return true
	})
	if len(l.entries) != before {
		l.version++
	}
}

// Forget removes the problems that only this owner reported.
func (l *List) Forget(owner any) {
	l.Clear(func(p *Problem) bool {
		e := l.byKey[p.key()]
		if !e.owners[owner] {
			return false
		}
		delete(e.owners, owner)
		return len(e.owners) == 0
	})
}

// Results returns all problems in the order of results: files that cannot be used come first, then
// the newest.
func (l *List) Results() []Problem {
	out := make([]Problem, 0, len(l.entries))
	for _, files := range [...]bool{true, false} {
		for _, e := range slices.Backward(l.entries) {
			if e.OfFile == files {
				out = append(out, e.Problem)
			}
		}
	}
	return out
}

// Report marks problems that a result lists as reported, and returns those that the agent did not
// get yet.
func (l *List) Report(listed []Problem) (fresh []Problem) {
	l.spent = 0
	for _, p := range listed {
		if e := l.byKey[p.key()]; e != nil && !e.reported {
			e.reported, e.sent = true, true
			fresh = append(fresh, e.Problem)
		}
	}
	return fresh
}

// Take reports at most n problems that the agent did not get yet, and returns them. The others are
// for the next call. An event that announced a problem is no result: agents that have no shell get
// no events.
func (l *List) Take(n int) (fresh []Problem) {
	list := slices.DeleteFunc(l.Results(), func(p Problem) bool { return l.byKey[p.key()].reported })
	return l.Report(list[:min(n, len(list))])
}

// GiveBack marks problems as not reported, except those that have been fixed meanwhile. It is for
// reported ones that the agent has not got after all.
func (l *List) GiveBack(list []Problem) {
	for _, p := range list {
		if e := l.byKey[p.key()]; e != nil {
			e.reported, e.sent = false, false
		}
	}
}

// Announce returns the errors to send to the agent unasked, the oldest first, and marks them as
// sent: each at most once while it is listed, and few until [List.Report] is called. The others
// wait for that.
func (l *List) Announce() (news []Problem) {
	for _, e := range l.entries {
		if e.sent || e.Warning || l.spent >= burst {
			continue
		}
		l.spent++
		e.sent = true
		news = append(news, e.Problem)
	}
	return news
}

func (l *List) insert(p Problem) *entry {
	if l.byKey == nil {
		l.byKey = map[key]*entry{}
	}
	l.lastID++
	p.ID = l.lastID
	e := &entry{Problem: p}
	l.entries = append(l.entries, e)
	l.byKey[p.key()] = e
	return e
}

// trim drops the oldest problem of a kind with one too many.
func (l *List) trim(kind Kind) {
	n, oldest := 0, -1
	for i, e := range l.entries {
		if e.Kind == kind {
			if n == 0 {
				oldest = i
			}
			n++
		}
	}
	if n > limits[kind] {
		delete(l.byKey, l.entries[oldest].key())
		l.entries = slices.Delete(l.entries, oldest, oldest+1)
	}
}
