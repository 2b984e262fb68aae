package variable

import (
	"math"
	"net/mail"
	"net/url"
	"regexp"
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

func resets(n *viewdef.Node) bool {
	kind, _ := attribute(n, "type")
	return strings.EqualFold(kind, "reset") && (n.Tag == "button" || n.Tag == "input" || n.Tag == "sl-button")
}

// form returns the form around an element.
func (a *actor) form(e element) (element, bool) {
	for _, at := range a.t.path(e)[1:] {
		if at.n.Tag == "form" {
			return at, true
		}
	}
	return element{}, false
}

// submit sends the form of a button.
func (a *actor) submit(button element) error {
	form, ok := a.form(button)
	if !ok {
		return nil
	}
	return a.sendForm(form, !a.t.has(button, "formnovalidate"))
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

// submitFrom sends the form of a field, as Enter in it does: by its first button that sends.
func (a *actor) submitFrom(field element) error {
	form, ok := a.form(field)
	if !ok {
		return nil
	}
	fields := 0
	var button *element
	a.t.each(form, func(e element) {
		kind, _ := attribute(e.n, "type")
		switch {
		case submits(e.n) && button == nil:
			button = &e
		case e.n.Tag == "input" && !isToggle(e) && !submits(e.n):
			switch strings.ToLower(kind) {
			case "button", "reset", "hidden", "file", "range", "color":
			default:
				fields++
			}
		}
	})
	switch {
	case button != nil && a.t.has(*button, "disabled"):
		return nil
	case button != nil:
		return a.click(*button)
	case fields > 1 && field.n.Tag != "sl-input": // its component sends the form, whatever else there is
		return nil
	}
	return a.sendForm(form, true)
}

// each calls f for each element inside another one, in document order.
func (t *Tree) each(e element, f func(element)) {
	var within func(in *instance, nodes []viewdef.Node)
	within = func(in *instance, nodes []viewdef.Node) {
		for k := range nodes {
			n := &nodes[k]
			if n.Tag == "" {
				continue
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
func (a *actor) valid(form element) (err error) {
	o := &outliner{t: a.t, left: 1 << 20}
	a.t.each(form, func(e element) {
		if err != nil || !viewdef.Editable(e.n.Tag) || a.t.has(e, "disabled") || o.hidden(scope{e.in, ""}, e.n) == "always" {
			return
		}
		if why := a.invalid(e); why != "" {
			err = refused("the form was not sent: %s %s", a.t.label(e), why)
		}
	})
	return err
}

// invalid returns what is wrong with a control's value, or "".
func (a *actor) invalid(e element) string {
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
			on = a.groupOn(e)
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

// groupOn reports whether a radio button of the same name in the same form is on.
func (a *actor) groupOn(radio element) (on bool) {
	form, ok := a.form(radio)
	name, named := a.t.attr(radio, "name")
	if !ok || !named {
		return false
	}
	a.t.each(form, func(e element) {
		_, is := isNativeToggle(e)
		if n, _ := a.t.attr(e, "name"); is && n == name {
			checked, _ := a.t.checked(e)
			on = on || checked || e == a.at && a.changed
		}
	})
	return on
}

// number returns a numeric attribute.
func (t *Tree) number(e element, name string) (float64, bool) {
	text, ok := t.attr(e, name)
	n, err := strconv.ParseFloat(text, 64)
	return n, ok && err == nil
}

// onStep reports whether a number is one that the step of a control allows.
func onStep(t *Tree, e element, n float64) bool {
	step := 1.0
	if text, ok := t.attr(e, "step"); ok {
		if strings.EqualFold(text, "any") {
			return true
		}
		if s, ok := t.number(e, "step"); ok && s > 0 {
			step = s
		}
	}
	base, ok := t.number(e, "min")
	if !ok {
		if text, written := attribute(e.n, "value"); written {
			base, _ = strconv.ParseFloat(text, 64)
		}
	}
	k := (n - base) / step
	return math.Abs(k-math.Round(k)) < 1e-9
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
