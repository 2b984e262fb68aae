package variable

import (
	"slices"
	"strings"

	"ui-mcp/internal/ui/viewdef"
)

// This file describes the state of controls: which boxes are ticked and which options are chosen.
// It decides as pages do, see web/src/dom/control.ts.

// state returns the state of a control or option that follows from a value, or "".
func (o *outliner) state(e Element) string {
	if o.chosen[e] && !strings.HasPrefix(e.node.Tag, "sl-radio") {
		return "selected"
	}
	if on, known := e.Checked(); o.chosen[e] || on && known {
		return "checked"
	}
	return ""
}

// choosing outlines the content of a control with options. It returns its lines and what to add to
// the control's own line.
func (o *outliner) choosing(e Element, path string) (lines []line, note string) {
	own := e.ownList()
	content := func() []line {
		if own >= 0 {
			name := e.Binding(own).Path.Bare
			return o.list(e.in, own, lastStep(e, path, name), join(path, name))
		}
		return o.content(e.in, e.node.Nodes, path)
	}
	if _, ok := e.Value(); !ok || !viewdef.IsChooser(e.node.Tag) {
		return content(), ""
	}
	_, multiple := e.node.Attr("multiple")
	values, options := e.Choices(multiple && e.node.Tag == "sl-select"), e.Options()
	o.chosen = map[Element]bool{}
	defer func() { o.chosen = nil }()
	for _, option := range options {
		if value, ok := option.Option(); ok && slices.Contains(values, value) {
			o.chosen[option] = true
			for in := option.in; in != e.in; in = in.parent {
				o.keep[in] = true
			}
		}
	}
	if len(o.chosen) == 0 && len(options) > 0 && !multiple && (own < 0 || e.in.vars[own].window == nil) {
		note = "(none of the options is chosen)"
	}
	return content(), note
}
