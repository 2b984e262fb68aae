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

	revealed span // rows mounted for an outline
}

type span struct{ start, end int }

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
	w.moved = true
	w.asked[page] = ask{span{start, start + min(max(count, 0), maxRows)}, keep}
}

// Forget drops a page's requests.
func (t *Tree) Forget(page any) {
	for w := range t.windows {
		if _, asked := w.asked[page]; asked {
			delete(w.asked, page)
			w.moved = true
		}
	}
}

// wanted returns the spans of n rows to mount, in order, without overlap. Of them, rows are mounted
// already.
func (w *window) wanted(n int, rows []listRow) []span {
	spans := make([]span, 0, len(w.asked)+1)
	if len(w.asked) == 0 {
		spans = append(spans, span{0, min(firstRows, n)})
	}
	if r := w.revealed; r.start < min(r.end, n) {
		spans = append(spans, span{r.start, min(r.end, n)})
	}
	for _, a := range w.asked {
		spans = append(spans, span{min(a.start, n), min(a.end, n)})
		if k := indexOf(rows, a.keep); k >= 0 && rows[k].inst.index >= 0 {
			spans = append(spans, span{rows[k].inst.row(), rows[k].inst.row() + 1})
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
// update.
func (t *Tree) showWindow(in *instance, i int, displayed Value, renewed bool) (changed bool) {
	m := in.vars[i].ext()
	if m.window == nil {
		m.window = &window{asked: map[any]ask{}}
		t.windows[m.window] = true
		changed = true
	}
	w := m.window
	total := t.length(displayed)
	if !changed && !renewed && !w.moved && total == w.total && t.sameRows(m.rows, displayed) {
		return false
	}
	changed = changed || total != w.total
	old, at := m.rows, indexes(m.rows)
	t.follow(w, m.rows, displayed, total)
	w.total, w.moved = total, false
	spare := newSpareRows(m.rows)
	rows := make([]listRow, 0, len(old))
	for _, s := range w.wanted(total, m.rows) {
		for k := s.start; k < s.end; k++ {
			rows = append(rows, t.row(in, i, displayed, t.element(displayed, k), k, spare, renewed))
		}
	}
	t.freeRows(spare)
	m.rows = rows
	stays := func(a, b listRow) bool { return a.inst == b.inst }
	return changed || !slices.EqualFunc(old, rows, stays) || !slices.Equal(at, indexes(rows))
}

func indexes(rows []listRow) []int32 {
	at := make([]int32, len(rows))
	for k, r := range rows {
		at[k] = r.inst.index
	}
	return at
}

// sameRows reports whether every row still displays the element at its index.
func (t *Tree) sameRows(rows []listRow, list Value) bool {
	return !slices.ContainsFunc(rows, func(r listRow) bool { return !same(t.element(list, r.inst.row()), r.item) })
}

// appendWindow appends the rows of a windowed list: as row appends them.
func appendWindow(dst []byte, rows []listRow, row func([]byte, *instance) []byte) []byte {
	dst = append(dst, '[')
	for k := 0; k < len(rows); {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(rows[k].inst.index), 10)
		first := k
		for k < len(rows) && rows[k].inst.row()-rows[first].inst.row() == k-first {
			k++
		}
		dst = append(appendRows(append(dst, ','), rows[first:k], row), ']')
	}
	return append(dst, ']')
}

func (t *Tree) appendWindowValue(dst []byte, m *more) []byte {
	dst = append(dst, `{"total":`...)
	dst = strconv.AppendInt(dst, int64(m.window.total), 10)
	dst = append(dst, `,"segments":`...)
	dst = appendWindow(dst, m.rows, t.appendInstance)
	return append(dst, '}')
}

// length returns the number of elements of an array, the host's or ours.
func (t *Tree) length(v Value) int {
	if v = array(v); v == nil {
		return 0
	}
	return t.host.Len(v)
}

// element returns one element of an array, the host's or ours.
func (t *Tree) element(v Value, k int) Value {
	e, err := t.host.Element(array(v), k)
	if err != nil {
		return nil // an array has elements; any other value has length 0
	}
	return e
}
