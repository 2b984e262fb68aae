package variable

import (
	"cmp"
	"slices"
)

// A Problem is a binding that does not work as it stands.
type Problem struct {
	File   string // of the view definition; "" for the root
	Line   int
	Source string // the attribute as written
	Msg    string
	Err    error // the host's error, or nil
}

func (p *Problem) Error() string { return p.Msg }

type slotKey struct {
	in   *instance
	slot int
}

// fail records what is wrong with a variable. A problem that was known already is not fresh.
func (t *Tree) fail(in *instance, i int, msg string, err error) {
	t.record(slotKey{in, i}, in, i, msg, err)
}

// failShown records that the view or list in.vars[i] cannot show what it should, but
// the instance shown in its stead; the problem goes with that instance.
func (t *Tree) failShown(shown, in *instance, i int, msg string) {
	t.record(slotKey{shown, -1}, in, i, msg, nil)
}

func (t *Tree) record(key slotKey, in *instance, i int, msg string, err error) {
	if old := t.problems[key]; old != nil && old.Msg == msg {
		return
	}
	b := in.plan.slots[i].Binding
	p := &Problem{Line: b.Line, Source: b.Source, Msg: msg, Err: err}
	if in.plan.tmpl != nil {
		p.File = in.plan.tmpl.File
	}
	t.problems[key] = p
	t.fresh = append(t.fresh, p)
}

func (t *Tree) mend(in *instance, i int) {
	if len(t.problems) > 0 {
		delete(t.problems, slotKey{in, i})
	}
}

// Problems lists what is wrong now, in a stable order.
func (t *Tree) Problems() []*Problem {
	out := make([]*Problem, 0, len(t.problems))
	for _, p := range t.problems {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Msg, b.Msg))
	})
	return out
}

// TakeFresh returns the problems that came up since it was last called.
func (t *Tree) TakeFresh() []*Problem {
	f := t.fresh
	t.fresh = nil
	return f
}
