package variable

import (
	"errors"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// ErrStale is the error of an event on a binding that had another object when the person saw it, or
// whose instance is gone. Such an event has no effect.
var ErrStale = errors.New("what this belonged to is no longer shown")

// An identity is the number by which pages know an object. It lasts while something displays the
// object, and until the end of the pass in which that ends, so that an object that moves from one
// list to another keeps it.
type identity struct {
	id   int64
	uses int // instances and bindings that hold it
}

// Batch sets the number of the batch that the next scan makes, for [Tree.Event].
func (t *Tree) Batch(seq int64) { t.batch = seq }

// retain returns the identity of a value, to be given to release later, and 0 for a scalar.
func (t *Tree) retain(v Value) int64 {
	v = t.identifiable(v)
	if v == nil {
		return 0
	}
	o := t.objects[v]
	if o == nil {
		t.lastObject++
		o = &identity{id: t.lastObject}
		t.objects[v] = o
	}
	o.uses++
	return o.id
}

func (t *Tree) release(v Value) {
	o := t.objects[t.identifiable(v)]
	if o == nil {
		return
	}
	if o.uses--; o.uses == 0 {
		t.unused = append(t.unused, t.identifiable(v))
	}
}

// dropUnused forgets the objects that are not displayed any more.
func (t *Tree) dropUnused() {
	for _, v := range t.unused {
		if o := t.objects[v]; o != nil && o.uses == 0 {
			delete(t.objects, v)
		}
	}
	clear(t.unused)
	t.unused = t.unused[:0]
}

// made stands for the objects that methods make for a view, one in each pass. Two views of one
// object make different objects, so the view is a part of it.
type made struct {
	of Value // what the methods were called on
	by *viewdef.Binding
}

// identifiable returns the object that has the identity of v: the element for the item of a
// ViewList, nil for a scalar.
func (t *Tree) identifiable(v Value) Value {
	if _, ok := v.(made); ok {
		return v
	}
	if it, ok := v.(*ViewListItem); ok {
		v = it.base
	}
	if _, ok := v.(native); ok || (v != nil && t.host.IsObject(v)) {
		return v
	}
	return nil
}

// identify gives an instance the identity of source, the value before any wrapper, or of its object
// if source is a scalar.
func (t *Tree) identify(in *instance, source Value) {
	if t.identifiable(source) == nil {
		source = in.obj
	}
	if in.source == source {
		return
	}
	id := t.retain(source)
	t.release(in.source)
	in.source = source
	if id == in.object {
		return
	}
	in.object = id
	if in.mounted != 0 {
		in.rebound = t.batch
		t.ops.Object(in.id, id)
	}
}

// tracking says how to find the object that a binding writes to, if it is not the object of an
// instance.
type tracking uint8

const (
	trackNone   tracking = iota // it is the object of the instance, or of one around it
	trackRead                   // reading the binding finds it
	trackPrefix                 // it must be read: the binding itself cannot be
)

func (s *slot) trackOwner() {
	if !s.Access.Writable() || len(s.prefix.Steps) == 0 {
		return
	}
	through := s.Opts.Edit
	for _, step := range s.prefix.Steps {
		through = through || step.Kind != path.Parent
		s.prefixCalls = s.prefixCalls || step.Kind == path.Call || step.Kind == path.CallSub
	}
	switch {
	case !through:
	case s.Access.Readable():
		s.track = trackRead
	case !s.prefixCalls: // methods of an action's path run only for the action
		s.track = trackPrefix
	}
}

// ownPrefix reads the object that a binding writes to.
func (t *Tree) ownPrefix(in *instance, i int) {
	if t.readable(in, i) != nil {
		return
	}
	owner, err := t.read(in, &in.plan.slots[i].prefix)
	if t.judge(in, i, err) == nil {
		t.own(in, i, owner)
	}
}

// ownThroughCalls records the object that a binding writes to, where methods lead to it.
func (t *Tree) ownThroughCalls(in *instance, i int, owner Value) error {
	if t.identifiable(owner) == in.vars[i].ext().owner {
		return nil
	}
	prefix := in.plan.slots[i].prefix.Steps
	_, owner, err := t.lasting(in, prefix, owner)
	if err == nil {
		t.own(in, i, owner)
	}
	return err
}

// sourceOf returns what has the identity of what a view displays, v, where methods lead to that.
func (t *Tree) sourceOf(in *instance, i int, v Value) Value {
	s := &in.plan.slots[i]
	if !s.calls || t.identifiable(v) == nil {
		return v
	}
	n, of, err := t.lasting(in, s.Path.Steps, v)
	if t.judge(in, i, err) != nil || n == len(s.Path.Steps) {
		return v
	}
	return made{t.identifiable(of), s.Binding}
}

// lasting returns the last object on the way to v that stays the same, and how many steps lead to
// it; without any, that is the view's. A method that makes a new object at each call would end the
// person's edit in each pass. This is looked at each time: a method that made new objects may
// return what is selected from now on.
func (t *Tree) lasting(in *instance, steps []path.Step, v Value) (int, Value, error) {
	for n := len(steps); ; n-- {
		again, err := t.object(in, steps[:n])
		if err != nil || t.identifiable(again) == t.identifiable(v) || n == 0 {
			return n, again, err
		}
		if v, err = t.object(in, steps[:n-1]); err != nil {
			return n, nil, err
		}
	}
}

// object returns the object to which steps lead from an instance. That of a view is what the view
// displays, before any wrapper.
func (t *Tree) object(in *instance, steps []path.Step) (Value, error) {
	around := in
	for _, s := range steps {
		if s.Kind != path.Parent {
			return t.read(in, &path.Path{Steps: steps})
		}
		if around = outer(around); around == nil {
			return nil, nil
		}
	}
	return around.source, nil
}

// own records the object that a binding writes to.
func (t *Tree) own(in *instance, i int, owner Value) {
	owner = t.identifiable(owner)
	m := in.vars[i].more
	if m == nil && owner == nil {
		return
	}
	m = in.vars[i].ext()
	if m.owner == owner {
		return
	}
	id := t.retain(owner)
	t.release(m.owner)
	m.owner, m.ownerID = owner, id
	if in.mounted != t.pass {
		m.ownedSince = t.batch
		t.ops.Owner(in.id, i, id)
	}
}

// Stale reports whether a page that has applied the batches up to seen saw a binding of an instance
// with another object.
func (t *Tree) Stale(inst int64, slot int, seen int64) bool {
	return t.stale(t.instances[inst], slot, seen)
}

// stale reports whether a page that has applied the batches up to seen saw the binding with another
// object.
func (t *Tree) stale(in *instance, i int, seen int64) bool {
	s := &in.plan.slots[i]
	if s.track != trackNone {
		m := in.vars[i].more
		return m != nil && m.ownedSince > seen
	}
	around := in
	for _, step := range s.prefix.Steps {
		if step.Kind != path.Parent || around == nil {
			break
		}
		around = outer(around)
	}
	return around != nil && around.rebound > seen
}
