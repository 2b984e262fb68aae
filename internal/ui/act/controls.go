package act

import (
	"slices"
	"strconv"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// A Control is an element on display on which a person can act.
type Control struct {
	Ref      string // see [Find]
	Template *viewdef.Template
	Node     *viewdef.Node
	// Inputs are those that a person would try first, of which some may be refused. There are
	// none if a click does nothing and nothing can be entered.
	Inputs []Input
	// Acts says that a method is called when the person acts; otherwise they only enter a value.
	Acts bool
}

// samples are what persons could enter into fields of each type; "" is the type of any other field.
var samples = map[string]string{
	"": "Example", "number": "3", "range": "50", "color": "#336699", "email": "ada@example.org", "url": "https://example.org/", "tel": "0123456",
	"date": "2026-02-14", "month": "2026-02", "time": "10:30", "datetime-local": "2026-02-14T10:30", "week": "2026-W07", "password": "Example-1",
}

// Controls lists the controls on display that are wanted, or all if wanted is nil; those of the
// objects that were displayed first come first. seen is the number of the last batch; name makes a
// new name.
func Controls(tree *variable.Tree, seen int64, name func() string, wanted func(n *viewdef.Node) bool) (list []Control) {
	for e := range tree.Elements(func(_ *viewdef.Template, n *viewdef.Node) bool { return n.Element >= 0 && (wanted == nil || wanted(n)) }) {
		c := Control{Template: e.Template(), Node: e.Node(), Inputs: trialInputs(e), Acts: submits(e.Node())}
		for _, b := range e.Bindings() {
			c.Acts = c.Acts || b.Kind == viewdef.Action || b.Kind == viewdef.Event || b.Kind == viewdef.Key
		}
		if len(c.Inputs) == 0 {
			continue
		}
		if c.Ref = tree.Refer(e, seen, name); c.Ref != "" {
			list = append(list, c)
		}
	}
	return list
}

// EventsOn lists the bindings of an event on elements that a person could reach, those of the
// oldest objects first. Bindings that need something of the page are left out, but for a drop: its
// value is the instance that is dragged.
func EventsOn(tree *variable.Tree, event string) (list []wire.Event) {
	binds := func(b *viewdef.Binding) bool {
		return b.Kind == viewdef.Event && b.Name == event && (event == "drop" || b.Path.Last().Kind != path.CallArg)
	}
	for e := range tree.Elements(func(t *viewdef.Template, n *viewdef.Node) bool {
		return slices.ContainsFunc(n.Slots, func(i int) bool { return binds(&t.Bindings[i]) })
	}) {
		for i, b := range e.Bindings() {
			if !binds(b) {
				continue
			}
			if local, err := reachable(tree, e); err == nil && local == "" {
				list = append(list, wire.Event{Instance: e.Instance(), Slot: i})
			}
		}
	}
	return list
}

func trialInputs(e element) (inputs []Input) {
	if edited(e) >= 0 {
		switch {
		case e.Node().IsToggle(), viewdef.IsSwitch(e.Node().Tag):
			inputs = append(inputs, Input{Click: true})
		case viewdef.IsChooser(e.Node().Tag):
			options := options(e)
			if k := slices.IndexFunc(options, func(o optionOf) bool { return !o.disabled && o.value != "" }); k >= 0 {
				inputs = append(inputs, Input{Select: []string{options[len(options)-1].value}}, Input{Select: []string{options[k].value}})
			}
		default:
			inputs = append(inputs, Input{Fill: sample(e)})
		}
	}
	click := submits(e.Node())
	for _, b := range e.Bindings() {
		switch {
		case b.Kind == viewdef.Key:
			inputs = append(inputs, Input{Key: b.Name})
		case b.Kind == viewdef.Action, b.Kind == viewdef.Event && b.Name == "click":
			click = true
		}
	}
	if click {
		inputs = append(inputs, Input{Click: true})
	}
	return inputs
}

// sample returns something that fits into a field.
func sample(e element) *string {
	kind := e.Node().Type()
	switch e.Node().Tag {
	case "sl-range":
		kind = "range"
	case "sl-rating":
		kind = "number"
	case "sl-color-picker":
		kind = "color"
	}
	text, ok := samples[kind]
	if !ok || e.Node().Tag == "textarea" || e.Node().Tag == "sl-textarea" {
		text = samples[""]
	}
	if kind == "number" || kind == "range" {
		for _, limit := range [...]string{"max", "min"} {
			n, err := strconv.ParseFloat(text, 64)
			if v, ok := number(e, limit); ok && err == nil && (limit == "max" && n > v || limit == "min" && n < v) {
				text = plainNumber(v)
			}
		}
	}
	if limit, ok := number(e, "maxlength"); ok && limit >= 0 && int(limit) < len(text) {
		text = text[:int(limit)]
	}
	return &text
}
