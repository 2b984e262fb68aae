package act

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

	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
)

// This file says what controls hold and take, as web/src/dom/control.ts and browsers do.

// checked reports whether a checkbox, switch or radio button is on; without a binding, known is
// false, and it is as the template says.
func checked(e element) (on, known bool) {
	if on, known = e.Checked(); known {
		return on, true
	}
	if i := edited(e); i >= 0 { // the page begins with nothing
		typed := e.Entered(i)
		return typed != nil && typed != false, false
	}
	return e.Has("checked"), false
}

// held returns what a control holds: nil, a bool, a float64, a string, or a []any of strings.
func held(e element) any {
	kind := e.Node().Type()
	v, isBound := e.Value()
	text := ""
	switch {
	case isBound:
		text = strings.Join(e.Choices(false), ",")
	default:
		if i := edited(e); i < 0 {
			text, _ = e.Attr("value")
		} else if typed := e.Entered(i); typed != nil {
			return typed
		} else {
			isBound = true // the page begins with nothing
		}
	}
	switch e.Node().Tag {
	case "input":
		switch kind {
		case "checkbox":
			on, _ := checked(e)
			return on
		case "radio":
			value, _ := e.Option()
			return value
		case "number", "range":
			n, err := strconv.ParseFloat(text, 64)
			switch {
			case kind == "range":
				return ranged(e, n, err == nil)
			case err != nil:
				return ""
			}
			return n
		case "file":
			if e.Has("multiple") {
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
		on, _ := checked(e)
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
			return e.Text()
		}
		return text
	case "select", "sl-select", "sl-radio-group":
		return heldChoice(e, v, isBound)
	case "sl-textarea", "sl-color-picker":
		return text
	}
	text, _ = e.Attr("value") // what is bound is their content
	switch e.Node().Tag {
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
func ranged(e element, n float64, known bool) float64 {
	low, high := limits(e)
	if !known {
		n = low + max(high-low, 0)/2
	}
	n = max(min(n, high), low)
	if step, base := steps(e); step > 0 {
		n = base + math.Floor((n-base)/step+0.5)*step
		if n > high && n-step >= low {
			n -= step
		}
	}
	return n
}

func limits(e element) (low, high float64) {
	low, high = 0.0, 100.0
	if e.Node().Tag == "sl-rating" {
		high = 5
	}
	if v, ok := number(e, "min"); ok {
		low = v
	}
	if v, ok := number(e, "max"); ok {
		high = v
	}
	return low, high
}

func heldChoice(e element, v variable.Value, isBound bool) any {
	_, multiple := e.Attr("multiple")
	options := options(e)
	var chosen []any
	if isBound {
		wanted := e.Choices(multiple && e.Node().Tag == "sl-select")
		if !multiple {
			wanted = []string{strings.Join(wanted, ",")}
		}
		for _, c := range options {
			if slices.Contains(wanted, c.value) {
				chosen = append(chosen, c.value)
			}
		}
		if !multiple && e.Node().Tag == "sl-radio-group" && v != nil {
			return wanted[0]
		}
	} else {
		written, _ := e.Attr("value")
		words := []string{written}
		switch {
		case e.Node().Tag == "sl-radio-group":
			return written
		case multiple:
			words = strings.Fields(written)
		}
		for _, c := range options {
			if c.selected || e.Node().Tag == "sl-select" && slices.Contains(words, c.value) {
				chosen = append(chosen, c.value)
			}
		}
		if len(chosen) == 0 && !multiple && e.Node().Tag == "select" && len(options) > 0 {
			chosen = append(chosen, options[0].value)
		}
	}
	switch {
	case multiple && e.Node().Tag != "sl-radio-group":
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
func options(e element) (list []optionOf) {
	for _, at := range e.Options() {
		value, _ := at.Option()
		list = append(list, optionOf{
			value:    value,
			text:     strings.Join(strings.Fields(at.Text()), " "),
			disabled: at.Has("disabled"),
			selected: at.Has("selected") || at.Has("checked"),
		})
	}
	return list
}

// chosen returns the values of the options that wanted names, and what the control then holds.
func chosen(e element, wanted []string) (values []string, value any, err error) {
	label := e.Label()
	if !viewdef.IsChooser(e.Node().Tag) {
		return nil, nil, refused("%s has no options to select", label)
	}
	multiple := e.Has("multiple") && e.Node().Tag != "sl-radio-group"
	if !multiple && len(wanted) != 1 {
		return nil, nil, refused("%s takes exactly one option, not %d", label, len(wanted))
	}
	options := options(e)
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
func entered(e element, text string) (value any, canonical string, err error) {
	label := e.Label()
	kind := e.Node().Type()
	tag := e.Node().Tag
	switch {
	case tag == "input" && kind == "file":
		return nil, "", refusedFile(label)
	case e.Node().IsToggle(), viewdef.IsSwitch(tag):
		return nil, "", refused("%s holds no text: use check", label)
	case viewdef.IsChooser(tag):
		return nil, "", refused("%s has options: use select", label)
	case !viewdef.Editable(tag), tag == "input" && (kind == "button" || kind == "submit" || kind == "reset" || kind == "image" || kind == "hidden"):
		return nil, "", refused("%s is no field: there is nothing to fill", label)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	area := tag == "textarea" || tag == "sl-textarea"
	if !area && strings.Contains(text, "\n") {
		return nil, "", refused("%s takes a single line", label)
	}
	if limit, ok := number(e, "maxlength"); ok && limit >= 0 && len(utf16.Encode([]rune(text))) > int(limit) {
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
			low, high := limits(e)
			if n < low || n > high {
				return nil, "", refused("%s takes a number from %s to %s, not %s", label, plainNumber(low), plainNumber(high), text)
			}
			if tag != "sl-rating" && !onStep(e, n) {
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
