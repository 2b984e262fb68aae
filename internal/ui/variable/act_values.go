package variable

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"ui-mcp/internal/ui/viewdef"
)

// This file says what controls hold and take, as web/src/dom/control.ts and browsers do.

// bound returns the value that is bound to a control; ok is false if none can be read.
func (t *Tree) bound(e element) (v Value, ok bool) {
	o := outliner{t: t}
	v, ok = o.value(scope{e.in, ""}, e.n)
	return v, ok && v != unknown
}

// checked reports whether a checkbox, switch or radio button is on; without a binding, known is
// false, and it is as the template says.
func (t *Tree) checked(e element) (on, known bool) {
	v, ok := t.bound(e)
	if !ok {
		if i := edited(e); i >= 0 { // the page begins with nothing
			typed := t.typed(e, i)
			return typed != nil && typed != false, false
		}
		return t.has(e, "checked"), false
	}
	if _, radio := isNativeToggle(e); radio {
		return v != nil && t.display(v) == t.option(e), true
	}
	return v != nil && t.display(v) != "false", true
}

// option returns what an option or radio button stands for.
func (t *Tree) option(e element) string {
	o := &outliner{t: t, left: 1 << 20}
	value, _ := o.optionValue(scope{e.in, ""}, e.n)
	return value
}

// held returns what a control holds: nil, a bool, a float64, a string, or a []any of strings.
func (t *Tree) held(e element) any {
	kind, _ := attribute(e.n, "type")
	kind = strings.ToLower(kind)
	v, isBound := t.bound(e)
	text := ""
	switch {
	case isBound:
		o := &outliner{t: t}
		text = strings.Join(o.choices(v, false), ",")
	default:
		if i := edited(e); i < 0 {
			text, _ = t.attr(e, "value")
		} else if typed := t.typed(e, i); typed != nil {
			return typed
		} else {
			isBound = true // the page begins with nothing
		}
	}
	switch e.n.Tag {
	case "input":
		switch kind {
		case "checkbox":
			on, _ := t.checked(e)
			return on
		case "radio":
			return t.option(e)
		case "number", "range":
			n, err := strconv.ParseFloat(text, 64)
			switch {
			case kind == "range":
				return t.ranged(e, n, err == nil)
			case err != nil:
				return ""
			}
			return n
		case "file":
			if t.has(e, "multiple") {
				return []any{}
			}
			return ""
		case "color":
			if text = strings.ToLower(text); !colorForm().MatchString(text) {
				return "#000000"
			}
		default:
			if !wellFormed(kind, text) {
				return ""
			}
		}
		return text
	case "sl-checkbox", "sl-switch":
		on, _ := t.checked(e)
		return on
	case "sl-input":
		if n, err := strconv.ParseFloat(text, 64); err == nil && kind == "number" {
			return n
		}
		return text
	case "sl-range", "sl-rating":
		n, err := strconv.ParseFloat(cmp.Or(strings.TrimSpace(text), "0"), 64)
		switch {
		case v == false:
			return 0.0
		case v == true:
			return 1.0
		case err != nil:
			return nil
		}
		return n
	case "textarea":
		if !isBound {
			o := &outliner{t: t, left: 1 << 20}
			return o.plain(scope{e.in, ""}, &viewdef.Node{Tag: "span", Nodes: e.n.Nodes})
		}
		return text
	case "select", "sl-select", "sl-radio-group":
		return t.heldChoice(e, v, isBound)
	case "sl-textarea", "sl-color-picker":
		return text
	}
	text, _ = t.attr(e, "value") // what is bound is their content
	switch e.n.Tag {
	case "button", "sl-button", "sl-menu-item":
		return text
	case "li":
		n, _ := strconv.ParseFloat(text, 64)
		return n
	}
	return nil
}

// ranged returns what a slider holds after n was written into it: the closest of its numbers. If
// known is false, something else was written, and it holds the one in the middle.
func (t *Tree) ranged(e element, n float64, known bool) float64 {
	low, high := t.limits(e)
	if !known {
		n = low + max(high-low, 0)/2
	}
	n = max(min(n, high), low)
	if step, base := t.steps(e); step > 0 {
		n = base + math.Floor((n-base)/step+0.5)*step
		if n > high && n-step >= low {
			n -= step
		}
	}
	return n
}

func (t *Tree) limits(e element) (low, high float64) {
	low, high = 0.0, 100.0
	if e.n.Tag == "sl-rating" {
		high = 5
	}
	if v, ok := t.number(e, "min"); ok {
		low = v
	}
	if v, ok := t.number(e, "max"); ok {
		high = v
	}
	return low, high
}

// typed returns what an act has entered into a control whose value is never read, or nil.
func (t *Tree) typed(e element, slot int) any {
	if m := e.in.vars[slot].more; m != nil {
		return m.typed
	}
	return nil
}

func (t *Tree) heldChoice(e element, v Value, isBound bool) any {
	_, multiple := t.attr(e, "multiple")
	options := t.options(e)
	var chosen []any
	if isBound {
		o := &outliner{t: t}
		wanted := o.choices(v, multiple && e.n.Tag == "sl-select")
		if !multiple {
			wanted = []string{strings.Join(wanted, ",")}
		}
		for _, c := range options {
			if slices.Contains(wanted, c.value) {
				chosen = append(chosen, c.value)
			}
		}
		if !multiple && e.n.Tag == "sl-radio-group" && v != nil {
			return wanted[0]
		}
	} else {
		written, _ := t.attr(e, "value")
		words := []string{written}
		switch {
		case e.n.Tag == "sl-radio-group":
			return written
		case multiple:
			words = strings.Fields(written)
		}
		for _, c := range options {
			if c.selected || e.n.Tag == "sl-select" && slices.Contains(words, c.value) {
				chosen = append(chosen, c.value)
			}
		}
		if len(chosen) == 0 && !multiple && e.n.Tag == "select" && len(options) > 0 {
			chosen = append(chosen, options[0].value)
		}
	}
	switch {
	case multiple && e.n.Tag != "sl-radio-group":
		return append([]any{}, chosen...)
	case len(chosen) == 0:
		return ""
	}
	return chosen[len(chosen)-1]
}

type optionOf struct {
	value, text        string
	disabled, selected bool
}

// options returns the options of a control, in document order.
func (t *Tree) options(e element) (list []optionOf) {
	o := &outliner{t: t, left: 1 << 30}
	see := func(at element) {
		if !options[at.n.Tag] {
			return
		}
		value, _ := o.optionValue(scope{at.in, ""}, at.n)
		list = append(list, optionOf{
			value:    value,
			text:     squeezed(o.plain(scope{at.in, ""}, at.n)),
			disabled: t.has(at, "disabled"),
			selected: t.has(at, "selected") || t.has(at, "checked"),
		})
	}
	if i := o.ownList(scope{e.in, ""}, e.n); i >= 0 {
		_, rows := e.in.vars[i].inside()
		for _, r := range rows {
			if n := displayedBy(r.inst).plan.layout().host(); n != nil {
				see(element{displayedBy(r.inst), n})
			}
		}
		return list
	}
	t.each(e, see)
	return list
}

// chosen returns the values of the options that wanted names, and what the control then holds.
func (t *Tree) chosen(e element, wanted []string) (values []string, value any, err error) {
	label := t.label(e)
	if !choosers[e.n.Tag] {
		return nil, nil, refused("%s has no options to select", label)
	}
	multiple := t.has(e, "multiple") && e.n.Tag != "sl-radio-group"
	if !multiple && len(wanted) != 1 {
		return nil, nil, refused("%s takes exactly one option, not %d", label, len(wanted))
	}
	options := t.options(e)
	picked := make([]bool, len(options))
	for _, w := range wanted {
		k := slices.IndexFunc(options, func(o optionOf) bool { return o.value == w })
		if k < 0 {
			k = slices.IndexFunc(options, func(o optionOf) bool { return o.text == w })
		}
		switch {
		case k < 0:
			return nil, nil, refused("%s has no option %q; it has %s", label, w, named(options))
		case options[k].disabled:
			return nil, nil, refused("the option %q of %s is disabled", w, label)
		}
		picked[k] = true
	}
	values, list := []string{}, []any{}
	for k, o := range options {
		if picked[k] {
			values, list = append(values, o.value), append(list, o.value)
		}
	}
	if multiple {
		return values, list, nil
	}
	return values, values[0], nil
}

func named(options []optionOf) string {
	if len(options) == 0 {
		return "none"
	}
	var names []string
	for k, o := range options {
		if k == 20 {
			names = append(names, "and "+strconv.Itoa(len(options)-k)+" more")
			break
		}
		names = append(names, strconv.Quote(o.value))
	}
	return strings.Join(names, ", ")
}

var (
	floatForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$`) })
	colorForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^#[0-9a-f]{6}$`) })
	weekForm  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$`) })
)

// times are the forms of fields for dates and times, as package time writes them, with an example.
var times = map[string][]string{
	"date":           {"2006-01-02"},
	"month":          {"2006-01"},
	"time":           {"15:04", "15:04:05"},
	"datetime-local": {"2006-01-02T15:04", "2006-01-02T15:04:05"},
	"week":           {"2026-W07"}, // which is no form of package time
}

// entered returns what a control holds after a text was entered into it, as its events carry it and
// as the page is to write it. The error says why it cannot be entered.
func (t *Tree) entered(e element, text string) (value any, canonical string, err error) {
	label := t.label(e)
	kind, _ := attribute(e.n, "type")
	kind = strings.ToLower(kind)
	tag := e.n.Tag
	switch {
	case tag == "input" && kind == "file":
		return nil, "", refusedFile(label)
	case isToggle(e), ticked[tag]:
		return nil, "", refused("%s holds no text: use check", label)
	case choosers[tag]:
		return nil, "", refused("%s has options: use select", label)
	case !viewdef.Editable(tag), tag == "input" && (kind == "button" || kind == "submit" || kind == "reset" || kind == "image" || kind == "hidden"):
		return nil, "", refused("%s is no field: there is nothing to fill", label)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	area := tag == "textarea" || tag == "sl-textarea"
	if !area && strings.Contains(text, "\n") {
		return nil, "", refused("%s takes a single line", label)
	}
	if limit, ok := t.number(e, "maxlength"); ok && limit >= 0 && len(utf16.Encode([]rune(text))) > int(limit) {
		return nil, "", refused("%s takes at most %d characters, not %d", label, int(limit), len(utf16.Encode([]rune(text))))
	}
	if tag == "sl-range" || tag == "sl-rating" {
		kind = "range"
	}
	if area {
		return text, text, nil
	}
	switch kind {
	case "number", "range":
		text = strings.TrimSpace(text)
		if text == "" && kind == "number" {
			return "", "", nil
		}
		n, perr := strconv.ParseFloat(text, 64)
		if perr != nil || !floatForm().MatchString(text) {
			return nil, "", refused("%s takes a number, not %q", label, text)
		}
		if kind == "range" {
			low, high := t.limits(e)
			if n < low || n > high {
				return nil, "", refused("%s takes a number from %s to %s, not %s", label, plainNumber(low), plainNumber(high), text)
			}
			if tag != "sl-rating" && !onStep(t, e, n) {
				return nil, "", refused("%s takes only the numbers that its step allows, not %s", label, text)
			}
		}
		return n, text, nil
	case "color":
		text = strings.ToLower(strings.TrimSpace(text))
		if !colorForm().MatchString(text) {
			return nil, "", refused("%s takes a color such as #336699, not %q", label, text)
		}
	case "email", "url":
		text = strings.TrimSpace(text)
	}
	if text != "" && !wellFormed(kind, text) {
		return nil, "", refused("%s takes a %s such as %s, not %q", label, strings.TrimSuffix(kind, "-local"), times[kind][0], text)
	}
	return text, text, nil
}

// wellFormed reports whether a field for dates or times takes a text.
func wellFormed(kind, text string) bool {
	forms := times[kind]
	if kind == "week" {
		return weekForm().MatchString(text)
	}
	return len(forms) == 0 || slices.ContainsFunc(forms, func(f string) bool {
		at, err := time.Parse(f, text)
		return err == nil && len(text) == len(f) && (kind != "datetime-local" || len(f) < 19 || at.Second() != 0)
	})
}
