package variable

import (
	"cmp"
	"strconv"

	"ui-mcp/internal/ui/viewdef"
)

type listRow struct {
	item Value // its element, by which the row is recognised
	inst *instance
}

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
	m := va.ext()
	if windowed(in.plan.slots[i].Binding, displayed) {
		t.works(in, i)
		if t.showWindow(in, i, displayed, renewed) && t.changed(in, i) {
			t.ops.Window(in.id, i, m.window.total, appendWindow(nil, m.rows, t.appendRow))
		}
	} else {
		items := t.elements(t.spareItems[:0], displayed)
		t.spareItems = nil // rows may hold lists
		n, tooMany := t.fitting(len(items), len(m.rows))
		if tooMany != nil {
			t.fail(in, i, tooMany.Error(), tooMany)
		} else {
			t.works(in, i)
		}
		t.splice(in, i, displayed, items[:n], renewed)
		if cap(items) > cap(t.spareItems) {
			t.spareItems = items
		}
	}
	for _, r := range m.rows {
		t.scan(r.inst, renewed)
	}
}

// splice displays items, and sends what is between the rows at the head and at the tail that stay.
func (t *Tree) splice(in *instance, i int, list Value, items []Value, renewed bool) {
	m := in.vars[i].more
	stays := func(r listRow, item Value) bool {
		return same(r.item, item) && (!renewed || t.isCurrent(r.inst))
	}
	head, tail := 0, 0
	for head < min(len(items), len(m.rows)) && stays(m.rows[head], items[head]) {
		head++
	}
	if head == len(items) && head == len(m.rows) {
		return
	}
	for tail < min(len(items), len(m.rows))-head && stays(m.rows[len(m.rows)-1-tail], items[len(items)-1-tail]) {
		tail++
	}
	removed, last := m.rows[head:len(m.rows)-tail], m.rows[len(m.rows)-tail:]
	rows := append(make([]listRow, 0, len(items)), m.rows[:head]...)
	old := newSpareRows(removed)
	for k := head; k < len(items)-tail; k++ {
		rows = append(rows, t.row(in, i, list, items[k], k, old, renewed))
	}
	for _, r := range last {
		rows = append(rows, t.moveRow(in, i, r, len(rows), renewed))
	}
	t.freeRows(old)
	m.rows = rows
	if !t.changed(in, i) {
		return
	}
	t.ops.List(in.id, i, head, len(removed), appendRows(nil, rows[head:len(rows)-tail], t.appendRow))
}

// appendRows appends an array of rows, each of which row appends.
func appendRows(dst []byte, rows []listRow, row func(dst []byte, in *instance) []byte) []byte {
	dst = append(dst, '[')
	for k, r := range rows {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = row(dst, r.inst)
	}
	return append(dst, ']')
}

// appendRow appends the row of a list that has changed: its id, or all of it if it is new.
func (t *Tree) appendRow(dst []byte, row *instance) []byte {
	if row.mounted == t.pass {
		return t.appendInstance(dst, row)
	}
	return strconv.AppendInt(dst, row.id, 10)
}

// spareRows are rows that can display the same items again, in order.
type spareRows map[Value][]listRow

func newSpareRows(rows []listRow) spareRows {
	s := make(spareRows, len(rows))
	for _, r := range rows {
		s[keyOf(r.item)] = append(s[keyOf(r.item)], r)
	}
	return s
}

// row returns the row that displays an element: one that is spare, or else a new one.
func (t *Tree) row(in *instance, i int, list, item Value, k int, spare spareRows, renewed bool) listRow {
	if equal := spare[keyOf(item)]; len(equal) > 0 {
		spare[keyOf(item)] = equal[1:]
		return t.moveRow(in, i, equal[0], k, renewed)
	}
	return listRow{item, t.newRow(in, i, list, item, k)}
}

func (t *Tree) freeRows(spare spareRows) {
	for _, rows := range spare {
		for _, r := range rows {
			t.free(r.inst)
		}
	}
}

// moveRow keeps a row for its item, now at index k; if its template has changed, with another
// instance.
func (t *Tree) moveRow(in *instance, i int, r listRow, k int, renewed bool) listRow {
	r.inst.index = int32(k)
	if it, ok := r.inst.obj.(*ViewListItem); ok && it.index != k {
		it.index = k
		if it.arg != nil {
			t.host.MoveItem(it.arg, k)
		}
	}
	if old := r.inst; renewed && !t.isCurrent(old) {
		t.free(old)
		r.inst = t.placeRow(in, i, k, old.obj, old.source, nil)
	}
	return r
}

func (t *Tree) isCurrent(row *instance) bool {
	tmpl, _ := t.resolve(row.parent, row.obj, row.namespace, row.fallback)
	return tmpl == row.plan.tmpl
}

// newRow mounts the instance that displays one element of a list, in a ViewList with an item of
// its own. If its wrapper cannot be created, it displays the element itself.
func (t *Tree) newRow(in *instance, i int, list, item Value, k int) *instance {
	l, isViewList := list.(*ViewList)
	wrapper := in.plan.slots[i].ItemWrapper
	if isViewList {
		wrapper = l.itemWrapper
	}
	obj, arg := item, Value(nil)
	var err error
	if wrapper != "" && (item != nil || isViewList) {
		var w Value
		switch err = t.readable(in, i); {
		case err != nil:
		case isViewList:
			w, arg, err = t.host.WrapItem(wrapper, item, k)
		default:
			w, err = t.host.Wrap(wrapper, item)
		}
		if err = t.judge(in, i, err); err == nil {
			obj = w
		}
	}
	if isViewList {
		it := &ViewListItem{list: l, base: item, item: obj, arg: arg, index: k}
		return t.placeRow(in, i, k, it, it, err)
	}
	return t.placeRow(in, i, k, obj, item, err)
}

// placeRow mounts the instance of row k that displays obj; failed is the error of creating obj, if
// any.
func (t *Tree) placeRow(in *instance, i, k int, obj, source Value, failed error) *instance {
	ns, fallback := cmp.Or(in.plan.slots[i].Namespace, in.namespace), cmp.Or(in.fallback, "list-item")
	tmpl, problem := t.resolve(in, obj, ns, fallback)
	row := t.newInstance(in, i, k, tmpl, obj, source, ns, fallback)
	if failed != nil {
		problem = failed.Error()
	}
	if problem = cmp.Or(problem, in.plan.slots[i].Misfit(tmpl)); problem != "" {
		t.failDisplay(row, in, i, problem)
	}
	t.mount(row)
	return row
}

// Rows is how many rows all lists have, but those of options; of windowed lists, the mounted ones.
func (t *Tree) Rows() (n int) {
	for _, in := range t.instances {
		if in.index == noRow {
			continue
		}
		p := in.parent.plan
		if e := p.tmpl.Numbered(p.slots[in.slot].Element); e == nil || e.Tag != "datalist" && e.Tag != "optgroup" && !viewdef.IsChooser(e.Tag) {
			n++
		}
	}
	return n
}

// elements appends the elements of an array, of the host's or of ours.
func (t *Tree) elements(dst []Value, v Value) []Value {
	for k := range t.length(v) {
		dst = append(dst, t.element(v, k))
	}
	return dst
}

// array returns the host's array that a list displays.
func array(v Value) Value {
	if l, ok := v.(*ViewList); ok {
		return l.source
	}
	return v
}
