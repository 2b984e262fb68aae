package variable

import (
	"errors"
	"fmt"

	"ui-mcp/internal/ui/viewdef"
)

// A pass has one budget of time, which the host keeps. A binding that uses up its share is stopped
// and remembered, so that later passes do not read it again, and the rest of the pass gets half of
// that share. When too little is left, the bindings not read yet keep their values until the next
// pass, without an error.

// A stoppage records that a template's binding was stopped while it was read.
type stoppage struct {
	instances map[*instance]error // the instances in which it is not read again
	all       error               // once it was stopped in a second instance: it is not read in any; nil before
}

// errUnread is the error of a binding for which the pass had no time left.
var errUnread = errors.New("not read: the time of this pass is used up")

// Retry allows reading bindings again that were stopped because they took too long. Call it when
// new code has been loaded.
func (t *Tree) Retry() {
	clear(t.stoppages)
	t.recheckNames()
}

// readable returns the error of a binding that must not be read now.
func (t *Tree) readable(in *instance, i int) error {
	if t.spent {
		return errUnread
	}
	s := t.stoppages[in.plan.slots[i].Binding]
	switch {
	case s == nil:
		return nil
	case s.all != nil:
		return s.all
	}
	return s.instances[in]
}

// fetch reads the path of in.vars[i].
func (t *Tree) fetch(in *instance, i int) (Value, error) {
	if t.spent || len(t.stoppages) > 0 {
		if err := t.readable(in, i); err != nil {
			return nil, err
		}
	}
	s := &in.plan.slots[i]
	v, err := t.read(in, &s.Path)
	if err == nil && takesFile(s.Binding) {
		v, err = t.fileName(v)
	}
	if err != nil {
		return v, t.judge(in, i, err)
	}
	switch {
	case s.track != trackRead:
	case s.prefixCalls:
		err = t.judge(in, i, t.ownThroughCalls(in, i, t.owner))
	default:
		t.own(in, i, t.owner)
	}
	return v, err
}

// judge returns err, the result of running the host's code for in.vars[i]. If the host has stopped
// that code, judge remembers the binding.
func (t *Tree) judge(in *instance, i int, err error) error {
	if err == nil || t.host.Stopped() == nil {
		return err
	}
	if t.spent {
		return errUnread
	}
	b := in.plan.slots[i].Binding
	s := t.stoppages[b]
	if s == nil {
		s = &stoppage{instances: map[*instance]error{}}
		t.stoppages[b] = s
	}
	s.instances[in] = err
	if len(s.instances) > 1 {
		s.all = err
	}
	t.spent = !t.host.Resume()
	return err
}

func (t *Tree) forgetStoppages(in *instance) {
	for i := range in.plan.slots {
		if s := t.stoppages[in.plan.slots[i].Binding]; s != nil {
			delete(s.instances, in)
		}
	}
}

// fitting returns how many of n rows may be displayed in place of had rows, and an error if not all
// may.
func (t *Tree) fitting(n, had int) (int, error) {
	if most := max(maxInstances-len(t.instances), 0) + had; n > most {
		return most, fmt.Errorf("only %d of %d rows are shown: a session shows at most %d views and rows; use ui-viewlist=\"…?window\"", most, n, maxInstances)
	}
	return n, nil
}

// showsItself reports whether an instance around in displays obj through tmpl, so that nesting
// would be infinite.
func (in *instance) showsItself(obj Value, tmpl *viewdef.Template) bool {
	for ; in != nil; in = in.parent {
		if in.obj == obj && in.plan.tmpl == tmpl {
			return true
		}
	}
	return false
}
