package variable

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/path"
	"ui-mcp/internal/ui/viewdef"
)

// maxMade bounds how many variables scripts can make.
const maxMade = 10_000

// A made variable was created by a script and appears on no page. It is read with all others, so
// that its value is current and the side effects of reading it occur.
type made struct {
	id, parent int64
	around     *instance // of the parent if that is a binding or a row; else nil
	children   []*made   // some may have been destroyed
	obj        Value
	props      map[string]string
	in         *instance // stands for obj when the path is read; nil when the value is obj itself
	value      Value
	err        error
	gone       bool
}

// Create creates a variable for obj, or for what the path in the property "path" reads from it. It
// ends with the variable whose id is parent; 0 means no parent. Ids count down from -1.
func (t *Tree) Create(parent int64, obj Value, props map[string]string) (id int64, err error) {
	if len(t.made) >= maxMade {
		return 0, fault.New(fault.Exhausted, "there are %d variables of scripts already", maxMade)
	}
	m := &made{parent: parent, obj: obj, props: maps.Clone(props), value: obj}
	above := t.made[parent]
	if parent != 0 && above == nil {
		if m.around, _, err = t.byID(parent); err != nil {
			return 0, fault.New(fault.NotFound, "there is no variable %d", parent)
		}
	}
	if p := props["path"]; p != "" {
		parsed, err := path.Parse(p)
		if err != nil {
			return 0, fault.Wrap(fault.Invalid, err, "path")
		}
		b := &viewdef.Binding{Kind: viewdef.Value, Path: parsed, Source: p}
		m.in, m.value = &instance{obj: obj, plan: &plan{slots: []slot{{Binding: b}}}}, nil
	}
	t.compactMade()
	t.lastMade--
	m.id = t.lastMade
	if t.made == nil {
		t.made = map[int64]*made{}
	}
	t.made[m.id] = m
	t.madeVersion++
	t.madeInOrder = append(t.madeInOrder, m)
	if above != nil {
		above.children = append(above.children, m)
	}
	return m.id, nil
}

// Find returns the id of the oldest variable that Create has created for obj, or 0.
func (t *Tree) Find(obj Value) int64 {
	for _, m := range t.madeInOrder {
		if m.obj == obj && !m.gone {
			return m.id
		}
	}
	return 0
}

// Destroy ends a variable created by Create and those under it. It reports whether there was one.
func (t *Tree) Destroy(id int64) bool {
	first := t.made[id]
	if first == nil {
		return false
	}
	for todo := []*made{first}; len(todo) > 0; {
		m := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], m.children...)
		if m.gone {
			continue
		}
		m.gone = true
		t.madeVersion++
		delete(t.made, m.id)
		if m.in != nil && len(t.stoppages) > 0 {
			delete(t.stoppages, m.in.plan.slots[0].Binding)
		}
	}
	return true
}

// compactMade forgets variables that are gone once they are the majority, so its amortised cost is
// small.
func (t *Tree) compactMade() {
	if len(t.madeInOrder) <= 2*len(t.made)+16 {
		return
	}
	gone := func(m *made) bool { return m.gone }
	t.madeInOrder = slices.DeleteFunc(t.madeInOrder, gone)
	for _, m := range t.madeInOrder {
		m.children = slices.DeleteFunc(m.children, gone)
	}
}

// MadeVersion changes whenever the variables of scripts may have changed.
func (t *Tree) MadeVersion() int64 { return t.madeVersion }

// scanMade reads the variables of scripts, and ends those whose parent is gone.
func (t *Tree) scanMade() {
	t.compactMade()
	for _, m := range t.madeInOrder {
		switch {
		case m.gone:
		case m.around != nil && m.around.gone:
			t.Destroy(m.id)
		case m.in != nil:
			if v, err := t.fetch(m.in, 0); err == nil {
				if m.value != v || m.err != nil || t.host.IsObject(v) {
					t.madeVersion++
				}
				m.value, m.err = v, nil
			} else if err != errUnread {
				t.madeVersion++
				m.err = err
			}
		case t.host.IsObject(m.value):
			t.madeVersion++ // its content may have changed
		}
	}
}

// made lists the variables of scripts: those under listed ids first, then those without a parent.
func (l *listing) made() {
	at := make(map[int64]int, len(l.out))
	for i := range l.out {
		at[l.out[i].ID] = i
	}
	for _, m := range l.t.madeInOrder {
		if m.gone {
			continue
		}
		props := maps.Clone(m.props)
		if props == nil {
			props = map[string]string{}
		}
		v := Variable{ID: m.id, ParentID: m.parent, Path: props["path"], Value: l.madeValue(m), Properties: props, ChildIDs: []int64{}, Active: true}
		if l.isObject(m.value) {
			v.Type = l.t.typeOf(m.value)
		}
		if m.err != nil {
			v.Error = m.err.Error()
		}
		if i, ok := at[m.parent]; ok {
			l.out[i].ChildIDs = append(l.out[i].ChildIDs, m.id)
		}
		at[m.id] = len(l.out)
		l.out = append(l.out, v)
	}
}

func (l *listing) madeValue(m *made) json.RawMessage {
	if l.isObject(m.value) && l.first[m.value] == 0 {
		return append(strconv.AppendInt([]byte(`{"obj":`), m.id, 10), '}')
	}
	return l.value(m.value)
}
