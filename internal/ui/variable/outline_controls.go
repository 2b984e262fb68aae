package variable

import (
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

// state returns the state of a control that follows from its value, or "".
func (o *outliner) state(e Element) string {
	if viewdef.IsOption(e.node.Tag) {
		return o.optionState(e)
	}
	if on, known := e.Checked(); on && known {
		return "checked"
	}
	return ""
}

// optionState returns whether an option is chosen in the enclosing control, or "".
func (o *outliner) optionState(e Element) string {
	if o.choice == nil {
		return ""
	}
	o.choice.seen++
	value, ok := e.Option()
	if !ok || !slices.Contains(o.choice.values, value) {
		return ""
	}
	o.choice.chosen++
	if strings.HasPrefix(e.node.Tag, "sl-radio") {
		return "checked"
	}
	return "selected"
}

// choosing outlines the content of a control with options. It returns its lines and what to add to
// the control's own line.
func (o *outliner) choosing(e Element, path string) (lines []line, note string) {
	content := func() []line {
		if i := e.ownList(); i >= 0 {
			name := e.Binding(i).Path.Bare()
			return o.list(e.in, i, lastStep(e, path, name), join(path, name))
		}
		return o.content(e.in, e.node.Nodes, path)
	}
	if _, ok := e.Value(); !ok || !viewdef.IsChooser(e.node.Tag) {
		return content(), ""
	}
	_, multiple := e.node.Attr("multiple")
	around := o.choice
	o.choice = &choice{values: e.Choices(multiple && e.node.Tag == "sl-select")}
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
