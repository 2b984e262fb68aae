package variable

import (
	"strconv"
)

// list displays the elements of v as the rows of in.vars[i].
func (t *Tree) list(in *instance, i int, v Value, renewed bool) {
	displayed, _, err := t.wrap(in, i, v)
	if err != nil {
		t.fail(in, i, err.Error(), err)
		t.descend(in, i, false)
		return
	}
	va := &in.vars[i]
	va.value = v
	if windowed(in.plan.slots[i].Binding, displayed) {
		t.works(in, i)
		t.updateWindow(in, i, displayed, renewed)
		return
	}
	m := va.ext()
	// Rows may hold lists, so the buffer is not shared with them.
	items := t.takeItems()
	items = t.elements(items, displayed)
	n, tooMany := t.fitting(len(items), len(m.rows))
	items = items[:n]
	if tooMany != nil {
		t.fail(in, i, tooMany.Error(), tooMany)
	} else {
		t.works(in, i)
	}
	head := 0
	for head < len(items) && head < len(m.items) && same(items[head], m.items[head]) {
		head++
	}
	if head == len(items) && head == len(m.items) {
		t.giveItems(items)
		t.scanRows(in, i, renewed)
		return
	}
	tail := 0
	for tail < len(items)-head && tail < len(m.items)-head &&
		same(items[len(items)-1-tail], m.items[len(m.items)-1-tail]) {
		tail++
	}
	t.splice(in, i, items, head, tail)
	t.giveItems(items)
	t.scanRows(in, i, renewed)
}

// splice replaces all rows but the first head and the last tail ones.
func (t *Tree) splice(in *instance, i int, items []Value, head, tail int) {
	m := in.vars[i].more
	removed := m.rows[head : len(m.rows)-tail]
	var kept map[Value][]*instance // rows taken out, by value, in order
	if len(removed) > 0 && head+tail < len(items) {
		kept = make(map[Value][]*instance, len(removed))
		for k, r := range removed {
			v := keyOf(m.items[head+k])
			kept[v] = append(kept[v], r)
		}
	}
	rows := make([]*instance, 0, len(items))
	rows = append(rows, m.rows[:head]...)
	out := []byte{'['}
	stays := make(map[*instance]bool)
	for k := head; k < len(items)-tail; k++ {
		if k > head {
			out = append(out, ',')
		}
		item := keyOf(items[k])
		if equal := kept[item]; len(equal) > 0 {
			kept[item] = equal[1:]
			rows = append(rows, equal[0])
			stays[equal[0]] = true
			out = strconv.AppendInt(out, equal[0].id, 10)
			continue
		}
		row := t.newRow(in, i, items[k])
		rows = append(rows, row)
		out = t.mount(out, row)
	}
	out = append(out, ']')
	rows = append(rows, m.rows[len(m.rows)-tail:]...)
	n := len(removed)
	for _, r := range removed {
		if !stays[r] {
			t.free(r)
		}
	}
	m.rows = rows
	m.items = append(m.items[:0], items...)
	clear(m.items[len(items):cap(m.items)]) // drop items that are no longer shown
	in.changed(i)
	t.ops.List(in.id, i, head, n, out)
}

// newRow creates the instance that displays one element of a list.
func (t *Tree) newRow(in *instance, i int, item Value) *instance {
	b := in.plan.slots[i].Binding
	if b.ItemWrapper == "" || item == nil {
		return t.placeRow(in, i, item, item, nil)
	}
	err := t.readable(in, i)
	var w Value
	if err == nil {
		w, err = t.host.Wrap(b.ItemWrapper, item)
		err = t.judge(in, i, err)
	}
	if err != nil {
		w = item
	}
	return t.placeRow(in, i, w, item, err)
}

// placeRow creates the instance of a row that displays obj; failed is the error of creating obj, if
// any.
func (t *Tree) placeRow(in *instance, i int, obj, source Value, failed error) *instance {
	ns, fallback := or(in.plan.slots[i].Namespace, in.namespace), or(in.fallback, "list-item")
	tmpl, problem := t.resolve(in, obj, ns, fallback)
	row := t.newInstance(in, tmpl, obj, source, ns, fallback)
	if failed != nil {
		problem = failed.Error()
	}
	if problem != "" {
		t.failDisplay(row, in, i, problem)
	}
	return row
}

// scanRows scans the rows, and replaces those whose template has changed.
func (t *Tree) scanRows(in *instance, i int, renewed bool) {
	m := in.vars[i].more
	for k, row := range m.rows {
		if row.mounted == t.pass {
			continue // just read
		}
		if renewed {
			tmpl, _ := t.resolve(in, row.obj, row.namespace, row.fallback)
			if tmpl != row.plan.tmpl {
				t.free(row)
				row = t.placeRow(in, i, row.obj, row.source, nil)
				m.rows[k] = row
				t.ops.List(in.id, i, k, 1, append(t.mount([]byte{'['}, row), ']'))
				continue
			}
		}
		t.scan(row, renewed)
	}
}

// elements appends the elements of an array, of the host's or of ours.
func (t *Tree) elements(dst []Value, v Value) []Value {
	if l, ok := v.(*ViewList); ok {
		for _, it := range l.items {
			dst = append(dst, it)
		}
		return dst
	}
	if v == nil {
		return dst
	}
	return t.host.Elements(dst, v)
}

func (t *Tree) takeItems() []Value {
	b := t.spareItems
	t.spareItems = nil
	return b[:0]
}

func (t *Tree) giveItems(b []Value) {
	if cap(b) > cap(t.spareItems) {
		t.spareItems = b
	}
}
