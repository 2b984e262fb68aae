package variable

import (
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/viewdef"
)

// An Input is what an agent does to an element in place of the person: exactly one field is set.
type Input struct {
	Click  bool
	Fill   *string
	Check  *bool
	Select []string // options by their values or texts; not nil
	Key    string   // such as "ctrl-enter"
}

// A Happening is an event on a binding, as a page would send it.
type Happening struct {
	Instance int64
	Slot     int
	Value    any
}

// An Act is what an input does, found out without a page.
type Act struct {
	What    string // what is done, for the answer
	Nothing string // why nothing need be done, or ""
	// Holds says that a control whose value only a page knows holds the value already, if no page
	// has been there since the last act; or "".
	Holds string
	// Messages are the events, in the order in which a page would send them; each list is one
	// transaction.
	Messages [][]Happening
	// Local says what would happen only in the browser, and is an error without a page; or "".
	Local  string
	Target Target
	Input  Input // as a page carries it out: texts as controls hold them, options by their values
	Seen   int64 // the number of the batch after which the reference was given
}

// Act finds out what an input to the element with a reference does. It changes nothing. The error
// says why a person could not do this, or that it is the person's alone.
func (t *Tree) Act(name string, input Input) (*Act, error) {
	name = bare(name)
	e, r, err := t.referred(name)
	if err != nil {
		return nil, err
	}
	a := &actor{t: t, at: e, act: Act{Target: Target{r.instance, r.element}, Input: input, Seen: r.seen}}
	err = a.enter(input)
	if stopped := t.host.Work(); stopped != nil {
		return nil, fault.Wrap(fault.Exhausted, stopped, "nothing was done: to find out what this does took too long")
	}
	if err != nil {
		return nil, err
	}
	for _, m := range a.act.Messages {
		for _, h := range m { // of elements around it and of its form, too
			if t.stale(t.instances[h.Instance], h.Slot, r.seen) {
				return nil, refused("an act on @%s reaches another object than when you looked: nothing was done; look again with ui_inspect", name)
			}
		}
	}
	if len(a.act.Messages) == 0 && a.act.Nothing == "" && a.act.Local == "" {
		a.act.Local = "no binding of " + t.label(e) + " takes this"
	}
	return &a.act, nil
}

func (a *actor) enter(input Input) (err error) {
	if a.act.Local, err = a.t.reachable(a.at); err != nil {
		return err
	}
	label := a.t.label(a.at)
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

// coveringTags are the elements that, while open, cover what is outside.
var coveringTags = set("sl-dialog sl-drawer")

// refused is an act that a person could not do, or that only they may.
func refused(format string, args ...any) error {
	return fault.New(fault.Precondition, format, args...)
}

// Typed records that an act was carried out without a page, so that the next one finds what a page
// would hold.
func (t *Tree) Typed(act *Act) {
	for _, m := range act.Messages {
		for _, e := range m {
			in := t.instances[e.Instance]
			if in == nil {
				continue
			}
			if s := &in.plan.slots[e.Slot]; s.Kind == viewdef.Value && !s.Access.Readable() {
				in.vars[e.Slot].ext().typed = e.Value
			}
		}
	}
}

// reachable returns why a person cannot act on an element, or nil. local says why it would be
// hidden in a page that has just been opened, where only the page knows whether it still is; or "".
func (t *Tree) reachable(e element) (local string, err error) {
	o := &outliner{t: t, left: 1 << 20}
	label := t.label(e)
	path := t.path(e)
	for k, at := range path {
		s := scope{at.in, ""}
		switch why := o.hidden(s, at.n); {
		case why == "always":
			return "", refused("%s is hidden", label)
		case why != "":
			return "", refused("%s is hidden by %s", label, why)
		case t.has(at, "inert"):
			return "", refused("%s is in a part of the page that is inert", label)
		case k > 0 && (coveringTags[at.n.Tag] || at.n.Tag == "dialog") && !t.has(at, "open"):
			if t.binds(at, "open") {
				return "", refused("%s is in a dialog that is closed", label)
			}
			local = label + " is in a dialog that is closed"
		case k > 0 && (at.n.Tag == "details" || at.n.Tag == "sl-details") && !t.has(at, "open") && path[k-1].n.Tag != "summary":
			local = label + " is in " + at.n.Tag + " that are closed"
		case t.has(at, "popover"):
			local = label + " is in a popover"
		}
	}
	if t.disabledAround(path) {
		return "", refused("%s is disabled by the fieldset around it", label)
	}
	if t.disabled(e) {
		return "", refused("%s is disabled", label)
	}
	if d, ok := t.covering(path); ok {
		return "", refused("%s is covered by the open %s", label, t.label(d))
	}
	return local, nil
}

var inFieldsets = set("button input select textarea")

// disabled reports whether an element is one that can be disabled, and is.
func (t *Tree) disabled(e element) bool {
	component := strings.HasPrefix(e.n.Tag, "sl-") && e.n.Tag != "sl-radio-group"
	return (inFieldsets[e.n.Tag] || component) && t.has(e, "disabled")
}

// disabledAround reports whether a fieldset around the first element of a path disables it.
func (t *Tree) disabledAround(path []element) bool {
	for k, at := range path {
		if k > 0 && at.n.Tag == "fieldset" && t.has(at, "disabled") && !isLegend(at, path[k-1]) {
			return inFieldsets[path[0].n.Tag]
		}
	}
	return false
}

// isLegend reports whether an element in a fieldset is its legend, in which nothing is disabled.
func isLegend(fieldset, e element) bool {
	for i := range fieldset.n.Nodes {
		if n := &fieldset.n.Nodes[i]; n.Tag == "legend" {
			return n == e.n
		}
	}
	return false
}

// covering returns an open dialog that covers the element at the end of a path.
func (t *Tree) covering(path []element) (element, bool) {
	within := false
	for _, at := range path {
		within = within || coveringTags[at.n.Tag]
	}
	any := false
	for _, p := range t.plans {
		any = any || len(p.layout().dialogs) > 0
	}
	if !any {
		return element{}, false
	}
	o := &outliner{t: t, left: 1 << 20}
	for _, in := range t.instances {
		if t.host.Work() != nil {
			break
		}
		for _, n := range in.plan.layout().dialogs {
			d := element{in, n}
			if slices.Contains(path, d) || !t.has(d, "open") {
				continue
			}
			around := t.path(d)
			if slices.ContainsFunc(around, func(at element) bool { return o.hidden(scope{at.in, ""}, at.n) != "" }) {
				continue
			}
			// Of two dialogs, the inner one covers the other.
			if !within || slices.ContainsFunc(around, func(at element) bool { return coveringTags[at.n.Tag] && at != d && slices.Contains(path, at) }) {
				return d, true
			}
		}
	}
	return element{}, false
}

// An actor follows the events of an act through the elements, as a browser and our page do:
// web/src/dom/bindings/event.ts and web/src/dom/editors.ts.
type actor struct {
	t       *Tree
	at      element // the element acted on
	act     Act
	value   any  // what the control holds from now on
	changed bool // value is set
	unsent  bool // the change has not been sent
	sent    bool // it has been sent
	depth   int

	forms map[string]element // see survey; nil before
	owned []element
}

func (a *actor) send(events ...Happening) { a.act.Messages = append(a.act.Messages, events) }

// edited returns the slot through which the person edits an element, or -1.
func edited(e element) int {
	for _, i := range e.n.Slots {
		if b := e.in.plan.slots[i].Binding; b.Kind == viewdef.Value && b.Opts.Edit {
			return i
		}
	}
	return -1
}

func (a *actor) edit() Happening {
	a.unsent, a.sent = false, true
	return Happening{a.at.in.id, edited(a.at), a.value}
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
	for _, at := range a.t.path(e) {
		for _, i := range slices.Sorted(slices.Values(at.n.Slots)) {
			b := at.in.plan.slots[i].Binding
			switch {
			case b.Kind == viewdef.Action && typ == "click":
				prevented = prevented || !isToggle(at)
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
	b := at.in.plan.slots[i].Binding
	h := Happening{Instance: at.in.id, Slot: i}
	_, toggles := a.held(at).(bool)
	if at == a.at && a.changed && !a.sent && !toggles && edited(at) >= 0 {
		a.unsent = true // the page sees that the control holds something else
	}
	if b.Opts.Arg {
		if h.Value = a.held(at); b.Kind == viewdef.Key {
			h.Value = parseKey(b.Name).bare
		}
	}
	var events []Happening
	if a.unsent {
		events = append(events, a.edit())
	}
	a.send(append(events, h)...)
	if toggles && edited(at) >= 0 {
		if at == a.at && a.changed {
			a.unsent, a.sent = false, true
		}
		a.send(Happening{at.in.id, edited(at), a.held(at)})
	}
}

// held returns what a control holds, as the argument of an action.
func (a *actor) held(e element) any {
	if e == a.at && a.changed {
		return a.value
	}
	return a.t.held(e)
}

// input follows the events that begin a change, and change the events that end it.
func (a *actor) input(typ string) {
	if i := edited(a.at); i >= 0 && !a.sent {
		a.unsent = true
		if a.at.in.plan.slots[i].Opts.Keypress && committing(a.at.n.Tag, typ) {
			a.commit()
		}
	}
	a.dispatch(a.at, typ, pressed{})
}

// committing reports whether an event of this type is the one by which a control reports a change.
func committing(tag, typ string) bool {
	return strings.HasPrefix(typ, "sl-") == strings.HasPrefix(tag, "sl-")
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

func isNativeToggle(e element) (checkbox, radio bool) {
	kind, _ := attribute(e.n, "type")
	kind = strings.ToLower(kind)
	return e.n.Tag == "input" && kind == "checkbox", e.n.Tag == "input" && kind == "radio"
}

func isToggle(e element) bool {
	checkbox, radio := isNativeToggle(e)
	return checkbox || radio
}

// refusedFile says that an agent chooses no files: it could hand in any file of the person's.
func refusedFile(label string) error {
	return refused("%s takes a file, and only the person chooses files: ask them to, or try by ui_run what the app does then", label)
}

func (a *actor) click(e element) error {
	kind, _ := attribute(e.n, "type")
	kind = strings.ToLower(kind)
	if a.depth++; a.depth > 5 {
		return nil
	}
	switch {
	case e.n.Tag == "input" && kind == "file":
		return refusedFile(a.t.label(e))
	case isToggle(e), ticked[e.n.Tag]:
		on, known := a.t.checked(e)
		if _, radio := isNativeToggle(e); radio {
			return a.toggle(true, known && on)
		}
		return a.toggle(!on, false)
	}
	if strings.HasPrefix(e.n.Tag, "sl-") && !a.t.has(e, "href") && (submits(e.n) || resets(e.n)) {
		// The component clicks a button of its own in the form before the click gets out of it.
		if err := a.button(e, "click"); err != nil {
			return err
		}
		if resets(e.n) {
			a.hold(nil) // it takes the button for a field
		}
		if !a.dispatch(e, "click", pressed{}) && a.t.linked(e) {
			return a.refusedLink(e)
		}
		return nil
	}
	if a.dispatch(e, "click", pressed{}) {
		return nil
	}
	if a.t.linked(e) {
		return a.refusedLink(e)
	}
	if err := a.button(e, ""); err != nil {
		return err
	}
	if len(a.act.Messages) == 0 {
		switch {
		case choosers[e.n.Tag]:
			return refused("a click on %s only opens its options: use select", a.t.label(e))
		case viewdef.Editable(e.n.Tag):
			return refused("a click on %s only moves the caret: use fill", a.t.label(e))
		case e.n.Tag == "summary" || strings.HasPrefix(e.n.Tag, "sl-"):
			a.act.Local = "what a click on " + a.t.label(e) + " does happens in the browser alone"
		}
	}
	return nil
}

// linked reports whether a click on an element follows a link: its own or one around it.
func (t *Tree) linked(e element) bool {
	if _, link := t.attr(e, "href"); link && (e.n.Tag == "sl-button" || e.n.Tag == "sl-icon-button") {
		return true
	}
	return slices.ContainsFunc(t.path(e), func(at element) bool { return at.n.Tag == "a" && t.has(at, "href") })
}

func (a *actor) refusedLink(e element) error {
	return refused("a click on %s follows a link: that is the person's", a.t.label(e))
}

// button follows what a button does to its form. first is an event that the form gets before.
func (a *actor) button(e element, first string) error {
	form, ok := a.form(e)
	if !ok || !submits(e.n) && !resets(e.n) {
		return nil
	}
	if first != "" {
		a.dispatch(form, first, pressed{})
	}
	if resets(e.n) {
		a.dispatch(form, "reset", pressed{})
		return nil
	}
	return a.sendForm(form, !a.t.has(e, "formnovalidate"))
}

// toggle follows a click on a checkbox, switch or radio button. noChange: it is a radio button that
// is on already.
func (a *actor) toggle(on, noChange bool) error {
	_, radio := isNativeToggle(a.at)
	var value any = on
	if radio {
		value = a.t.option(a.at)
	}
	a.hold(value)
	if noChange {
		a.sent = true
		a.dispatch(a.at, "click", pressed{})
		return nil
	}
	if ticked[a.at.n.Tag] { // its component reports the change before the click gets out of it
		a.change("sl-change")
		if a.dispatch(a.at, "click", pressed{}) {
			return nil
		}
		if a.t.linked(a.at) {
			return a.refusedLink(a.at)
		}
		a.dispatch(a.at, "sl-input", pressed{})
		a.dispatch(a.at, "input", pressed{})
		return nil
	}
	if a.dispatch(a.at, "click", pressed{}) {
		return nil
	}
	if a.t.linked(a.at) {
		return a.refusedLink(a.at)
	}
	a.input("input")
	a.change("change")
	return nil
}

// check makes a checkbox, switch or radio button checked or not.
func (a *actor) check(on bool) error {
	_, radio := isNativeToggle(a.at)
	switch {
	case !isToggle(a.at) && !ticked[a.at.n.Tag]:
		return refused("%s cannot be checked: it is no checkbox, switch or radio button", a.t.label(a.at))
	case radio && !on:
		return refused("a radio button cannot be unchecked: check another one of its group")
	}
	if now, known := a.t.checked(a.at); now == on {
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
	label := a.t.label(a.at)
	if a.t.has(a.at, "readonly") {
		return refused("%s is read-only", label)
	}
	value, canonical, err := a.t.entered(a.at, text)
	if err != nil {
		return err
	}
	a.act.Input.Fill = &canonical
	if a.holds(same(a.t.held(a.at), value)) {
		return nil
	}
	a.hold(value)
	switch a.at.n.Tag {
	case "sl-input", "sl-textarea", "sl-range":
		a.input("sl-input")
		a.dispatch(a.at, "input", pressed{})
		a.change("sl-change")
	case "sl-rating", "sl-color-picker":
		a.input("sl-input")
		a.change("sl-change")
	default:
		a.input("input")
		a.change("change")
	}
	return nil
}

// holds reports whether nothing need be done, because a control with a binding holds the wanted
// value for certain.
func (a *actor) holds(wanted bool) bool {
	i := edited(a.at)
	switch {
	case !wanted || i < 0:
	case a.at.in.plan.slots[i].Access.Readable():
		a.act.Nothing = Holds
		return true
	default:
		a.act.Holds = Holds
	}
	return false
}

// Holds says that a control need not be changed.
const Holds = "it holds that already"

func (a *actor) choose(wanted []string) error {
	values, value, err := a.t.chosen(a.at, wanted)
	if err != nil {
		return err
	}
	a.act.Input.Select = values
	if a.holds(sameChoice(a.t.held(a.at), value)) {
		return nil
	}
	a.hold(value)
	switch a.at.n.Tag {
	case "sl-radio-group":
		a.change("sl-change")
		a.dispatch(a.at, "sl-input", pressed{})
	case "sl-select":
		a.input("sl-input")
		a.change("sl-change")
	default:
		a.input("input")
		a.change("change")
	}
	return nil
}

func sameChoice(x, y any) bool {
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
	types := viewdef.Editable(a.at.n.Tag) && !isToggle(a.at) && !choosers[a.at.n.Tag] && !ticked[a.at.n.Tag] && !isButton(a.at.n)
	if plain := len(key.modifiers) == 0 || len(key.modifiers) == 1 && key.modifiers["shift"]; plain && types {
		if len([]rune(key.key)) == 1 || key.key == "backspace" || key.key == "delete" {
			return refused("a key does not type into %s: fill sets its text", a.t.label(a.at))
		}
	}
	if reactsToKeys[a.at.n.Tag] && (key.key == "enter" || key.key == " ") {
		a.act.Local = "what a key does on " + a.t.label(a.at) + " happens in the browser alone"
	}
	prevented := a.dispatch(a.at, "keydown", key)
	after := func() error { return nil }
	if !prevented && len(key.modifiers) == 0 {
		switch {
		case (key.key == "enter" || key.key == " ") && presses(a.at.n), key.key == " " && (isToggle(a.at) || ticked[a.at.n.Tag]):
			if err := a.click(a.at); err != nil {
				return err
			}
		case key.key == "enter" && (a.at.n.Tag == "input" || a.at.n.Tag == "sl-input"):
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
var reactsToKeys = set("sl-menu-item sl-tab")

// presses reports whether Enter and space click an element.
func presses(n *viewdef.Node) bool {
	switch n.Tag {
	case "button", "summary", "sl-button", "sl-icon-button":
		return true
	}
	return isButton(n)
}
