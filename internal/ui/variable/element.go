package variable

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/viewdef"
)

// An Element is an element of a template in one of the instances that display the template. It is
// comparable, and valid until the next scan.
type Element struct {
	tree *Tree
	in   *instance
	node *viewdef.Node
}

// Elements returns the elements on display that match, first those of the instances that were
// displayed first.
func (t *Tree) Elements(match func(tmpl *viewdef.Template, n *viewdef.Node) bool) iter.Seq[Element] {
	return func(yield func(Element) bool) {
		found := false // else the instances need not be sorted
		for _, p := range t.plans {
			found = found || slices.ContainsFunc(p.tmpl.Elements, func(n *viewdef.Node) bool { return match(p.tmpl, n) })
		}
		if !found {
			return
		}
		for _, id := range slices.Sorted(maps.Keys(t.instances)) {
			in := t.instances[id]
			for _, n := range in.plan.tmpl.Elements {
				if !n.Unseen && match(in.plan.tmpl, n) && !yield(Element{t, in, n}) {
					return
				}
			}
		}
	}
}

// Node returns the element as its template has it.
func (e Element) Node() *viewdef.Node { return e.node }

func (e Element) Template() *viewdef.Template { return e.in.plan.tmpl }

// Instance returns the id of the instance that the element is in.
func (e Element) Instance() int64 { return e.in.id }

// Binding returns a binding of the element's template.
func (e Element) Binding(slot int) *viewdef.Binding { return e.in.plan.slots[slot].Binding }

// Bindings returns the bindings of the element with their slots.
func (e Element) Bindings() iter.Seq2[int, *viewdef.Binding] {
	return func(yield func(int, *viewdef.Binding) bool) {
		for _, i := range e.node.Slots {
			if !yield(i, e.Binding(i)) {
				return
			}
		}
	}
}

func (e Element) child(i int) Element { return Element{e.tree, e.in, e.node.Nodes[i]} }

// around returns the element around another one; ok is false at the end. A view takes the place of
// its own element, so the host of what it displays is followed by that element, whose bindings it
// has, and other elements by what is around that.
func (e Element) around() (outer Element, ok bool) {
	if p := e.node.Parent; p != nil {
		return Element{e.tree, e.in, p}, true
	}
	parent := e.in.parent
	if parent == nil || parent == &e.tree.root {
		return Element{}, false
	}
	s := &parent.plan.slots[e.in.slot]
	n := parent.plan.tmpl.Numbered(s.Element)
	if n == nil {
		return Element{}, false
	}
	at := Element{e.tree, parent, n}
	if s.Kind == viewdef.View && e.node != e.in.plan.tmpl.First() {
		return at.around()
	}
	return at, true
}

// Path returns the element and those around it, from the inside out: the way of an event.
func (e Element) Path() []Element {
	out := []Element{e}
	for {
		next, ok := e.around()
		if !ok {
			return out
		}
		out, e = append(out, next), next
	}
}

// Each calls f for each element inside, in document order, until the host's time is up.
func (e Element) Each(f func(Element)) {
	for k := range e.node.Nodes {
		e.child(k).visit(f)
	}
}

// visit calls f for an element, after what is displayed in its place.
func (e Element) visit(f func(Element)) {
	if e.node.Tag == "" || e.tree.host.Work() != nil {
		return
	}
	replaced := false
	for i, b := range e.Bindings() {
		if b.Kind != viewdef.View && b.Kind != viewdef.List {
			continue
		}
		replaced = true
		child, rows := e.in.vars[i].inside()
		if child != nil {
			child.visit(e.tree, f)
		}
		for _, r := range rows {
			r.inst.visit(e.tree, f)
		}
	}
	f(e)
	if !replaced {
		e.Each(f)
	}
}

func (in *instance) visit(t *Tree, f func(Element)) {
	for _, n := range in.plan.tmpl.Nodes {
		Element{t, in, n}.visit(f)
	}
}

// Options returns the elements among which a person chooses in a select or radio group, in document
// order.
func (e Element) Options() (list []Element) {
	see := func(at Element) {
		if viewdef.IsOption(at.node.Tag) {
			list = append(list, at)
		}
	}
	if i := e.ownList(); i >= 0 {
		_, rows := e.in.vars[i].inside()
		for _, r := range rows {
			shown := displayedBy(r.inst)
			if n := shown.plan.tmpl.First(); n != nil {
				see(Element{e.tree, shown, n})
			}
		}
		return list
	}
	e.Each(see)
	return list
}

// ownList returns the slot of the list that makes the options of a control, or -1.
func (e Element) ownList() int {
	for i, b := range e.Bindings() {
		if viewdef.IsChooser(e.node.Tag) && b.Kind == viewdef.List {
			return i
		}
	}
	return -1
}

// Attr returns an attribute as the page has it.
func (e Element) Attr(name string) (value string, ok bool) {
	for i, b := range e.Bindings() {
		if b.Kind == viewdef.Attr && b.Name == name {
			v := e.in.vars[i].value
			if v == nil || v == unknown {
				return "", false
			}
			text := e.tree.display(v)
			return text, text != "false"
		}
	}
	return e.node.Attr(name)
}

// Has reports whether the page has an attribute.
func (e Element) Has(name string) bool {
	_, ok := e.Attr(name)
	return ok
}

// value returns the value bound to a control; ok is false if none can be read.
func (e Element) value() (v Value, ok bool) {
	for i, b := range e.Bindings() {
		if b.Kind == viewdef.Value && b.Access.Readable() {
			return e.in.vars[i].value, true
		}
	}
	return nil, false
}

// Value returns the value bound to a control; ok is false if none has been read.
func (e Element) Value() (v Value, ok bool) {
	if v, ok = e.value(); !ok || v == unknown {
		return nil, false
	}
	return v, true
}

// Checked reports whether a checkbox, switch or radio button is on; known is false if no value says
// so.
func (e Element) Checked() (on, known bool) {
	v, ok := e.Value()
	if !ok || !e.node.IsToggle() && !viewdef.IsSwitch(e.node.Tag) {
		return false, false
	}
	if e.node.IsRadio() {
		option, _ := e.Option()
		return v != nil && e.tree.display(v) == option, true
	}
	return v != nil && e.tree.display(v) != "false", true
}

// Choices returns the options that the value of a control names: an array's elements, with words
// a string's words, or else the value itself.
func (e Element) Choices(words bool) []string {
	v, _ := e.value()
	if v == nil {
		return []string{""}
	}
	text, _ := e.tree.appendValue(nil, v) // after an error, some other JSON in its place
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		if words {
			return strings.Fields(e.tree.display(v))
		}
		return []string{e.tree.display(v)}
	}
	out := make([]string, len(list))
	for i, one := range list {
		if json.Unmarshal(one, &out[i]) != nil {
			out[i] = string(one)
		}
	}
	return out
}

// Option returns the value that an option or radio button stands for; ok is false if it has none.
func (e Element) Option() (value string, ok bool) {
	for i, b := range e.Bindings() {
		if b.Kind == viewdef.Attr && b.Name == "value" || b.Kind == viewdef.Value && e.node.Tag == "sl-option" {
			v := e.in.vars[i].value
			if v == nil {
				return "", true
			}
			return e.tree.display(v), v != unknown
		}
	}
	if value, ok := e.node.Attr("value"); ok {
		return value, true
	}
	switch e.node.Tag {
	case "option":
		return squeezed(e.Text()), true
	case "input":
		return "on", true
	}
	return "", false
}

// Text returns the text of an element as pages display it.
func (e Element) Text() string {
	if e.node.Tag == "" {
		return e.node.Text
	}
	if v, ok := e.value(); ok {
		if v == nil {
			return ""
		}
		return e.tree.display(v)
	}
	var b strings.Builder
	for i := range e.node.Nodes {
		b.WriteString(e.child(i).Text())
	}
	return b.String()
}

// Hidden returns why a person does not see an element: "" if it is visible, "always" if the
// template hides it.
func (e Element) Hidden() string {
	o := outliner{t: e.tree}
	return o.hidden(e)
}

// Enter records what a page would hold in a control whose value is never read.
func (t *Tree) Enter(inst int64, slot int, value any) {
	if in := t.instances[inst]; in != nil && in.plan.slots[slot].Kind == viewdef.Value && !in.plan.slots[slot].Access.Readable() {
		in.vars[slot].ext().entered = value
	}
}

// Entered returns what [Tree.Enter] has recorded, or nil.
func (e Element) Entered(slot int) any {
	if m := e.in.vars[slot].more; m != nil {
		return m.entered
	}
	return nil
}

// Label describes an element to the reader of a message.
func (e Element) Label() string {
	tag := e.node.Tag
	name := squeezed(e.Text())
	if said, _ := e.Attr("aria-label"); strings.TrimSpace(said) != "" {
		name = said
	} else if viewdef.IsCover(tag) || viewdef.Editable(tag) && !viewdef.IsSwitch(tag) {
		name = ""
	}
	for _, a := range [...]string{"label", "placeholder", "name", "title"} {
		if name != "" {
			break
		}
		name, _ = e.Attr(a)
	}
	if kind, ok := e.node.Attr("type"); ok && tag == "input" {
		tag += " " + kind
	}
	if name == "" {
		for _, b := range e.Bindings() {
			if b.Kind == viewdef.Value || b.Kind == viewdef.Action {
				return tag + " {" + b.Path.Bare + "}"
			}
		}
		return tag
	}
	return tag + " " + strconv.Quote(clip(name, 60))
}
