package variable

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// A Control is an element on display on which a person can act.
type Control struct {
	Ref      string // see [Tree.Act]
	Template *viewdef.Template
	Element  int // its number
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
func (t *Tree) Controls(seen int64, name func() string, wanted func(tmpl *viewdef.Template, element int) bool) (list []Control) {
	for _, id := range slices.Sorted(maps.Keys(t.instances)) {
		in := t.instances[id]
		l := in.plan.layout()
		for _, number := range l.numbers {
			if wanted != nil && !wanted(in.plan.tmpl, number) {
				continue
			}
			e := element{in, l.element[number]}
			c := Control{Template: in.plan.tmpl, Element: number, Inputs: t.trialInputs(e)}
			for _, i := range e.n.Slots {
				switch in.plan.slots[i].Kind {
				case viewdef.Action, viewdef.Event, viewdef.Key:
					c.Acts = true
				}
			}
			c.Acts = c.Acts || submits(e.n)
			if len(c.Inputs) == 0 {
				continue
			}
			if c.Ref = t.refer(e, seen, name); c.Ref != "" {
				list = append(list, c)
			}
		}
	}
	return list
}

// EventsOn lists the bindings of an event on elements that a person could reach, those of the
// oldest objects first. Bindings that need something of the page are left out.
func (t *Tree) EventsOn(event string) (list []Happening) {
	for _, id := range slices.Sorted(maps.Keys(t.instances)) {
		in := t.instances[id]
		for i := range in.plan.slots {
			b := in.plan.slots[i].Binding
			if b.Kind != viewdef.Event || b.Name != event || b.Path.Last().Kind == path.CallArg {
				continue
			}
			n := in.plan.layout().element[b.Element]
			if local, err := t.reachable(element{in, n}); err == nil && local == "" {
				list = append(list, Happening{Instance: in.id, Slot: i})
			}
		}
	}
	return list
}

// TemplateOf returns the view definition of an instance, or nil if it is gone.
func (t *Tree) TemplateOf(instance int64) *viewdef.Template {
	in := t.instances[instance]
	if in == nil {
		return nil
	}
	return in.plan.tmpl
}

func (t *Tree) trialInputs(e element) (inputs []Input) {
	if edited(e) >= 0 {
		switch {
		case isToggle(e), ticked[e.n.Tag]:
			inputs = append(inputs, Input{Click: true})
		case choosers[e.n.Tag]:
			options := t.options(e)
			if k := slices.IndexFunc(options, func(o optionOf) bool { return !o.disabled && o.value != "" }); k >= 0 {
				inputs = append(inputs, Input{Select: []string{options[len(options)-1].value}}, Input{Select: []string{options[k].value}})
			}
		default:
			inputs = append(inputs, Input{Fill: t.sample(e)})
		}
	}
	click := submits(e.n)
	for _, i := range e.n.Slots {
		switch b := e.in.plan.slots[i].Binding; {
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
func (t *Tree) sample(e element) *string {
	kind, _ := attribute(e.n, "type")
	kind = strings.ToLower(kind)
	if e.n.Tag == "sl-range" || e.n.Tag == "sl-rating" {
		kind = "range"
	}
	if e.n.Tag == "sl-color-picker" {
		kind = "color"
	}
	text, ok := samples[kind]
	if !ok || e.n.Tag == "textarea" || e.n.Tag == "sl-textarea" {
		text = samples[""]
	}
	if kind == "number" || kind == "range" {
		for _, limit := range [...]string{"max", "min"} {
			n, err := strconv.ParseFloat(text, 64)
			if v, ok := t.number(e, limit); ok && err == nil && (limit == "max" && n > v || limit == "min" && n < v) {
				text = plainNumber(v)
			}
		}
	}
	if limit, ok := t.number(e, "maxlength"); ok && limit >= 0 && int(limit) < len(text) {
		text = text[:int(limit)]
	}
	return &text
}

// A ListState says how many rows a list displays, and what the display consists of beside them.
type ListState struct {
	Template *viewdef.Template
	Slot     int
	Instance int64
	Rows     int
	// Around is made of the values of all bindings outside the rows that show something, except
	// what the person has entered: while it is the same, a page looks the same but for the rows.
	Around uint64
}

// Lists describes all lists on display, in no order, except those that are options of a control.
func (t *Tree) Lists() (list []ListState) {
	var total uint64
	within := map[*instance]uint64{} // all that is in an instance
	own := map[slotKey]uint64{}      // the part of a list itself
	for _, in := range t.instances {
		var sum uint64
		for i := range in.plan.slots {
			part := t.shows(in, i)
			sum += part
			if in.plan.slots[i].Kind == viewdef.List {
				own[slotKey{in, i}] = part
			}
		}
		total += sum
		for at := in; at != nil; at = at.parent {
			within[at] += sum
		}
	}
	for key, part := range own {
		in, va := key.in, &key.in.vars[key.slot]
		n := in.plan.layout().element[in.plan.slots[key.slot].Element]
		if n == nil || choosers[n.Tag] || n.Tag == "datalist" || n.Tag == "optgroup" || isNative(in.obj) || va.value == unknown {
			continue
		}
		if va.more != nil && va.window != nil {
			continue // pages decide which of its rows there are
		}
		_, rows := va.inside()
		state := ListState{Template: in.plan.tmpl, Slot: key.slot, Instance: in.id, Rows: len(rows), Around: total - part}
		for _, r := range rows {
			state.Around -= within[r.inst]
		}
		list = append(list, state)
	}
	return list
}

var seed = maphash.MakeSeed()

// shows returns a number that is the same as long as a binding shows the same.
func (t *Tree) shows(in *instance, i int) uint64 {
	s := &in.plan.slots[i]
	if !s.Access.Readable() || s.Kind == viewdef.Value && s.Opts.Edit {
		return 0
	}
	text := strconv.AppendInt(make([]byte, 0, 128), in.id, 10)
	text = strconv.AppendInt(append(text, '.'), int64(i), 10)
	text = append(text, ' ')
	if s.Kind == viewdef.View || s.Kind == viewdef.List {
		child, rows := in.vars[i].inside()
		text = strconv.AppendBool(text, child != nil)
		text = strconv.AppendInt(text, int64(len(rows)), 10)
	} else {
		text, _ = t.appendValue(text, in.vars[i].value) // after an error, some other JSON in its place
	}
	return maphash.Bytes(seed, text)
}

// MisnamedIn lists the names in a template that an object which it could display does not have. It
// displays nothing and runs no code.
func (t *Tree) MisnamedIn(tmpl *viewdef.Template, obj Value) (list []*Problem) {
	in := &instance{plan: t.plan(tmpl), obj: obj, parent: &t.root}
	for i := range in.plan.slots {
		s := &in.plan.slots[i]
		if s.optional {
			continue
		}
		msg, _ := t.misnamed(in, s)
		if first := s.Path.Steps[0]; msg == "" && (first.Kind == path.Call || first.Kind == path.CallArg || first.Kind == path.CallSub) {
			if m := t.host.Member(obj, first.Name); !m.Known {
				msg = fmt.Sprintf("%s has no method %s", cmp.Or(t.host.Type(obj), "this object"), first.Name)
			}
		}
		if msg != "" {
			list = append(list, in.problem(i, msg, nil))
		}
	}
	return list
}
