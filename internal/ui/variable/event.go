package variable

import (
	"errors"
	"fmt"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// Event carries out an action of the person on a binding: it writes value through the path, or
// calls its method. seen is the number of the last batch that the person's page had applied. If the
// binding wrote to another object then, or its instance or what is dropped on it is gone, nothing
// happens and the error is [ErrStale]. If the action fails, the error is a *[Problem].
func (t *Tree) Event(inst int64, slot int, value any, seen int64) error {
	in := t.instances[inst]
	if in == nil {
		return ErrStale
	}
	if slot >= len(in.plan.slots) {
		return fmt.Errorf("no binding %d in %s", slot, in.plan.tmpl.Key)
	}
	s := &in.plan.slots[slot]
	if s.Literal != nil {
		value = *s.Literal
	}
	if t.stale(in, slot, seen) {
		return ErrStale
	}
	if drops(s) {
		if from := t.dragged(value); from == nil || from.rebound > seen {
			return ErrStale
		}
	}
	err := t.write(in, slot, value)
	if errors.Is(err, ErrStale) {
		return err
	}
	if s.Kind == viewdef.Value && s.Access.Readable() {
		// The page shows what the person entered. The path's value must be sent even if it equals
		// what the page had before.
		in.vars[slot].value = unknown
	}
	if err != nil {
		return in.problem(slot, err.Error(), err)
	}
	return nil
}

// drops reports whether a binding takes what is dropped on its element.
func drops(s *slot) bool {
	return s.Kind == viewdef.Event && s.Name == "drop" && s.Opts.Arg
}

// dragged returns the instance in which a drag has begun, as the value of a drop gives it, or nil.
func (t *Tree) dragged(value any) *instance {
	id, _ := value.(float64)
	return t.instances[int64(id)]
}

func (t *Tree) write(in *instance, slot int, value any) error {
	s := &in.plan.slots[slot]
	switch {
	case !s.Access.Writable():
		return fmt.Errorf("it is read-only")
	case s.Opts.Upload:
		return errNoFile // see Upload
	case s.Opts.Content:
		var err error
		if value, err = fileOf(value); err != nil {
			return err
		}
	}
	owner, err := t.owned(in, slot)
	if err != nil {
		return err
	}
	return t.put(in, s, owner, value)
}

// owned returns the object that a binding writes to.
func (t *Tree) owned(in *instance, slot int) (Value, error) {
	s := &in.plan.slots[slot]
	owner, err := t.read(in, &s.prefix)
	if err != nil {
		return nil, err
	}
	// An earlier event of the same message may have changed where the path leads.
	if m := in.vars[slot].more; s.track != trackNone && !s.prefixCalls && m != nil && m.owner != t.identifiable(owner) {
		return nil, ErrStale
	}
	owner = t.ofHost(owner)
	if s.Path.Last().Kind == path.Parent {
		return nil, fmt.Errorf("an object cannot be replaced by an event")
	}
	if owner == nil {
		return nil, fmt.Errorf("there is no object to write to")
	}
	return owner, nil
}

// put gives the owner of a binding a value.
func (t *Tree) put(in *instance, s *slot, owner Value, value any) error {
	last := &s.Path.Steps[len(s.Path.Steps)-1]
	var args []Value
	switch {
	case last.Kind == path.Field:
		return t.host.SetField(owner, last.Name, t.host.Import(value))
	case last.Kind == path.Index:
		return t.host.SetElement(owner, last.Index, t.host.Import(value))
	case last.Kind == path.CallSub:
		arg, err := t.argument(in, last)
		if err != nil {
			return err
		}
		args = []Value{arg}
	case drops(s):
		args = []Value{t.ofHost(t.dragged(value).obj)}
	case last.Kind == path.CallArg || s.Access != viewdef.Invoke:
		args = []Value{t.host.Import(value)}
	}
	_, err := t.host.Call(owner, last.Name, args...)
	return err
}

func (t *Tree) argument(in *instance, s *path.Step) (Value, error) {
	arg, err := t.read(in, s.Arg)
	return t.ofHost(arg), err
}
