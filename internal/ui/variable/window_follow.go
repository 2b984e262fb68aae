package variable

import (
	"cmp"
	"slices"
)

// Pages ask for indexes, but a person looks at elements. The code here adjusts the indexes when
// elements move.

// indexOf returns the position of an instance's row among the mounted rows, or -1.
func indexOf(rows []listRow, inst int64) int {
	return slices.IndexFunc(rows, func(r listRow) bool { return r.inst.id == inst })
}

// follow adjusts the requests of pages, and the indexes of rows that they keep, after rows have
// come or gone elsewhere, so that each person keeps seeing the same elements. A page at the start
// of the list stays there.
func (t *Tree) follow(w *window, rows []listRow, list Value, total int) {
	moved := map[int64]int{}
	for page, a := range w.asked {
		if k := indexOf(rows, a.keep); k >= 0 {
			moved[a.keep], _ = t.locate(list, rows[k], w.total, total)
		}
		if r, ok := near(rows, (a.start+a.end)/2); ok && a.start > 0 && r.inst.row() >= a.start && r.inst.row() < a.end {
			if now, ok := t.locate(list, r, w.total, total); ok {
				a.start, a.end = max(a.start+now-r.inst.row(), 0), max(a.end+now-r.inst.row(), 0)
			}
		}
		w.asked[page] = a
	}
	for k := range rows {
		if now, ok := moved[rows[k].inst.id]; ok {
			rows[k].inst.index = int32(now)
		}
	}
}

// near returns the mounted row closest to an index.
func near(rows []listRow, index int) (row listRow, ok bool) {
	i, _ := slices.BinarySearchFunc(rows, index, func(r listRow, index int) int { return cmp.Compare(r.inst.row(), index) })
	if i == len(rows) {
		i--
	}
	if i < 0 {
		return listRow{}, false
	}
	return rows[i], true
}

// locate returns the index of a row's element in a list that had was elements and has total now, or
// -1 if it is close neither to its old index nor to where a change elsewhere would have moved it.
func (t *Tree) locate(list Value, r listRow, was, total int) (index int, ok bool) {
	is := func(k int) bool { return k >= 0 && k < total && same(t.element(list, k), r.item) }
	at := r.inst.row()
	if is(at) {
		return at, true
	}
	for d := range searched {
		for _, k := range [...]int{at + total - was + d, at + total - was - d} {
			if is(k) {
				return k, true
			}
		}
	}
	return -1, false
}
