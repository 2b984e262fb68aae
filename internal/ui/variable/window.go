package variable

import (
	"cmp"
	"slices"
	"strconv"

	"ui-mcp/internal/ui/viewdef"
)

// A windowed list mounts only the rows that pages have asked for, which are those near their
// viewports; of the others, pages know only the number. So a list of 100,000 rows costs no more
// than a screenful.

const (
	firstRows = 50    // rows before any page has asked
	maxRows   = 1_000 // the most that one page can ask for
	searched  = 100   // how far from its expected position a row is searched for
)

// A window holds the mounted rows of a windowed list.
type window struct {
	asked map[any]ask // by page
	moved bool        // asked or revealed has changed since the last scan
	total int
	rows  []windowRow // in the order of their indexes

	revealed span // rows mounted for an outline
}

type windowRow struct {
	index int
	item  Value // its element, by which the row is recognised
	inst  *instance
}

// A span is a range of indexes.
type span struct{ start, end int }

// An ask is the request of one page.
type ask struct {
	span
	keep int64 // the instance of one more row, wherever it moves; 0: none
}

// Ask sets which rows of a windowed list a page needs; the next scan mounts them. keep, unless 0,
// is the instance of one further row, which stays mounted wherever it moves. page identifies the
// page. Requests for a list that is gone are ignored.
func (t *Tree) Ask(page any, inst int64, slot, start, count int, keep int64) {
	in := t.instances[inst]
	if in == nil || slot < 0 || slot >= len(in.vars) || in.vars[slot].more == nil || in.vars[slot].window == nil {
		return
	}
	start = max(start, 0)
	w := in.vars[slot].window
	if w.asked == nil {
		w.asked = map[any]ask{}
	}
	w.moved = true
	w.asked[page] = ask{span{start, start + min(max(count, 0), maxRows)}, keep}
	if t.askers == nil {
		t.askers = map[any]map[*window]bool{}
	}
	if t.askers[page] == nil {
		t.askers[page] = map[*window]bool{}
	}
	t.askers[page][w] = true
}

// Forget drops a page's requests.
func (t *Tree) Forget(page any) {
	for w := range t.askers[page] {
		delete(w.asked, page)
		w.moved = true
	}
	delete(t.askers, page)
}

// forgetWindow forgets a window whose list is gone.
func (t *Tree) forgetWindow(w *window) {
	for page := range w.asked {
		delete(t.askers[page], w)
	}
	delete(t.revealed, w)
}

// wanted returns the spans of n rows to mount, in order, without overlap.
func (w *window) wanted(n int) []span {
	spans := make([]span, 0, len(w.asked)+1)
	if len(w.asked) == 0 {
		spans = append(spans, span{0, min(firstRows, n)})
	}
	if r := w.revealed; r.start < min(r.end, n) {
		spans = append(spans, span{r.start, min(r.end, n)})
	}
	for _, a := range w.asked {
		spans = append(spans, span{min(a.start, n), min(a.end, n)})
		if k := w.indexOf(a.keep); k >= 0 && w.rows[k].index >= 0 {
			spans = append(spans, span{w.rows[k].index, w.rows[k].index + 1})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.start <= last.end {
			last.end = max(last.end, s.end)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// windowed reports whether a list mounts only what pages ask for.
func windowed(b *viewdef.Binding, displayed Value) bool {
	if l, ok := displayed.(*ViewList); ok {
		return l.windowed
	}
	return b.Window
}

// showWindow brings the rows of a windowed list up to date, and reports whether pages need an
// update. It does not mount new rows yet.
func (t *Tree) showWindow(in *instance, i int, displayed Value, renewed bool) (changed bool) {
	m := in.vars[i].ext()
	if m.window == nil {
		m.window = &window{}
		changed = true
	}
	w := m.window
	total := t.length(displayed)
	if !changed && !renewed && !w.moved && total == w.total && t.sameRows(w, displayed) {
		return false
	}
	changed = changed || total != w.total
	old := slices.Clone(w.rows)
	t.follow(w, displayed, total)
	w.total, w.moved = total, false
	kept := make(map[Value][]windowRow, len(w.rows))
	for _, r := range w.rows {
		kept[keyOf(r.item)] = append(kept[keyOf(r.item)], r)
	}
	rows := make([]windowRow, 0, len(old))
	for _, s := range w.wanted(total) {
		for k := s.start; k < s.end; k++ {
			item := t.element(displayed, k)
			if equal := kept[keyOf(item)]; len(equal) > 0 {
				kept[keyOf(item)] = equal[1:]
				rows = append(rows, windowRow{k, item, t.keepRow(in, i, displayed, equal[0].inst, k, renewed)})
				continue
			}
			rows = append(rows, windowRow{k, item, t.newWindowRow(in, i, displayed, item, k)})
		}
	}
	for _, left := range kept {
		for _, r := range left {
			t.free(r.inst)
		}
	}
	w.rows = rows
	return changed || !slices.EqualFunc(old, rows, func(a, b windowRow) bool { return a.index == b.index && a.inst == b.inst })
}

// sameRows reports whether every row still displays the element at its index.
func (t *Tree) sameRows(w *window, list Value) bool {
	for _, r := range w.rows {
		if !same(t.element(list, r.index), r.item) {
			return false
		}
	}
	return true
}

// keepRow keeps a row for its item, now at index k. It returns a new row if the template has
// changed.
func (t *Tree) keepRow(in *instance, i int, list Value, row *instance, k int, renewed bool) *instance {
	if it, ok := row.obj.(*ViewListItem); ok {
		it.move(t, k)
	}
	if renewed {
		if tmpl, _ := t.resolve(in, row.obj, row.namespace, row.fallback); tmpl != row.plan.tmpl {
			t.free(row)
			return t.placeRow(in, i, row.obj, row.source, nil)
		}
	}
	return row
}

// newWindowRow creates the row of an element; in a ViewList, with its own item.
func (t *Tree) newWindowRow(in *instance, i int, list, element Value, k int) *instance {
	l, ok := list.(*ViewList)
	if !ok {
		return t.newRow(in, i, element)
	}
	it, err := l.newItem(t, element, k)
	return t.placeRow(in, i, it, it, err)
}

// appendWindow appends the rows of a windowed list. If ids is set, rows that pages have are given
// by id; new rows are mounted.
func (t *Tree) appendWindow(dst []byte, w *window, ids bool) []byte {
	dst = append(dst, '[')
	for k := 0; k < len(w.rows); {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(w.rows[k].index), 10)
		dst = append(dst, ",["...)
		first := k
		for ; k < len(w.rows) && w.rows[k].index-w.rows[first].index == k-first; k++ {
			if k > first {
				dst = append(dst, ',')
			}
			row := w.rows[k].inst
			switch {
			case row.mounted == 0:
				dst = t.mount(dst, row)
			case ids:
				dst = strconv.AppendInt(dst, row.id, 10)
			default:
				dst = t.appendInstance(dst, row)
			}
		}
		dst = append(dst, "]]"...)
	}
	return append(dst, ']')
}

// appendWindowValue appends a windowed list as the value of its slot.
func (t *Tree) appendWindowValue(dst []byte, w *window) []byte {
	dst = append(dst, `{"total":`...)
	dst = strconv.AppendInt(dst, int64(w.total), 10)
	dst = append(dst, `,"segments":`...)
	dst = t.appendWindow(dst, w, false)
	return append(dst, '}')
}

// updateWindow updates a windowed list and records what has changed.
func (t *Tree) updateWindow(in *instance, i int, displayed Value, renewed bool) {
	if t.showWindow(in, i, displayed, renewed) {
		w := in.vars[i].window
		in.changed(i)
		t.ops.Window(in.id, i, w.total, t.appendWindow(nil, w, true))
	}
	for _, r := range in.vars[i].window.rows {
		if r.inst.mounted != t.pass {
			t.scan(r.inst, renewed)
		}
	}
}

// length returns the number of elements of an array, the host's or ours.
func (t *Tree) length(v Value) int {
	if l, ok := v.(*ViewList); ok {
		v = l.source
	}
	if v == nil {
		return 0
	}
	return t.host.Len(v)
}

// element returns one element of an array, the host's or ours.
func (t *Tree) element(v Value, k int) Value {
	if l, ok := v.(*ViewList); ok {
		v = l.source
	}
	e, err := t.host.Element(v, k)
	if err != nil {
		return nil // an array has elements; any other value has length 0
	}
	return e
}
