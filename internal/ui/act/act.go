// Package act finds out what a person's input to an element of a page would do: which events the
// page would send to the app, and why the input is impossible or the person's alone. It sends
// nothing, reads no page and changes no object.
//
// Three types do it: an [Input] is what is done to an element, a [Plan] what comes of it, and an
// actor in between follows the events from element to element, as a browser and our page do:
//
//	Input ── Find ── actor: click, fill, check, choose, press ── events on bindings ── Plan.Messages
//
// Whatever this package predicts, a page does. Where only the browser knows, the plan says so in
// Local or Holds, and the caller asks a page. TestActsAsRecorded compares both for every control:
// what a control holds and takes is in values.go, what forms send in form.go, and both follow
// web/src/dom/control.ts, editors.ts and bindings/event.ts.
package act

import (
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

type element = variable.Element

// An Input is what an agent does to an element in place of the person.
type Input = wire.Input

// A Plan is what an input does, found out without a page.
type Plan struct {
	What    string // what is done, for the answer
	Nothing string // why nothing need be done, or ""
	// Holds says that a control whose value only a page knows holds the value already, if no page
	// has been there since the last act; or "".
	Holds string
	// Messages are the events, in the order in which a page would send them; each list is one
	// transaction.
	Messages [][]wire.Event
	// Local says what would happen only in the browser, and is an error without a page; or "".
	Local  string
	Target variable.Target
	Input  Input // as a page carries it out: texts as controls hold them, options by their values
	Seen   int64 // the number of the batch after which the reference was given
}

// Find finds out what an input to the element with a reference does. It changes nothing. The error
// says why a person could not do this, or that it is the person's alone.
func Find(tree *variable.Tree, ref string, input Input) (*Plan, error) {
	e, r, err := tree.Referred(ref)
	if err != nil {
		return nil, err
	}
	a := &actor{tree: tree, at: e, act: Plan{Target: r.Target, Input: input, Seen: r.Seen}}
	err = a.enter(input)
	if stopped := tree.Work(); stopped != nil {
		return nil, fault.Wrap(fault.Exhausted, stopped, "nothing was done: to find out what this does took too long")
	}
	if err != nil {
		return nil, err
	}
	for _, m := range a.act.Messages {
		for _, h := range m { // of elements around it and of its form, too
			if tree.Stale(h.Instance, h.Slot, r.Seen) {
				return nil, refused("an act on @%s reaches another object than when you looked: nothing was done; look again with ui_inspect", strings.TrimPrefix(strings.TrimSpace(ref), "@"))
			}
		}
	}
	if len(a.act.Messages) == 0 && a.act.Nothing == "" && a.act.Local == "" {
		a.act.Local = "no binding of " + e.Label() + " takes this"
	}
	return &a.act, nil
}

func (a *actor) enter(input Input) (err error) {
	if a.act.Local, err = reachable(a.tree, a.at); err != nil {
		return err
	}
	label := a.at.Label()
	switch {
	case input.Click:
		a.act.What = "Clicked " + label
		return a.click(a.at)
	case input.Fill != nil:
		a.act.What = "Filled " + label
		return a.fill(*input.Fill)
	case input.Check != nil:
		a.act.What = "Checked " + label
		if !*input.Check {
			a.act.What = "Unchecked " + label
		}
		return a.check(*input.Check)
	case input.Select != nil:
		a.act.What = "Selected in " + label
		return a.choose(input.Select)
	}
	a.act.What = "Pressed " + input.Key + " on " + label
	return a.press(input.Key)
}

// refused is an act that a person could not do, or that only they may.
func refused(format string, args ...any) error {
	return fault.New(fault.Precondition, format, args...)
}

// Carried records that a plan was carried out without a page, so that the next one finds what a
// page would hold.
func Carried(tree *variable.Tree, p *Plan) {
	for _, m := range p.Messages {
		for _, h := range m {
			tree.Enter(h.Instance, h.Slot, h.Value)
		}
	}
}

// reachable returns why a person cannot act on an element, or nil. local says why it would be
// hidden in a page that has just been opened, where only the page knows whether it still is; or "".
func reachable(tree *variable.Tree, e element) (local string, err error) {
	label := e.Label()
	path := e.Path()
	for k, at := range path {
		switch why := at.Hidden(); {
		case why == "always":
			return "", refused("%s is hidden", label)
		case why != "":
			return "", refused("%s is hidden by %s", label, why)
		case at.Has("inert"):
			return "", refused("%s is in a part of the page that is inert", label)
		case k > 0 && (viewdef.IsCover(at.Node().Tag) || at.Node().Tag == "dialog") && !at.Has("open"):
			if binds(at, "open") {
				return "", refused("%s is in a dialog that is closed", label)
			}
			local = label + " is in a dialog that is closed"
		case k > 0 && (at.Node().Tag == "details" || at.Node().Tag == "sl-details") && !at.Has("open") && path[k-1].Node().Tag != "summary":
			local = label + " is in " + at.Node().Tag + " that are closed"
		case at.Has("popover"):
			local = label + " is in a popover"
		}
	}
	if disabledAround(path) {
		return "", refused("%s is disabled by the fieldset around it", label)
	}
	if disabled(e) {
		return "", refused("%s is disabled", label)
	}
	if d, ok := covering(tree, path); ok {
		return "", refused("%s is covered by the open %s", label, d.Label())
	}
	return local, nil
}

func binds(e element, attribute string) bool {
	for _, b := range e.Bindings() {
		if b.Kind == viewdef.Attr && b.Name == attribute {
			return true
		}
	}
	return false
}

var inFieldsets = map[string]bool{"button": true, "input": true, "select": true, "textarea": true}

// disabled reports whether an element is one that can be disabled, and is.
func disabled(e element) bool {
	component := strings.HasPrefix(e.Node().Tag, "sl-") && e.Node().Tag != "sl-radio-group"
	return (inFieldsets[e.Node().Tag] || component) && e.Has("disabled")
}

// disabledAround reports whether a fieldset around the first element of a path disables it.
func disabledAround(path []element) bool {
	for k, at := range path {
		if k > 0 && at.Node().Tag == "fieldset" && at.Has("disabled") && !isLegend(at, path[k-1]) {
			return inFieldsets[path[0].Node().Tag]
		}
	}
	return false
}

// isLegend reports whether an element in a fieldset is its legend, in which nothing is disabled.
func isLegend(fieldset, e element) bool {
	for _, n := range fieldset.Node().Nodes {
		if n.Tag == "legend" {
			return n == e.Node()
		}
	}
	return false
}

// covering returns an open dialog that covers the element at the end of a path.
func covering(tree *variable.Tree, path []element) (cover element, covered bool) {
	covers := func(at element) bool { return viewdef.IsCover(at.Node().Tag) }
	within := slices.ContainsFunc(path, covers)
	for d := range tree.Elements(func(_ *viewdef.Template, n *viewdef.Node) bool { return viewdef.IsCover(n.Tag) }) {
		if tree.Work() != nil {
			break
		}
		if slices.Contains(path, d) || !d.Has("open") {
			continue
		}
		around := d.Path()
		if slices.ContainsFunc(around, func(at element) bool { return at.Hidden() != "" }) {
			continue
		}
		// Of two dialogs, the inner one covers the other.
		if !within || slices.ContainsFunc(around, func(at element) bool { return covers(at) && at != d && slices.Contains(path, at) }) {
			return d, true
		}
	}
	return element{}, false
}

// An actor follows the events of an act through the elements, as a browser and our page do:
// web/src/dom/bindings/event.ts and web/src/dom/editors.ts.
type actor struct {
	tree    *variable.Tree
	at      element // the element acted on
	act     Plan
	value   any  // what the control holds from now on
	changed bool // value is set
	unsent  bool // the change has not been sent
	sent    bool // it has been sent
	depth   int

	forms map[formID]element // see survey; nil before
	owned []element
}

func (a *actor) send(events ...wire.Event) { a.act.Messages = append(a.act.Messages, events) }

// edited returns the slot through which the person edits an element, or -1.
func edited(e element) int {
	for i, b := range e.Bindings() {
		if b.Kind == viewdef.Value && b.Opts.Edit {
			return i
		}
	}
	return -1
}

func (a *actor) edit() wire.Event {
	a.unsent, a.sent = false, true
	return wire.Event{Instance: a.at.Instance(), Slot: edited(a.at), Value: a.value}
}

// commit sends the change of the control.
func (a *actor) commit() {
	if a.unsent {
		a.send(a.edit())
	}
}

// dispatch follows an event of the given type from an element outwards, and reports whether the
// browser's own reaction is prevented. key is the key of a keydown.
func (a *actor) dispatch(e element, typ string, key pressed) (prevented bool) {
	for _, at := range e.Path() {
		for _, i := range slices.Sorted(slices.Values(at.Node().Slots)) {
			b := at.Binding(i)
			switch {
			case b.Kind == viewdef.Action && typ == "click":
				prevented = prevented || !at.Node().IsToggle()
			case b.Kind == viewdef.Event && b.Name == typ:
				prevented = prevented || typ == "submit"
			case b.Kind == viewdef.Key && typ == "keydown" && key.is(b.Name):
				prevented = prevented || key.consumed()
			default:
				continue
			}
			a.trigger(at, i)
		}
	}
	return prevented
}

// trigger sends the event of a binding, after what has been changed and not been sent.
func (a *actor) trigger(at element, i int) {
	b := at.Binding(i)
	h := wire.Event{Instance: at.Instance(), Slot: i}
	_, toggles := a.held(at).(bool)
	if at == a.at && a.changed && !a.sent && !toggles && edited(at) >= 0 {
		a.unsent = true // the page sees that the control holds something else
	}
	if b.Opts.Arg {
		if h.Value = a.held(at); b.Kind == viewdef.Key {
			h.Value = parseKey(b.Name).bare
		}
	}
	var events []wire.Event
	if a.unsent {
		events = append(events, a.edit())
	}
	a.send(append(events, h)...)
	if toggles && edited(at) >= 0 {
		if at == a.at && a.changed {
			a.unsent, a.sent = false, true
		}
		a.send(wire.Event{Instance: at.Instance(), Slot: edited(at), Value: a.held(at)})
	}
}

// held returns what a control holds, as the argument of an action.
func (a *actor) held(e element) any {
	if e == a.at && a.changed {
		return a.value
	}
	return held(e)
}

// input follows the events that begin a change, and change the events that end it.
func (a *actor) input(typ string) {
	if i := edited(a.at); i >= 0 && !a.sent {
		a.unsent = true
		reports := strings.HasPrefix(typ, "sl-") == strings.HasPrefix(a.at.Node().Tag, "sl-")
		if a.at.Binding(i).Opts.Keypress && reports {
			a.commit()
		}
	}
	a.dispatch(a.at, typ, pressed{})
}

func (a *actor) change(typ string) {
	if edited(a.at) >= 0 {
		a.unsent = !a.sent
		a.commit()
	}
	a.dispatch(a.at, typ, pressed{})
}

// hold gives the control a new value.
func (a *actor) hold(v any) { a.value, a.changed = v, true }

// refusedFile says that an agent chooses no files: it could hand in any file of the person's.
func refusedFile(label string) error {
	return refused("%s takes a file, and only the person chooses files: ask them to, or try by ui_run what the app does then", label)
}

func (a *actor) click(e element) error {
	if a.depth++; a.depth > 5 {
		return nil
	}
	switch {
	case e.Node().Tag == "input" && e.Node().Type() == "file":
		return refusedFile(e.Label())
	case e.Node().IsToggle(), viewdef.IsSwitch(e.Node().Tag):
		on, known := checked(e)
		if e.Node().IsRadio() {
			return a.toggle(true, known && on)
		}
		return a.toggle(!on, false)
	}
	if strings.HasPrefix(e.Node().Tag, "sl-") && !e.Has("href") && (submits(e.Node()) || resets(e.Node())) {
		// The component clicks a button of its own in the form before the click gets out of it.
		if err := a.button(e, "click"); err != nil {
			return err
		}
		if resets(e.Node()) {
			a.hold(nil) // it takes the button for a field
		}
		_, err := a.clicked(e)
		return err
	}
	if over, err := a.clicked(e); over {
		return err
	}
	if err := a.button(e, ""); err != nil {
		return err
	}
	if len(a.act.Messages) == 0 {
		switch {
		case viewdef.IsChooser(e.Node().Tag):
			return refused("a click on %s only opens its options: use select", e.Label())
		case viewdef.Editable(e.Node().Tag):
			return refused("a click on %s only moves the caret: use fill", e.Label())
		case e.Node().Tag == "summary" || strings.HasPrefix(e.Node().Tag, "sl-"):
			a.act.Local = "what a click on " + e.Label() + " does happens in the browser alone"
		}
	}
	return nil
}

// linked reports whether a click on an element follows a link: its own or one around it.
func linked(e element) bool {
	if _, link := e.Attr("href"); link && (e.Node().Tag == "sl-button" || e.Node().Tag == "sl-icon-button") {
		return true
	}
	return slices.ContainsFunc(e.Path(), func(at element) bool { return at.Node().Tag == "a" && at.Has("href") })
}

// clicked follows the event of a click, which is over if a binding prevents what the browser does.
func (a *actor) clicked(e element) (over bool, err error) {
	if a.dispatch(e, "click", pressed{}) {
		return true, nil
	}
	if linked(e) {
		return true, refused("a click on %s follows a link: that is the person's", e.Label())
	}
	return false, nil
}

// button follows what a button does to its form. first is an event that the form gets before.
func (a *actor) button(e element, first string) error {
	form, ok := a.form(e)
	if !ok || !submits(e.Node()) && !resets(e.Node()) {
		return nil
	}
	if first != "" {
		a.dispatch(form, first, pressed{})
	}
	if resets(e.Node()) {
		a.dispatch(form, "reset", pressed{})
		return nil
	}
	return a.sendForm(form, !e.Has("formnovalidate"))
}

// toggle follows a click on a checkbox, switch or radio button. noChange: it is a radio button that
// is on already.
func (a *actor) toggle(on, noChange bool) error {
	var value any = on
	if a.at.Node().IsRadio() {
		value, _ = a.at.Option()
	}
	a.hold(value)
	if noChange {
		a.sent = true
		a.dispatch(a.at, "click", pressed{})
		return nil
	}
	component := viewdef.IsSwitch(a.at.Node().Tag)
	if component { // it reports the change before the click gets out of it
		a.change("sl-change")
	}
	if over, err := a.clicked(a.at); over {
		return err
	}
	if component {
		a.dispatch(a.at, "sl-input", pressed{})
		a.dispatch(a.at, "input", pressed{})
	} else {
		a.input("input")
		a.change("change")
	}
	return nil
}

// check makes a checkbox, switch or radio button checked or not.
func (a *actor) check(on bool) error {
	switch {
	case !a.at.Node().IsToggle() && !viewdef.IsSwitch(a.at.Node().Tag):
		return refused("%s cannot be checked: it is no checkbox, switch or radio button", a.at.Label())
	case a.at.Node().IsRadio() && !on:
		return refused("a radio button cannot be unchecked: check another one of its group")
	}
	if now, known := checked(a.at); now == on {
		if known {
			a.act.Nothing = Holds
			return nil
		}
		a.act.Holds = Holds
	}
	return a.toggle(on, false)
}

// fill enters a text, number, date, time or color.
func (a *actor) fill(text string) error {
	label := a.at.Label()
	if a.at.Has("readonly") {
		return refused("%s is read-only", label)
	}
	value, canonical, err := entered(a.at, text)
	if err != nil {
		return err
	}
	a.act.Input.Fill = &canonical
	a.put(value)
	return nil
}

// put follows the events by which a control reports a new value, unless it holds that already.
func (a *actor) put(value any) {
	if i := edited(a.at); i >= 0 && equal(held(a.at), value) {
		if a.at.Binding(i).Access.Readable() {
			a.act.Nothing = Holds
			return
		}
		a.act.Holds = Holds
	}
	a.hold(value)
	switch a.at.Node().Tag {
	case "sl-input", "sl-textarea", "sl-range":
		a.input("sl-input")
		a.dispatch(a.at, "input", pressed{})
		a.change("sl-change")
	case "sl-rating", "sl-color-picker", "sl-select":
		a.input("sl-input")
		a.change("sl-change")
	case "sl-radio-group":
		a.change("sl-change")
		a.dispatch(a.at, "sl-input", pressed{})
	default:
		a.input("input")
		a.change("change")
	}
}

// Holds says that a control need not be changed.
const Holds = "it holds that already"

func (a *actor) choose(wanted []string) error {
	values, value, err := chosen(a.at, wanted)
	if err != nil {
		return err
	}
	a.act.Input.Select = values
	a.put(value)
	return nil
}

// equal reports whether two values that controls hold are the same.
func equal(x, y any) bool {
	a, ok := x.([]any)
	b, ok2 := y.([]any)
	if ok && ok2 {
		return slices.Equal(a, b)
	}
	return x == y
}

func (a *actor) press(name string) error {
	key := parseKey(strings.ToLower(name))
	if key.key == "" {
		return fault.New(fault.Invalid, "%q is not the name of a key; these are: enter, escape, space, tab, up, f1, a, ctrl-s", name)
	}
	types := viewdef.Editable(a.at.Node().Tag) && !a.at.Node().IsToggle() && !viewdef.IsChooser(a.at.Node().Tag) && !viewdef.IsSwitch(a.at.Node().Tag) && !isButton(a.at.Node())
	if plain := len(key.modifiers) == 0 || len(key.modifiers) == 1 && key.modifiers["shift"]; plain && types {
		if len([]rune(key.key)) == 1 || key.key == "backspace" || key.key == "delete" {
			return refused("a key does not type into %s: fill sets its text", a.at.Label())
		}
	}
	if reactsToKeys[a.at.Node().Tag] && (key.key == "enter" || key.key == " ") {
		a.act.Local = "what a key does on " + a.at.Label() + " happens in the browser alone"
	}
	prevented := a.dispatch(a.at, "keydown", key)
	after := func() error { return nil }
	if !prevented && len(key.modifiers) == 0 {
		switch {
		case (key.key == "enter" || key.key == " ") && presses(a.at.Node()), key.key == " " && (a.at.Node().IsToggle() || viewdef.IsSwitch(a.at.Node().Tag)):
			if err := a.click(a.at); err != nil {
				return err
			}
		case key.key == "enter" && (a.at.Node().Tag == "input" || a.at.Node().Tag == "sl-input"):
			var err error
			if after, err = a.submitFrom(a.at); err != nil {
				return err
			}
		}
	}
	a.dispatch(a.at, "keyup", key)
	return after()
}

// reactsToKeys are the components that react to Enter and space depending on what is around them.
var reactsToKeys = map[string]bool{"sl-menu-item": true, "sl-tab": true}

// presses reports whether Enter and space click an element.
func presses(n *viewdef.Node) bool {
	switch n.Tag {
	case "button", "summary", "sl-button", "sl-icon-button":
		return true
	}
	return isButton(n)
}
