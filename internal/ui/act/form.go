package act

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
	kind, typed := n.Attr("type")
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
	switch n.Type() {
	case "button", "submit", "reset", "image":
		return n.Tag == "input"
	}
	return false
}

func resets(n *viewdef.Node) bool {
	return n.Type() == "reset" && (n.Tag == "button" || n.Tag == "input" || n.Tag == "sl-button")
}

// form returns the form of an element: the one that it names, or else the one around it.
func (a *actor) form(e element) (element, bool) {
	if id, named := e.Node().Attr("form"); named {
		a.survey()
		form, ok := a.forms[formID{id, e.Instance()}]
		if !ok {
			form, ok = a.forms[formID{id, anywhere}]
		}
		return form, ok
	}
	for _, at := range e.Path()[1:] {
		if at.Node().Tag == "form" {
			return at, true
		}
	}
	return element{}, false
}

// A formID is how an element names its form: by its id, first within the element's own instance.
type formID struct {
	id       string
	instance int64
}

const anywhere = 0 // no instance has this number

// survey finds the first form with each id, and the elements that name their form.
func (a *actor) survey() {
	if a.forms != nil {
		return
	}
	a.forms = map[formID]element{}
	named := func(_ *viewdef.Template, n *viewdef.Node) bool {
		_, id := n.Attr("id")
		_, form := n.Attr("form")
		return form || id && n.Tag == "form"
	}
	for e := range a.tree.Elements(named) {
		if a.tree.Work() != nil {
			return
		}
		if _, form := e.Node().Attr("form"); form {
			a.owned = append(a.owned, e)
		}
		if id, ok := e.Node().Attr("id"); ok && e.Node().Tag == "form" {
			for _, at := range [...]int64{e.Instance(), anywhere} {
				if key := (formID{id, at}); a.forms[key] == (element{}) {
					a.forms[key] = e
				}
			}
		}
	}
}

// members returns the elements in a form, and then those elsewhere that name it.
func (a *actor) members(form element) (list []element) {
	form.Each(func(e element) {
		if _, named := e.Node().Attr("form"); !named {
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
	if checks && !form.Has("novalidate") {
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
		switch {
		case submits(e.Node()) && button == nil:
			button = &e
		case e.Node().Tag == "input" && !e.Node().IsToggle() && !isButton(e.Node()):
			switch e.Node().Type() {
			case "hidden", "file", "range", "color":
			default:
				fields++
			}
		}
	}
	switch {
	case button != nil && button.Has("disabled"):
		return after, nil
	case button != nil:
		return after, a.click(*button)
	case field.Node().Tag == "sl-input": // its component sends the form, whatever else there is, by a button of its own
		return func() error {
			a.dispatch(form, "click", pressed{})
			return a.sendForm(form, true)
		}, nil
	case fields > 1:
		return after, nil
	}
	return after, a.sendForm(form, true)
}

// valid returns why a browser would not send a form, or nil.
func (a *actor) valid(form element) error {
	members := a.members(form)
	on := map[string]bool{} // the names of its radio buttons that are on
	for _, e := range members {
		if e.Node().IsRadio() {
			name, _ := e.Attr("name")
			checked, _ := checked(e)
			on[name] = on[name] || checked || e == a.at && a.changed
		}
	}
	for _, e := range members {
		if a.tree.Work() != nil {
			break
		}
		if !a.validated(e) {
			continue
		}
		if why := a.invalid(e, on); why != "" {
			return refused("the form was not sent: %s %s", e.Label(), why)
		}
	}
	return nil
}

// validated reports whether a browser looks at the value of an element before it sends its form.
func (a *actor) validated(e element) bool {
	n := e.Node()
	if !viewdef.Editable(n.Tag) || disabled(e) || isButton(n) || n.Tag == "input" && n.Type() == "hidden" {
		return false
	}
	if n.IsToggle() {
		if _, named := e.Attr("name"); !named && n.IsRadio() {
			return false
		}
	} else if e.Has("readonly") && !viewdef.IsChooser(n.Tag) {
		return false
	}
	return !disabledAround(e.Path())
}

// invalid returns what is wrong with a control's value, or "". groups are the names of radio
// buttons of which one is on.
func (a *actor) invalid(e element, groups map[string]bool) string {
	value := a.held(e)
	text, isText := value.(string)
	n, isNumber := value.(float64)
	list, isList := value.([]any)
	required := e.Has("required")
	if e.Node().IsToggle() || viewdef.IsSwitch(e.Node().Tag) {
		on, _ := checked(e)
		if e == a.at && a.changed {
			on = a.value != false
		}
		if e.Node().IsRadio() && required && !on {
			name, _ := e.Attr("name")
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
		if low, ok := number(e, "min"); ok && n < low {
			return "must be at least " + plainNumber(low)
		}
		if high, ok := number(e, "max"); ok && n > high {
			return "must be at most " + plainNumber(high)
		}
		if !onStep(e, n) {
			return "is not one of the numbers that its step allows"
		}
		return ""
	}
	switch e.Node().Type() {
	case "email":
		if at, err := mail.ParseAddress(text); isText && (err != nil || at.Address != text) {
			return "is not an e-mail address"
		}
	case "url":
		if u, err := url.Parse(text); isText && (err != nil || u.Scheme == "") {
			return "is not an address such as https://example.org"
		}
	case "date", "time", "month", "week", "datetime-local":
		if low, ok := e.Attr("min"); ok && text < low {
			return "must not be before " + low
		}
		if high, ok := e.Attr("max"); ok && text > high {
			return "must not be after " + high
		}
	}
	if pattern, ok := e.Attr("pattern"); ok && isText && (e.Node().Tag == "input" || e.Node().Tag == "sl-input") {
		if re, err := regexp.Compile("^(?:" + pattern + ")$"); err == nil && !re.MatchString(text) {
			return "does not have the form " + pattern
		}
	}
	return ""
}

func number(e element, name string) (float64, bool) {
	text, ok := e.Attr(name)
	n, err := strconv.ParseFloat(text, 64)
	return n, ok && err == nil
}

// onStep reports whether a number is one that the step of a control allows.
func onStep(e element, n float64) bool {
	step, base := steps(e)
	if step == 0 {
		return true
	}
	k := (n - base) / step
	return math.Abs(k-math.Round(k)) < 1e-9
}

// steps returns the step of a control and a number from which steps lead to others; 0 if any number
// will do.
func steps(e element) (step, base float64) {
	step = 1
	if text, _ := e.Attr("step"); strings.EqualFold(text, "any") {
		step = 0
	} else if s, ok := number(e, "step"); ok && s > 0 {
		step = s
	}
	base, ok := number(e, "min")
	if !ok {
		text, _ := e.Node().Attr("value")
		base, _ = strconv.ParseFloat(text, 64)
	}
	return step, base
}

func plainNumber(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
