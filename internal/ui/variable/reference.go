package variable

import (
	"maps"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
)

// A refTable has the names by which a caller means elements that an outline has shown. One stands
// for an element as long as that is displayed for the same objects, and then for nothing: no name
// is ever used twice.
type refTable struct {
	byName map[string]*Reference
	of     map[Target]string
}

// A Target is an element, for pages.
type Target struct {
	Instance int64
	Element  int // the element's number; hostElement for the first element of the instance
}

// hostElement stands for the first element of an instance, which may have no number.
const hostElement = -1

// A Reference is a name that was given to an element.
type Reference struct {
	Target Target
	Seen   int64 // the number of the last batch when the reference was given or shown again
}

// maxReferences bounds those that are kept; the caller must look again after so many.
const maxReferences = 20_000

// Refer returns the reference of an element, or "" if it cannot have one. seen is the number of the
// last batch; name makes a new name.
func (t *Tree) Refer(e Element, seen int64, name func() string) string {
	at := Target{e.in.id, e.node.Element}
	if e.node == e.in.plan.tmpl.First() {
		at.Element = hostElement
	} else if at.Element < 0 {
		return ""
	}
	if known := t.refs.of[at]; known != "" {
		if !e.moved(t.refs.byName[known].Seen) {
			return known
		}
		delete(t.refs.byName, known)
	}
	full := len(t.refs.byName) >= maxReferences
	if full { // a caller may act on what the last answer has shown
		gone := func(at Target) bool { return t.instances[at.Instance] == nil }
		maps.DeleteFunc(t.refs.byName, func(_ string, r *Reference) bool { return gone(r.Target) })
		maps.DeleteFunc(t.refs.of, func(at Target, _ string) bool { return gone(at) })
	}
	if t.refs.byName == nil || full && len(t.refs.byName) > maxReferences/2 {
		t.refs = refTable{byName: map[string]*Reference{}, of: map[Target]string{}}
	}
	text := name()
	t.refs.byName[text] = &Reference{at, seen}
	t.refs.of[at] = text
	return text
}

// shown records that an outline shows references again: what is around their elements, such as the
// object that a form sends, may have changed since they were given.
func (t *Tree) shown(names string, seen int64) {
	for name := range strings.FieldsSeq(names) {
		if r := t.refs.byName[name]; r != nil { // else it has made room for another one
			r.Seen = seen
		}
	}
}

// moved reports whether an element belongs to other objects than after the batch seen.
func (e Element) moved(seen int64) bool {
	return e.in.rebound > seen || slices.ContainsFunc(e.node.Slots, func(i int) bool {
		return e.Binding(i).Access.Writable() && e.tree.stale(e.in, i, seen)
	})
}

// Referred returns the element that a reference stands for, with or without the @ with which
// outlines print it. The error says why there is none; it is never that the call is wrong:
// references end by themselves, and then a caller takes new ones.
func (t *Tree) Referred(name string) (Element, Reference, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	r := t.refs.byName[name]
	if r == nil {
		return Element{}, Reference{}, fault.New(fault.Gone, "nothing has the reference @%s here, or not any more: nothing was done; take one from a new ui_inspect of this session", name)
	}
	in := t.instances[r.Target.Instance]
	if in == nil {
		return Element{}, Reference{}, fault.New(fault.Precondition, "what @%s stood for is not displayed any more: nothing was done; ui_inspect shows what there is", name)
	}
	n := in.plan.tmpl.Numbered(r.Target.Element)
	if r.Target.Element == hostElement {
		n = in.plan.tmpl.First()
	}
	if n == nil {
		return Element{}, Reference{}, fault.New(fault.Internal, "@%s is an element that its view definition lacks", name)
	}
	e := Element{t, in, n}
	if e.moved(r.Seen) {
		return Element{}, Reference{}, fault.New(fault.Precondition, "@%s displays another object than when you looked: nothing was done; ui_inspect gives it a new reference", name)
	}
	return e, *r, nil
}

func (o *outliner) ref(e Element) string {
	if o.name == nil {
		return ""
	}
	return o.t.Refer(e, o.seen, o.name)
}
