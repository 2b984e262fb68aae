package variable

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"ui-mcp/internal/ui/viewdef"
)

// This file describes the state of controls: which boxes are ticked and which options are chosen.
// It decides as pages do, see web/src/dom/control.ts.

// A choice is what the person has chosen in the enclosing select or radio group.
type choice struct {
	values []string
	seen   int  // options so far
	chosen int  // how many of them are chosen
	cut    bool // not all options were looked at
}

// ticked are the elements whose value says whether they are checked.
var ticked = set("sl-checkbox sl-switch")

// choosers are the elements whose value names one or more of the options inside.
var choosers = set("select sl-select sl-radio-group")

// options are the elements among which the person chooses.
var options = set("option sl-option sl-radio sl-radio-button")

// state returns the state of a control that follows from its value, or "".
func (o *outliner) state(s scope, n *viewdef.Node) string {
	if options[n.Tag] {
		return o.optionState(s, n)
	}
	v, ok := o.value(s, n)
	if !ok || v == unknown {
		return ""
	}
	checkbox, radio := isNativeToggle(element{s.in, n})
	switch {
	case radio:
		if value, _ := o.optionValue(s, n); v == nil || o.t.display(v) != value {
			return ""
		}
	case checkbox, ticked[n.Tag]:
		if v == nil || o.t.display(v) == "false" {
			return ""
		}
	default:
		return ""
	}
	return "checked"
}

// optionState returns whether an option is chosen in the enclosing control, or "".
func (o *outliner) optionState(s scope, n *viewdef.Node) string {
	if o.choice == nil {
		return ""
	}
	o.choice.seen++
	value, ok := o.optionValue(s, n)
	if !ok || !slices.Contains(o.choice.values, value) {
		return ""
	}
	o.choice.chosen++
	if strings.HasPrefix(n.Tag, "sl-radio") {
		return "checked"
	}
	return "selected"
}

// choosing outlines the content of a control with options. It returns its lines and what to add to
// the control's own line.
func (o *outliner) choosing(s scope, n *viewdef.Node) (lines []line, note string) {
	content := func() []line {
		if i := o.ownList(s, n); i >= 0 {
			b := s.in.plan.slots[i].Binding
			return o.list(s.in, i, lastStep(s, b, b.Path.Bare()), join(s.path, b.Path.Bare()))
		}
		return o.content(s, n.Nodes)
	}
	v, ok := o.value(s, n)
	if !choosers[n.Tag] || !ok || v == unknown {
		return content(), ""
	}
	_, multiple := attribute(n, "multiple")
	around := o.choice
	o.choice = &choice{values: o.choices(v, multiple && n.Tag == "sl-select")}
	defer func() { o.choice = around }()
	lines = content()
	if c := o.choice; c.chosen == 0 && c.seen > 0 && !c.cut && !multiple {
		note = "(none of the options is chosen)"
	}
	return lines, note
}

// searchedOptions bounds the rows that are searched for chosen options.
const searchedOptions = 1_000

// chosenRows returns those rows, of the ones that an outline leaves out, that hold chosen options.
func (o *outliner) chosenRows(rows []listRow) (chosen []listRow) {
	left, less, choice := o.left, o.less, *o.choice
	o.left = math.MaxInt32 // these lines are not printed
	for k, r := range rows {
		if k == searchedOptions {
			choice.cut = true
			break
		}
		before := o.choice.chosen
		o.row(r.inst, "")
		if o.choice.chosen > before {
			chosen = append(chosen, r)
		}
	}
	choice.seen = o.choice.seen
	o.left, o.less, *o.choice = left, less, choice
	return chosen
}

// ownList returns the slot of the list that makes the options of a control, or -1.
func (o *outliner) ownList(s scope, n *viewdef.Node) int {
	for _, i := range n.Slots {
		if choosers[n.Tag] && s.in.plan.slots[i].Kind == viewdef.List {
			return i
		}
	}
	return -1
}

// value returns the value bound to a control; ok is false if no value can be read.
func (o *outliner) value(s scope, n *viewdef.Node) (v Value, ok bool) {
	for _, i := range n.Slots {
		if b := s.in.plan.slots[i].Binding; b.Kind == viewdef.Value && b.Access.Readable() {
			return s.in.vars[i].value, true
		}
	}
	return nil, false
}

// choices returns the options that a control's value names: an array's elements, with words a
// string's words, or else the value itself.
func (o *outliner) choices(v Value, words bool) []string {
	if v == nil {
		return []string{""}
	}
	text, _ := o.t.appendValue(nil, v) // after an error, some other JSON in its place
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		if words {
			return strings.Fields(o.t.display(v))
		}
		return []string{o.t.display(v)}
	}
	out := make([]string, len(list))
	for i, e := range list {
		if json.Unmarshal(e, &out[i]) != nil {
			out[i] = string(e)
		}
	}
	return out
}

// optionValue returns the value that an option or radio button stands for.
func (o *outliner) optionValue(s scope, n *viewdef.Node) (value string, ok bool) {
	for _, i := range n.Slots {
		b, v := s.in.plan.slots[i].Binding, s.in.vars[i].value
		if b.Kind == viewdef.Attr && b.Name == "value" || b.Kind == viewdef.Value && n.Tag == "sl-option" {
			if v == nil {
				return "", true
			}
			return o.t.display(v), v != unknown
		}
	}
	if value, ok := attribute(n, "value"); ok {
		return value, true
	}
	switch n.Tag {
	case "option":
		return squeezed(o.plain(s, n)), true
	case "input":
		return "on", true
	}
	return "", false
}

// plain returns the text of an element as pages display it.
func (o *outliner) plain(s scope, n *viewdef.Node) string {
	if n.Tag == "" {
		return n.Text
	}
	if v, ok := o.value(s, n); ok {
		if v == nil {
			return ""
		}
		return o.t.display(v)
	}
	var b strings.Builder
	for i := range n.Nodes {
		b.WriteString(o.plain(s, &n.Nodes[i]))
	}
	return b.String()
}

func attribute(n *viewdef.Node, name string) (value string, ok bool) {
	if i := slices.IndexFunc(n.Attrs, func(a viewdef.Attribute) bool { return a.Name == name }); i >= 0 {
		return n.Attrs[i].Value, true
	}
	return "", false
}
