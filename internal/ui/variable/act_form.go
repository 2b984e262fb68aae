package variable

import (
	"maps"
	"math"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/viewdef"
)

// This file follows what sends forms.

func submits(n *viewdef.Node) bool {
	kind, typed := attribute(n, "type")
	switch kind = strings.ToLower(kind); n.Tag {
	case "button":
		return !typed || kind != "button" && kind != "reset"
	case "input":
		return kind == "submit" || kind == "image"
	case "sl-button":
		return kind == "submit"
	}
	return false
}

func isButton(n *viewdef.Node) bool {
	kind, _ := attribute(n, "type")
	switch strings.ToLower(kind) {
	case "button", "submit", "reset", "image":
		return n.Tag == "input"
	}
	return false
}

func resets(n *viewdef.Node) bool {
	kind, _ := attribute(n, "type")
	return strings.EqualFold(kind, "reset") && (n.Tag == "button" || n.Tag == "input" || n.Tag == "sl-button")
}

// form returns the form of an element: the one that it names, or else the one around it.
func (a *actor) form(e element) (element, bool) {
	if id, named := attribute(e.n, "form"); named {
		if n := e.in.plan.layout().forms[id]; n != nil {
			return element{e.in, n}, true
		}
		a.survey()
		form, ok := a.forms[id]
		return form, ok
	}
	for _, at := range a.t.path(e)[1:] {
		if at.n.Tag == "form" {
			return at, true
		}
	}
	return element{}, false
}

// survey finds the first form with each id, and the elements that name their form.
func (a *actor) survey() {
	if a.forms != nil {
		return
	}
	a.forms = map[string]element{}
	for _, id := range slices.Sorted(maps.Keys(a.t.instances)) {
		if a.t.host.Work() != nil {
			return
		}
		in := a.t.instances[id]
		l := in.plan.layout()
		for id, n := range l.forms {
			if _, known := a.forms[id]; !known {
				a.forms[id] = element{in, n}
			}
		}
		for _, n := range l.owned {
			a.owned = append(a.owned, element{in, n})
		}
	}
}

// members returns the elements in a form, and then those elsewhere that name it.
func (a *actor) members(form element) (list []element) {
	a.t.each(form, func(e element) {
		if _, named := attribute(e.n, "form"); !named {
			list = append(list, e)
		}
	})
	a.survey()
	for _, e := range a.owned {
		if own, ok := a.form(e); ok && own == form {
			list = append(list, e)
		}
	}
	return list
}

// sendForm sends a form, if its fields are valid where that matters.
func (a *actor) sendForm(form element, checks bool) error {
	if checks && !a.t.has(form, "novalidate") {
		if err := a.valid(form); err != nil {
			return err
		}
	}
	a.dispatch(form, "submit", pressed{})
	return nil
}

// submitFrom sends the form of a field, as Enter in it does: by its first button that sends. after
// follows what happens when the key is up again.
func (a *actor) submitFrom(field element) (after func() error, err error) {
	after = func() error { return nil }
	form, ok := a.form(field)
	if !ok {
		return after, nil
	}
	fields := 0
	var button *element
	for _, e := range a.members(form) {
		kind, _ := attribute(e.n, "type")
		switch {
		case submits(e.n) && button == nil:
			button = &e
		case e.n.Tag == "input" && !isToggle(e) && !isButton(e.n):
			switch strings.ToLower(kind) {
			case "hidden", "file", "range", "color":
			default:
				fields++
			}
		}
	}
	switch {
	case button != nil && a.t.has(*button, "disabled"):
		return after, nil
	case button != nil:
		return after, a.click(*button)
	case field.n.Tag == "sl-input": // its component sends the form, whatever else there is, by a button of its own
		return func() error {
			a.dispatch(form, "click", pressed{})
			return a.sendForm(form, true)
		}, nil
	case fields > 1:
		return after, nil
	}
	return after, a.sendForm(form, true)
}

// each calls f for each element inside another one, in document order, until the host's time is
// up.
func (t *Tree) each(e element, f func(element)) {
	var within func(in *instance, nodes []viewdef.Node)
	within = func(in *instance, nodes []viewdef.Node) {
		for k := range nodes {
			n := &nodes[k]
			if n.Tag == "" {
				continue
			}
			if t.host.Work() != nil {
				return
			}
			replaced := false
			for _, i := range n.Slots {
				if kind := in.plan.slots[i].Kind; kind != viewdef.View && kind != viewdef.List {
					continue
				}
				replaced = true
				child, rows := in.vars[i].inside()
				if child != nil {
					within(child, child.plan.layout().nodes)
				}
				for _, r := range rows {
					within(r.inst, r.inst.plan.layout().nodes)
				}
			}
			f(element{in, n})
			if !replaced {
				within(in, n.Nodes)
			}
		}
	}
	within(e.in, e.n.Nodes)
}

// valid returns why a browser would not send a form, or nil.
func (a *actor) valid(form element) error {
	members := a.members(form)
	on := map[string]bool{} // the names of its radio buttons that are on
	for _, e := range members {
		if _, radio := isNativeToggle(e); radio {
			name, _ := a.t.attr(e, "name")
			checked, _ := a.t.checked(e)
			on[name] = on[name] || checked || e == a.at && a.changed
		}
	}
	for _, e := range members {
		if a.t.host.Work() != nil {
			break
		}
		if !a.validated(e) {
			continue
		}
		if why := a.invalid(e, on); why != "" {
			return refused("the form was not sent: %s %s", a.t.label(e), why)
		}
	}
	return nil
}

// validated reports whether a browser looks at the value of an element before it sends its form.
func (a *actor) validated(e element) bool {
	kind, _ := attribute(e.n, "type")
	if !viewdef.Editable(e.n.Tag) || a.t.disabled(e) || isButton(e.n) || e.n.Tag == "input" && strings.EqualFold(kind, "hidden") {
		return false
	}
	if isToggle(e) {
		if _, named := a.t.attr(e, "name"); !named && strings.EqualFold(kind, "radio") {
			return false
		}
	} else if a.t.has(e, "readonly") && !choosers[e.n.Tag] {
		return false
	}
	return !a.t.disabledAround(a.t.path(e))
}

// invalid returns what is wrong with a control's value, or "". groups are the names of radio
// buttons of which one is on.
func (a *actor) invalid(e element, groups map[string]bool) string {
	kind, _ := attribute(e.n, "type")
	value := a.held(e)
	text, isText := value.(string)
	number, isNumber := value.(float64)
	list, isList := value.([]any)
	required := a.t.has(e, "required")
	if checkbox, radio := isNativeToggle(e); checkbox || radio || ticked[e.n.Tag] {
		on, _ := a.t.checked(e)
		if e == a.at && a.changed {
			on = a.value != false
		}
		if radio && required && !on {
			name, _ := a.t.attr(e, "name")
			on = groups[name]
		}
		if required && !on {
			return "must be checked"
		}
		return ""
	}
	switch {
	case isList && len(list) == 0 && required, isText && text == "" && required, value == nil && required:
		return "must be filled in"
	case isText && text == "":
		return ""
	}
	if isNumber {
		if low, ok := a.t.number(e, "min"); ok && number < low {
			return "must be at least " + plainNumber(low)
		}
		if high, ok := a.t.number(e, "max"); ok && number > high {
			return "must be at most " + plainNumber(high)
		}
		if !onStep(a.t, e, number) {
			return "is not one of the numbers that its step allows"
		}
		return ""
	}
	switch strings.ToLower(kind) {
	case "email":
		if at, err := mail.ParseAddress(text); isText && (err != nil || at.Address != text) {
			return "is not an e-mail address"
		}
	case "url":
		if u, err := url.Parse(text); isText && (err != nil || u.Scheme == "") {
			return "is not an address such as https://example.org"
		}
	case "date", "time", "month", "week", "datetime-local":
		if low, ok := a.t.attr(e, "min"); ok && text < low {
			return "must not be before " + low
		}
		if high, ok := a.t.attr(e, "max"); ok && text > high {
			return "must not be after " + high
		}
	}
	if pattern, ok := a.t.attr(e, "pattern"); ok && isText && (e.n.Tag == "input" || e.n.Tag == "sl-input") {
		if re, err := regexp.Compile("^(?:" + pattern + ")$"); err == nil && !re.MatchString(text) {
			return "does not have the form " + pattern
		}
	}
	return ""
}

func (t *Tree) number(e element, name string) (float64, bool) {
	text, ok := t.attr(e, name)
	n, err := strconv.ParseFloat(text, 64)
	return n, ok && err == nil
}

// onStep reports whether a number is one that the step of a control allows.
func onStep(t *Tree, e element, n float64) bool {
	step, base := t.steps(e)
	if step == 0 {
		return true
	}
	k := (n - base) / step
	return math.Abs(k-math.Round(k)) < 1e-9
}

// steps returns the step of a control and a number from which steps lead to others; 0 if any number
// will do.
func (t *Tree) steps(e element) (step, base float64) {
	step = 1
	if text, _ := t.attr(e, "step"); strings.EqualFold(text, "any") {
		step = 0
	} else if s, ok := t.number(e, "step"); ok && s > 0 {
		step = s
	}
	base, ok := t.number(e, "min")
	if !ok {
		text, _ := attribute(e.n, "value")
		base, _ = strconv.ParseFloat(text, 64)
	}
	return step, base
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
