package variable

import (
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/viewdef"
)

// A refTable has the names by which a caller means elements that an outline has shown. One stands
// for an element as long as that is displayed for the same objects, and then for nothing: no name
// is ever used twice.
type refTable struct {
	byName map[string]*reference
	byKey  map[refKey]string
}

type refKey struct {
	instance int64
	element  int // its number; hostElement for the first element of the instance
}

// hostElement stands for the first element of an instance, which may have no number.
const hostElement = -1

type reference struct {
	refKey
	seen int64 // the number of the last batch when the reference was given or shown again
}

// maxReferences bounds those that are kept; the caller must look again after so many.
const maxReferences = 20_000

// refer returns the reference of an element, or "" if it cannot have one. seen is the number of the
// last batch; name makes a new name.
func (t *Tree) refer(e element, seen int64, name func() string) string {
	key := refKey{e.in.id, e.n.Element}
	if e.n == e.in.plan.layout().host() {
		key.element = hostElement
	} else if key.element < 0 {
		return ""
	}
	if known := t.refs.byKey[key]; known != "" {
		if !t.moved(e, t.refs.byName[known].seen) {
			return known
		}
		delete(t.refs.byName, known)
	}
	if t.refs.byName == nil || len(t.refs.byName) >= maxReferences {
		t.forgetReferences()
	}
	text := name()
	t.refs.byName[text] = &reference{key, seen}
	t.refs.byKey[key] = text
	return text
}

// shown records that an outline shows references again: what is around their elements, such as the
// object that a form sends, may have changed since they were given.
func (t *Tree) shown(names string, seen int64) {
	for name := range strings.FieldsSeq(names) {
		if r := t.refs.byName[name]; r != nil { // else it has made room for another one
			r.seen = seen
		}
	}
}

// forgetReferences makes room for new ones.
func (t *Tree) forgetReferences() {
	kept := refTable{byName: map[string]*reference{}, byKey: map[refKey]string{}}
	for name, r := range t.refs.byName {
		if t.instances[r.instance] != nil {
			kept.byName[name], kept.byKey[r.refKey] = r, name
		}
	}
	if len(kept.byName) > maxReferences/2 {
		kept = refTable{byName: map[string]*reference{}, byKey: map[refKey]string{}}
	}
	t.refs = kept
}

// moved reports whether an element belongs to other objects than after the batch seen.
func (t *Tree) moved(e element, seen int64) bool {
	return e.in.rebound > seen || slices.ContainsFunc(e.n.Slots, func(i int) bool {
		return e.in.plan.slots[i].Access.Writable() && t.stale(e.in, i, seen)
	})
}

// bare returns a reference without the @ with which outlines print it.
func bare(name string) string { return strings.TrimPrefix(strings.TrimSpace(name), "@") }

// referred returns the element that a reference stands for. The error says why there is none; it is
// never that the call is wrong: references end by themselves, and then a caller takes new ones.
func (t *Tree) referred(name string) (element, *reference, error) {
	name = bare(name)
	r := t.refs.byName[name]
	if r == nil {
		return element{}, nil, fault.New(fault.Gone, "nothing has the reference @%s here, or not any more: nothing was done; take one from a new ui_inspect of this session", name)
	}
	in := t.instances[r.instance]
	if in == nil {
		return element{}, nil, fault.New(fault.Precondition, "what @%s stood for is not displayed any more: nothing was done; ui_inspect shows what there is", name)
	}
	l := in.plan.layout()
	n := l.element[r.element]
	if r.element == hostElement {
		n = l.host()
	}
	if n == nil {
		return element{}, nil, fault.New(fault.Internal, "@%s is an element that its view definition lacks", name)
	}
	e := element{in, n}
	if t.moved(e, r.seen) {
		return element{}, nil, fault.New(fault.Precondition, "@%s displays another object than when you looked: nothing was done; ui_inspect gives it a new reference", name)
	}
	return e, r, nil
}

// A Target is an element, for pages.
type Target struct {
	Instance int64
	Element  int // the element's number; -1 for the first element of the instance
}

// Target returns the element with a reference.
func (t *Tree) Target(name string) (Target, error) {
	e, r, err := t.referred(name)
	if err != nil {
		return Target{}, err
	}
	return Target{e.in.id, r.element}, nil
}

func (o *outliner) ref(e element) string {
	if o.name == nil {
		return ""
	}
	return o.t.refer(e, o.seen, o.name)
}

// label describes an element to the reader of a message.
func (t *Tree) label(e element) string {
	o := &outliner{t: t, left: 1 << 20}
	s := scope{e.in, ""}
	name := squeezed(o.plain(s, e.n))
	if said, _ := t.attr(e, "aria-label"); strings.TrimSpace(said) != "" {
		name = said
	} else if choosers[e.n.Tag] || coveringTags[e.n.Tag] || e.n.Tag == "textarea" || e.n.Tag == "input" || strings.HasPrefix(e.n.Tag, "sl-") && viewdef.Editable(e.n.Tag) && !ticked[e.n.Tag] {
		name = ""
	}
	for _, a := range [...]string{"label", "placeholder", "name", "title"} {
		if name != "" {
			break
		}
		name, _ = t.attr(e, a)
	}
	tag := e.n.Tag
	if kind, ok := attribute(e.n, "type"); ok && tag == "input" {
		tag += " " + kind
	}
	if name == "" {
		for _, i := range e.n.Slots {
			if b := e.in.plan.slots[i].Binding; b.Kind == viewdef.Value || b.Kind == viewdef.Action {
				return tag + " {" + b.Path.Bare() + "}"
			}
		}
		return tag
	}
	return tag + " " + strconv.Quote(clip(name, 60))
}
