package variable

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/viewdef"
)

// A Problem is a binding that fails or, as the error of [Tree.Event], that failed when the person
// used it.
type Problem struct {
	problem.Problem       // without a kind; of the root without a file
	Err             error // the host's error, or nil
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s (%s:%d): %s", p.Source, p.File, p.Line, p.Message)
}

func (p *Problem) Unwrap() error { return p.Err }

// cause returns the underlying error, without context.
func (p *Problem) cause() string {
	if p.Err == nil {
		return p.Message
	}
	err := p.Err
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

type slotKey struct {
	in   *instance
	slot int
}

func (t *Tree) fail(in *instance, i int, msg string, err error) {
	if err == errUnread {
		return
	}
	t.record(slotKey{in, i}, in, i, msg, err)
}

// failDisplay records that the view or list in.vars[i] displays the instance displayed because it
// cannot display its value, or that it cannot display that instance. The problem ends with it.
func (t *Tree) failDisplay(displayed, in *instance, i int, msg string) {
	t.record(slotKey{displayed, -1}, in, i, msg, nil)
}

func (t *Tree) record(key slotKey, in *instance, i int, msg string, err error) {
	if old := t.problems[key]; old != nil && old.Message == msg {
		return
	}
	t.problems[key] = in.problem(i, msg, err)
	t.problemsVersion++
}

func (in *instance) problem(i int, msg string, err error) *Problem {
	b := in.plan.slots[i].Binding
	p := &Problem{problem.Problem{Line: b.Line, Source: b.Source, Message: msg, Instance: in.id, Slot: i}, err}
	if in.plan.tmpl != nil {
		p.File = in.plan.tmpl.File
	}
	return p
}

// works clears the error of a variable.
func (t *Tree) works(in *instance, i int) {
	if len(t.problems) > 0 {
		t.forgetProblem(slotKey{in, i})
	}
}

func (t *Tree) forgetProblem(key slotKey) {
	if _, known := t.problems[key]; known {
		delete(t.problems, key)
		t.problemsVersion++
	}
}

// ProblemsVersion changes whenever what [Tree.Problems] returns may have changed.
func (t *Tree) ProblemsVersion() int64 { return t.problemsVersion }

// Problems lists the present problems, in a stable order. The same problem of several instances of
// a template is listed once.
func (t *Tree) Problems() []*Problem {
	same := make(map[problem.Problem]*Problem)
	for _, p := range t.mistakes(slices.Collect(maps.Values(t.problems))) {
		k := p.Problem
		k.Instance, k.Slot = 0, 0
		sum := same[k]
		if sum == nil {
			one := *p
			same[k] = &one
			continue
		}
		if cmp.Or(cmp.Compare(p.Instance, sum.Instance), cmp.Compare(p.Slot, sum.Slot)) < 0 {
			sum.Instance, sum.Slot, sum.Err = p.Instance, p.Slot, p.Err
		}
	}
	return slices.SortedFunc(maps.Values(same), func(a, b *Problem) int { // as a reader of the files meets them
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Message, b.Message))
	})
}

// Below returns a function that reports whether a problem, by its file and source, is of what a
// path of an outline leads to, or of another place where the same is displayed.
func (t *Tree) Below(path string) func(file, source string) bool {
	at, err := t.find(path)
	if err != nil {
		return func(string, string) bool { return false } // Outline says why not
	}
	own := &Problem{}
	if at.row == nil {
		own = at.in.problem(at.slot, "", nil)
	}
	files := map[string]bool{}
	for _, in := range t.instances {
		for x := in; x != nil; x = x.parent {
			if x == at.row || at.row == nil && x.parent == at.in && int(x.slot) == at.slot {
				files[in.plan.tmpl.File] = true
			}
		}
	}
	return func(file, source string) bool { return files[file] || file == own.File && source == own.Source }
}

// Location returns the binding of an instance as a problem without a message; ok is false when the
// instance does not exist any more.
func (t *Tree) Location(inst int64, slot int) (p Problem, ok bool) {
	in := t.instances[inst]
	if in == nil || slot < 0 || slot >= len(in.vars) {
		return Problem{}, false
	}
	return *in.problem(slot, "", nil), true
}

// TemplateOf returns the view definition of an instance, or nil if it is gone.
func (t *Tree) TemplateOf(instance int64) *viewdef.Template {
	in := t.instances[instance]
	if in == nil {
		return nil
	}
	return in.plan.tmpl
}

// Displays reports whether a template is of what is displayed now.
func (t *Tree) Displays(tmpl *viewdef.Template) bool {
	p := t.plans[tmpl]
	return p != nil && p.displayed > 0
}

// Templates lists the templates that the tree has used, in the order in which they came into use.
func (t *Tree) Templates() []*viewdef.Template {
	plans := slices.SortedFunc(maps.Values(t.plans), func(a, b *plan) int { return cmp.Compare(a.def, b.def) })
	out := make([]*viewdef.Template, len(plans))
	for i, p := range plans {
		out[i] = p.tmpl
	}
	return out
}
