package variable

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/path"
)

// maxMade bounds how many variables scripts can make.
const maxMade = 10_000

// A made variable is one that a script has asked for, which no page shows. It is read with all
// others, so that its value, and what it does when it is read, are kept up.
type made struct {
	id, parent int64
	obj        Value
	path       *path.Path // from obj; nil is obj itself
	props      map[string]string
	in         *instance // stands for obj when the path is read
	value      Value
	err        error
}

// Create makes a variable that shows obj, or what the path in the property "path" finds from it.
// parent is the id of the variable it goes with, and ends with; 0 is none. Ids count down from -1.
func (t *Tree) Create(parent int64, obj Value, props map[string]string) (id int64, err error) {
	if len(t.made) >= maxMade {
		return 0, fault.New(fault.Exhausted, "there are %d variables of scripts already", maxMade)
	}
	if parent != 0 && !t.has(parent) {
		return 0, fault.New(fault.NotFound, "there is no variable %d", parent)
	}
	m := &made{parent: parent, obj: obj, props: maps.Clone(props), in: &instance{obj: obj, plan: rootPlan}}
	if p := props["path"]; p != "" {
		parsed, err := path.Parse(p)
		if err != nil {
			return 0, fault.Wrap(fault.Invalid, err, "path")
		}
		m.path = &parsed
	}
	t.lastMade--
	m.id = t.lastMade
	if t.made == nil {
		t.made = map[int64]*made{}
	}
	t.made[m.id] = m
	return m.id, nil
}

// Find is the id of the oldest variable that Create has made for obj, or 0.
func (t *Tree) Find(obj Value) int64 {
	for _, m := range t.madeInOrder() {
		if m.obj == obj {
			return m.id
		}
	}
	return 0
}

// Destroy ends a variable that Create has made, and those under it. It reports whether there was
// one.
func (t *Tree) Destroy(id int64) bool {
	if t.made[id] == nil {
		return false
	}
	delete(t.made, id)
	for _, m := range t.madeInOrder() {
		if m.parent == id {
			t.Destroy(m.id)
		}
	}
	return true
}

// has reports whether there is a variable of this id.
func (t *Tree) has(id int64) bool {
	if id < 0 {
		return t.made[id] != nil
	}
	_, err := t.findID(id)
	return err == nil
}

// madeInOrder are the variables of scripts, in the order in which they were made.
func (t *Tree) madeInOrder() []*made {
	list := slices.Collect(maps.Values(t.made))
	slices.SortFunc(list, func(a, b *made) int { return int(b.id - a.id) })
	return list
}

// scanMade reads the variables of scripts, and ends those whose parent is gone.
func (t *Tree) scanMade() {
	if len(t.made) == 0 {
		return
	}
	for _, m := range t.madeInOrder() {
		switch {
		case t.made[m.id] == nil: // its parent has just been ended
		case m.parent != 0 && !t.has(m.parent):
			t.Destroy(m.id)
		case m.path == nil:
			m.value = m.obj
		default:
			if v, err := t.read(m.in, m.path); err != nil {
				m.err = err
			} else {
				m.value, m.err = v, nil
			}
		}
	}
}

// made lists the variables of scripts under the ids that are listed already, and then those that
// are under none.
func (l *listing) made() {
	at := make(map[int64]int, len(l.out))
	for i := range l.out {
		at[l.out[i].ID] = i
	}
	for _, m := range l.t.madeInOrder() {
		props := maps.Clone(m.props)
		if props == nil {
			props = map[string]string{}
		}
		v := Variable{ID: m.id, ParentID: m.parent, Path: props["path"], Value: l.madeValue(m), Properties: props, ChildIDs: []int64{}}
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
