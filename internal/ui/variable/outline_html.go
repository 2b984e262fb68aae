package variable

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/viewdef"
)

// content outlines consecutive elements. Those that share a line on the screen share one here.
func (o *outliner) content(in *instance, nodes []*viewdef.Node, path string) []line {
	var lines []line
	var run strings.Builder
	flush := func() {
		if text := strings.TrimSpace(run.String()); text != "" {
			lines = append(lines, o.line("%s", text))
		}
		run.Reset()
	}
	for _, n := range nodes {
		if o.left < 0 {
			return lines
		}
		e := Element{o.t, in, n}
		if o.inline(e) {
			run.WriteString(o.text(e))
			continue
		}
		flush()
		if more := o.element(e, path); lines == nil {
			lines = more
		} else {
			lines = append(lines, more...)
		}
	}
	flush()
	return lines
}

var inlineTags = set("a abbr b bdi br cite code data dfn em i img kbd mark output q s samp small span strong sub sup time u var " +
	"sl-badge sl-format-number sl-format-date sl-format-bytes sl-relative-time sl-icon sl-avatar")

// isControl reports whether a person acts on an element with this tag, with or without bindings.
func isControl(tag string) bool { return viewdef.IsControl(tag) || viewdef.IsOption(tag) }

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// inline reports whether an element is a part of a line of text.
func (o *outliner) inline(e Element) bool {
	if e.node.Tag == "" {
		return true
	}
	if !inlineTags[e.node.Tag] || o.hidden(e) != "" {
		return false
	}
	for i := range e.node.Nodes {
		if !o.inline(e.child(i)) {
			return false
		}
	}
	return !showsMore(e)
}

// showsMore reports whether an element displays a list or a view, or does something.
func showsMore(e Element) bool {
	return slices.ContainsFunc(e.node.Slots, func(i int) bool {
		switch e.in.plan.slots[i].Kind {
		case viewdef.List, viewdef.View, viewdef.Action, viewdef.Event, viewdef.Key:
			return true
		}
		return false
	})
}

// flat reports whether an element fits one line of text: it contains no control, view or list.
func (o *outliner) flat(e Element) bool {
	for i := range e.node.Nodes {
		c := e.child(i)
		if isControl(c.node.Tag) || showsMore(c) || !o.flat(c) {
			return false
		}
	}
	return true
}

// text returns the content of an element, as part of a line.
func (o *outliner) text(e Element) string {
	if e.node.Tag == "" {
		return e.node.Text
	}
	if o.hidden(e) != "" {
		return ""
	}
	for _, i := range e.node.Slots {
		if k := e.in.plan.slots[i].Kind; k == viewdef.Value || k == viewdef.HTML {
			return pad(e.node.Tag, o.bound(e, i, false))
		}
	}
	switch e.node.Tag {
	case "br":
		return " "
	case "img", "sl-icon", "sl-avatar":
		for _, a := range e.node.Attrs {
			if a.Value != "" && (a.Name == "alt" || a.Name == "label" || a.Name == "name") {
				return pad(e.node.Tag, "["+a.Value+"]")
			}
		}
	}
	var b strings.Builder
	for i := range e.node.Nodes {
		b.WriteString(o.text(e.child(i)))
	}
	return pad(e.node.Tag, b.String())
}

// pad separates the text of an element that has a line of its own on the screen.
func pad(tag, text string) string {
	if inlineTags[tag] || text == "" {
		return text
	}
	return " " + text + " "
}

// element outlines an element that is not part of a line of text.
func (o *outliner) element(e Element, path string) []line {
	if why := o.hidden(e); why == "always" {
		return nil
	} else if why != "" {
		return []line{o.line("%s hidden %s", e.node.Tag, why)}
	}
	for i, b := range e.Bindings() {
		name := b.Path.Bare
		to := join(path, name)
		if isNative(e.in.obj) {
			name, to = path, path
		}
		switch b.Kind {
		case viewdef.View:
			return o.view(e.in, i, name, to)
		case viewdef.List:
			if viewdef.IsChooser(e.node.Tag) {
				break // its options; see choosing
			}
			return o.list(e.in, i, lastStep(e, path, name), to)
		}
	}
	if e.node.Tag == "ui-terminal" {
		return o.terminal(e)
	}
	head, telling := o.head(e)
	if tail := o.does(e); tail != "" || isControl(e.node.Tag) {
		ref := ""
		if (!viewdef.IsOption(e.node.Tag) || tail != "") && (o.rowOf != e.in || e.node != e.in.plan.tmpl.First()) {
			if ref = o.ref(e); ref != "" {
				tail += " @" + ref
			}
		}
		if o.flat(e) && e.ownList() < 0 {
			only := o.line("%s %s %s %s", head.tag, o.inner(e), head.rest, tail)
			only.refs = ref
			return []line{only}
		}
		lines, note := o.choosing(e, path)
		first := o.line("%s %s %s %s %s", head.tag, o.boundContent(e), head.rest, note, tail)
		first.refs = ref
		return append([]line{first}, indent(lines)...)
	}
	if text := o.boundContent(e); text != "" {
		return []line{o.line("%s %s %s", head.tag, text, head.rest)}
	}
	lines := o.content(e.in, e.node.Nodes, path)
	switch {
	case e.node.Tag == "label" && len(lines) == 2 && lines[1].in == 0:
		between := " "
		first := slices.IndexFunc(e.node.Nodes, func(c *viewdef.Node) bool { return c.Text != " " })
		if first >= 0 && o.inline(e.child(first)) {
			between = ": "
		}
		lines[0].text += between + lines[1].text
		lines[0].refs = both(lines[0].refs, lines[1].refs)
		return lines[:1]
	case telling && len(lines) == 0:
		return []line{o.line("%s %s", head.tag, head.rest)}
	case telling || len(lines) == 1 && lines[0].in == 0 && o.flat(e) && e.node.Tag != "div" && e.node.Tag != "label":
		if len(lines) == 1 && o.flat(e) {
			l := o.line("%s %s %s", head.tag, lines[0].text, head.rest)
			l.refs = lines[0].refs
			o.left += len(lines[0].text) + 1
			return []line{l}
		}
		return append([]line{o.line("%s %s", head.tag, head.rest)}, indent(lines)...)
	}
	return lines
}

type terminalReader interface {
	// ReadTerminal returns the state of a terminal and the last lines of its screen, or says why
	// there is nothing to read.
	ReadTerminal(nameOrID string) (state string, last []string)
}

// terminal outlines the element that displays a terminal, with the last lines of its screen.
func (o *outliner) terminal(e Element) []line {
	name, _ := e.node.Attr("session")
	from := ""
	for i, b := range e.Bindings() {
		if b.Kind == viewdef.Attr && b.Name == "session" {
			if v := e.in.vars[i].value; v != nil && v != unknown {
				name = o.t.display(v)
			}
			from = " " + o.bound(e, i, false)
		}
	}
	reader, ok := o.t.host.(terminalReader)
	if name == "" || !ok {
		return []line{o.line("ui-terminal without a session%s", from)}
	}
	state, last := reader.ReadTerminal(name)
	lines := []line{o.line("ui-terminal %s: %s%s", quote(o.clip(name)), state, from)}
	for _, text := range last {
		lines = append(lines, indent([]line{o.line(dataMark+"%s", o.clip(text))})...)
	}
	return lines
}

// lastStep returns the name of a list: its own path or, inside a wrapper, the path of the enclosing
// view.
func lastStep(e Element, path, name string) string {
	if isNative(e.in.obj) {
		return path[strings.LastIndexByte(path, '.')+1:]
	}
	return name
}

// inner returns the text of an element whose content is flat.
func (o *outliner) inner(e Element) string {
	var b strings.Builder
	if text := o.boundContent(e); text != "" {
		if !viewdef.IsSwitch(e.node.Tag) {
			return text
		}
		b.WriteString(text + " ") // the content is its label
	}
	for i := range e.node.Nodes {
		b.WriteString(o.text(e.child(i)))
	}
	return b.String()
}

func (o *outliner) boundContent(e Element) string {
	var parts []string
	for i, b := range e.Bindings() {
		switch b.Kind {
		case viewdef.Value, viewdef.HTML:
			parts = append(parts, o.bound(e, i, b.Opts.Edit || b.Access == viewdef.Write))
		}
	}
	return strings.Join(parts, " ")
}

// does describes what happens when a person acts on an element.
func (o *outliner) does(e Element) string {
	var parts []string
	for _, b := range e.Bindings() {
		switch b.Kind {
		case viewdef.Action:
			parts = append(parts, "→ "+b.Path.Bare)
		case viewdef.Event, viewdef.Key:
			parts = append(parts, b.Name+" → "+b.Path.Bare)
		}
	}
	return strings.Join(parts, ", ")
}

// A head describes an element itself: its tag with what identifies it, and its state.
type head struct{ tag, rest string }

// telling are the attributes that describe the element to a reader who cannot see it. Those that
// start with "aria-" do, too, except for references to other elements.
var telling = set("type placeholder title alt href src value name role label help-text variant min max step minlength maxlength pattern accept " +
	"disabled readonly required checked selected indeterminate multiple open inert contenteditable draggable download")

// references are the attributes that name other elements by id, and one for which nothing looks
// different.
var references = set("aria-labelledby aria-describedby aria-controls aria-owns aria-details aria-flowto aria-activedescendant aria-errormessage aria-hidden")

func describes(attr string) bool {
	return telling[attr] || strings.HasPrefix(attr, "aria-") && !references[attr]
}

// meaningful are the classes that say what an element means or in which state it is, by common
// custom and in the bundled style sheet. Others are for the layout.
var meaningful = set("primary secondary danger destructive warning warn success info error invalid notice badge " +
	"active selected current disabled done open muted new unread")

// head describes an element; matters says whether that is worth a line.
func (o *outliner) head(e Element) (h head, matters bool) {
	tag, rest := e.node.Tag, []string{}
	state := o.state(e)
	_, bound := e.value()
	for _, a := range e.node.Attrs {
		switch {
		case a.Name == "class":
			for c := range strings.FieldsSeq(a.Value) {
				if meaningful[c] {
					tag += "." + c
				}
			}
			continue
		case !describes(a.Name) || a.Name == "name" && e.node.Tag != "slot" && e.node.Tag != "sl-icon-button",
			(a.Name == "checked" || a.Name == "selected") && (bound || o.chosen != nil && viewdef.IsOption(e.node.Tag)): // the value decides
			continue
		case a.Name == "type":
			if e.node.Tag == "button" || e.node.Tag == "sl-button" {
				continue
			}
			tag += " " + a.Value
		case a.Value == "" && a.Name != "value":
			rest = append(rest, a.Name)
		case a.Name == "title" && len(rest) > 0 && strings.HasSuffix(rest[len(rest)-1], quote(a.Value)):
			continue // it often repeats the label
		default:
			rest = append(rest, a.Name+"="+quote(o.clip(a.Value)))
		}
		matters = matters || a.Name == "role" || strings.HasPrefix(a.Name, "aria-") || a.Name == "title" || a.Name == "src" || a.Name == "label"
	}
	if state != "" {
		rest = append(rest, state)
	}
	for i, b := range e.Bindings() {
		v := e.in.vars[i].value
		failed := o.t.problems[slotKey{e.in, i}] != nil
		on := v != unknown && o.truthy(v)
		switch b.Kind {
		case viewdef.Class:
			if on {
				tag += "." + b.Name
				matters = true
			}
			if failed {
				rest = append(rest, "class "+b.Name+"="+o.bound(e, i, false))
			}
		case viewdef.Attr:
			state := b.Name == "checked" || b.Name == "disabled" || b.Name == "selected" || b.Name == "open"
			if failed || state || on {
				rest = append(rest, b.Name+"="+o.bound(e, i, false))
				matters = true
			}
		case viewdef.Style:
			if failed || on {
				rest = append(rest, "style "+b.Name+"="+o.bound(e, i, false))
				matters = true
			}
		}
	}
	return head{tag, strings.Join(rest, " ")}, matters
}

// hidden returns why a person does not see an element: "" if it is visible, "always" if the
// template hides it.
func (o *outliner) hidden(e Element) string {
	for _, a := range e.node.Attrs {
		switch {
		case a.Name == "hidden",
			a.Name == "type" && strings.EqualFold(a.Value, "hidden") && e.node.Tag == "input",
			a.Name == "style" && strings.Contains(strings.ReplaceAll(a.Value, " ", ""), "display:none"):
			return "always"
		}
	}
	for i, b := range e.Bindings() {
		v := e.in.vars[i].value
		if v == unknown {
			continue
		}
		switch {
		case (b.Kind == viewdef.Attr || b.Kind == viewdef.Class) && b.Name == "hidden" && o.truthy(v),
			b.Kind == viewdef.Style && b.Name == "display" && o.t.display(v) == "none":
			return o.bound(e, i, false)
		}
	}
	return ""
}

func (o *outliner) truthy(v Value) bool {
	if _, ours := v.(native); ours {
		return true
	}
	return v != nil && o.t.host.Truthy(v)
}

// bound returns a binding's path and value.
func (o *outliner) bound(e Element, i int, quoted bool) string {
	b := e.Binding(i)
	if !b.Access.Readable() {
		return "{" + b.Path.Bare + "}"
	}
	v := e.in.vars[i].value
	value := o.clip(o.t.display(v))
	if quoted || strings.Contains(value, "}") { // what follows the brace is not data
		if text, _ := o.t.appendValue(nil, v); bytes.HasPrefix(text, quotes) {
			value = quote(value)
		}
	}
	return "{" + b.Path.Bare + ": " + value + o.problem(slotKey{e.in, i}) + "}"
}

// quotes are how texts begin in JSON.
var quotes = []byte{'"'}

// display returns a value as text: strings as they are, everything else as JSON.
func (t *Tree) display(v Value) string {
	if v == nil || v == unknown {
		return "nil"
	}
	text, _ := t.appendValue(nil, v) // after an error, some other JSON in its place
	if !bytes.HasPrefix(text, quotes) {
		return string(text)
	}
	if s := string(text[1 : len(text)-1]); !strings.Contains(s, `\`) {
		return s
	}
	var s string
	_ = json.Unmarshal(text, &s) // it is a text
	return s
}

// longest bounds each text in an outline, in bytes.
const longest = 200

// clip shortens a long text.
func (o *outliner) clip(s string) string {
	o.less = o.less || len(s) > longest
	return clip(s, longest)
}

const leftOut = " …(1,000,000 more characters)" // about what clip adds

// clip shortens a text to about n bytes and says how much is missing.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := safetext.Cut(s, n)
	return head + "…(" + count(utf8.RuneCountInString(s[len(head):])) + " more characters)"
}

func quote(s string) string { return strconv.Quote(s) }
