package variable

import (
	"cmp"
	"slices"
)

// Pages ask for indexes; a person looks at elements. Here the indexes follow the elements.

// indexOf is where the row that is an instance is among those shown, or -1.
func (w *window) indexOf(inst int64) int {
	return slices.IndexFunc(w.rows, func(r windowRow) bool { return r.inst.id == inst })
}

// follow finds the rows that pages asked for again after rows have come or gone elsewhere, so that
// what a person looks at stays. A page at the start of the list stays there.
func (t *Tree) follow(w *window, list Value, total int) {
	moved := map[int64]int{}
	for page, a := range w.asked {
		if k := w.indexOf(a.keep); k >= 0 {
			moved[a.keep], _ = t.locate(list, w.rows[k], w.total, total)
		}
		if r, ok := w.near((a.start + a.end) / 2); ok && a.start > 0 && r.index >= a.start && r.index < a.end {
			if now, ok := t.locate(list, r, w.total, total); ok {
				a.start, a.end = max(a.start+now-r.index, 0), max(a.end+now-r.index, 0)
			}
		}
		w.asked[page] = a
	}
	for k := range w.rows {
		if now, ok := moved[w.rows[k].inst.id]; ok {
			w.rows[k].index = now
		}
	}
}

// near is the row that is shown closest to an index.
func (w *window) near(index int) (row windowRow, ok bool) {
	i, _ := slices.BinarySearchFunc(w.rows, index, func(r windowRow, index int) int { return cmp.Compare(r.index, index) })
	if i == len(w.rows) {
		i--
	}
	if i < 0 {
		return windowRow{}, false
	}
	return w.rows[i], true
}

// locate is where a row's element is in a list that had was elements and has total now; -1 when it
// is not close to where it was, or would be after a change elsewhere.
func (t *Tree) locate(list Value, r windowRow, was, total int) (index int, ok bool) {
	is := func(k int) bool { return k >= 0 && k < total && t.element(list, k) == r.item }
	if is(r.index) {
		return r.index, true
	}
	for d := range searched {
		for _, k := range [...]int{r.index + total - was + d, r.index + total - was - d} {
			if is(k) {
				return k, true
			}
		}
	}
	return -1, false
}
