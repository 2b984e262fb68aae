package variable

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"strconv"

	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// TemplateOf returns the view definition of an instance, or nil if it is gone.
func (t *Tree) TemplateOf(instance int64) *viewdef.Template {
	in := t.instances[instance]
	if in == nil {
		return nil
	}
	return in.plan.tmpl
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
		n := in.plan.tmpl.Numbered(in.plan.slots[key.slot].Element)
		if n == nil || viewdef.IsChooser(n.Tag) || n.Tag == "datalist" || n.Tag == "optgroup" || isNative(in.obj) || va.value == unknown {
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
