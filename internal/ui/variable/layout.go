package variable

import (
	"maps"
	"slices"

	"ui-mcp/internal/ui/viewdef"
)

// A layout is a template's elements, for outlines and for what is done to elements. It is made when
// it is first needed, and never changed.
type layout struct {
	nodes   []viewdef.Node
	parent  map[*viewdef.Node]*viewdef.Node // of each element that is not a root
	element map[int]*viewdef.Node           // those that have a number
	numbers []int                           // of these, sorted
	dialogs []*viewdef.Node
	forms   map[string]*viewdef.Node // by their id
	owned   []*viewdef.Node          // those that name their form
}

func (p *plan) layout() *layout {
	if p.elements != nil {
		return p.elements
	}
	l := &layout{nodes: p.tmpl.Outline(), parent: map[*viewdef.Node]*viewdef.Node{}, element: map[int]*viewdef.Node{}, forms: map[string]*viewdef.Node{}}
	var walk func(nodes []viewdef.Node, parent *viewdef.Node)
	walk = func(nodes []viewdef.Node, parent *viewdef.Node) {
		for i := range nodes {
			n := &nodes[i]
			if n.Tag == "" {
				continue
			}
			if parent != nil {
				l.parent[n] = parent
			}
			if n.Element >= 0 {
				l.element[n.Element] = n
			}
			if coveringTags[n.Tag] {
				l.dialogs = append(l.dialogs, n)
			}
			if id, ok := attribute(n, "id"); ok && n.Tag == "form" && l.forms[id] == nil {
				l.forms[id] = n
			}
			if _, ok := attribute(n, "form"); ok {
				l.owned = append(l.owned, n)
			}
			walk(n.Nodes, n)
		}
	}
	walk(l.nodes, nil)
	l.numbers = slices.Sorted(maps.Keys(l.element))
	p.elements = l
	return l
}

// host returns the element that represents an instance: its first one, or nil.
func (l *layout) host() *viewdef.Node {
	for i := range l.nodes {
		if l.nodes[i].Tag != "" {
			return &l.nodes[i]
		}
	}
	return nil
}

type element struct {
	in *instance
	n  *viewdef.Node
}

// around returns the element around another one; ok is false at the end. A view takes the place of
// its own element, so the host of what it displays is followed by that element, whose bindings it
// has, and other elements by what is around that.
func (t *Tree) around(e element) (outer element, ok bool) {
	if p := e.in.plan.layout().parent[e.n]; p != nil {
		return element{e.in, p}, true
	}
	parent := e.in.parent
	if parent == nil || parent == &t.root {
		return element{}, false
	}
	s := &parent.plan.slots[e.in.slot]
	n := parent.plan.layout().element[s.Element]
	if n == nil {
		return element{}, false
	}
	at := element{parent, n}
	if s.Kind == viewdef.View && e.n != e.in.plan.layout().host() {
		return t.around(at)
	}
	return at, true
}

// path returns an element and those around it, from the inside out: the way of an event.
func (t *Tree) path(e element) []element {
	out := []element{e}
	for {
		next, ok := t.around(e)
		if !ok {
			return out
		}
		out, e = append(out, next), next
	}
}

// attr returns an attribute as the page has it.
func (t *Tree) attr(e element, name string) (value string, ok bool) {
	for _, i := range e.n.Slots {
		if b := e.in.plan.slots[i].Binding; b.Kind == viewdef.Attr && b.Name == name {
			v := e.in.vars[i].value
			if v == nil || v == unknown {
				return "", false
			}
			text := t.display(v)
			return text, text != "false"
		}
	}
	return attribute(e.n, name)
}

func (t *Tree) has(e element, name string) bool {
	_, ok := t.attr(e, name)
	return ok
}

func (t *Tree) binds(e element, name string) bool {
	return slices.ContainsFunc(e.n.Slots, func(i int) bool {
		b := e.in.plan.slots[i].Binding
		return b.Kind == viewdef.Attr && b.Name == name
	})
}
