package variable

import (
	"fmt"

	"ui-mcp/internal/ui/path"
)

// read reads a path from in's object. Reading through nil gives nil. It leaves the object before
// the last step in t.owner.
func (t *Tree) read(in *instance, p *path.Path) (Value, error) {
	obj, around := in.obj, in
	var owner Value
	for i := range p.Steps {
		owner = obj
		s := &p.Steps[i]
		if s.Kind == path.Parent {
			around = outer(around)
			if around == nil {
				t.owner = nil
				return nil, nil
			}
			obj = around.obj
			continue
		}
		if obj == nil {
			t.owner = nil
			return nil, nil
		}
		var err error
		if obj, err = t.step(in, obj, s); err != nil {
			return nil, err
		}
	}
	t.owner = owner
	return obj, nil
}

func (t *Tree) step(in *instance, obj Value, s *path.Step) (Value, error) {
	if n, ok := obj.(native); ok {
		return n.step(s)
	}
	switch s.Kind {
	case path.Field:
		return t.host.Field(obj, s.Name)
	case path.Index:
		return t.host.Element(obj, s.Index)
	case path.Call:
		return t.host.Call(obj, s.Name)
	case path.CallSub:
		arg, err := t.argument(in, s)
		if err != nil {
			return nil, err
		}
		return t.host.Call(obj, s.Name, arg)
	}
	return nil, fmt.Errorf("%s(_) cannot be read", s.Name)
}

// outer returns the instance to which ".." leads: the closest one around in that displays an object
// of the app's own.
func outer(in *instance) *instance {
	for in = in.parent; in != nil; in = in.parent {
		if _, ok := in.obj.(native); !ok {
			break
		}
	}
	if in == nil || in.parent == nil {
		return nil // the pseudo-instance around the root has no object
	}
	return in
}

// native is implemented by this package's own objects. Paths can lead through them, too.
type native interface {
	step(s *path.Step) (Value, error)
	// host returns the object's counterpart in the host's language, or nil.
	host(t *Tree) Value
}

func isNative(v Value) bool { _, ok := v.(native); return ok }

// ofHost returns v, or the counterpart of an object of this package's.
func (t *Tree) ofHost(v Value) Value {
	if n, ok := v.(native); ok {
		return n.host(t)
	}
	return v
}

// Work counts a step of a caller's work against the deadline of the pass; see [Host].
func (t *Tree) Work() error { return t.host.Work() }
