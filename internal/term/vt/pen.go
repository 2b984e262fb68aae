package vt

// A penID is the number of a pen in a penTable. 0 is the default.
type penID uint32

// A pen is all that a cell's pen number stands for.
type pen struct {
	Style
	link linkID
}

// A penTable numbers the pens that cells use.
type penTable struct {
	pens   []pen
	packed []string // how each is written in a packed line
	ids    map[pen]penID
	recent [64]struct { // by a cheap hash: programs use few pens, and those often
		pen pen
		id  penID
	}
	sweepAt int // sweep when there are as many pens
}

func (p *penTable) reset() {
	*p = penTable{
		pens:    []pen{{}},
		packed:  []string{string(appendPen(nil, pen{}))},
		ids:     map[pen]penID{},
		sweepAt: firstSweep,
	}
}

// intern returns the number of a pen.
func (p *penTable) intern(n pen) penID {
	if n == (pen{}) {
		return 0
	}
	h := uint32(n.FG)*0x9e3779b1 ^ uint32(n.BG)*0x85ebca6b ^ uint32(n.UnderlineColor)*0xc2b2ae35 ^
		uint32(n.Attr)*0x27d4eb2f ^ uint32(n.link)*0x165667b1
	recent := &p.recent[h>>26]
	if recent.pen == n {
		return recent.id
	}
	id, ok := p.ids[n]
	if !ok {
		id = penID(len(p.pens))
		p.pens = append(p.pens, n)
		p.packed = append(p.packed, string(appendPen(nil, n)))
		p.ids[n] = id
	}
	recent.pen, recent.id = n, id
	return id
}

// inkNow brings t.ink and t.blank up to date with the cursor's pen, and
// returns t.ink.
func (t *Terminal) inkNow() cell {
	if !t.inkFresh {
		t.refreshInk()
	}
	return t.ink
}

func (t *Terminal) refreshInk() {
	if len(t.pens.pens) >= t.pens.sweepAt {
		t.sweepPens()
	}
	t.ink = inked(t.pens.intern(t.cur.pen))
	t.blank = inked(t.pens.intern(pen{Style: Style{BG: t.cur.pen.BG}}))
	t.inkFresh = true
}

// eraser returns what erasing leaves in a cell: the background, as in xterm.
func (t *Terminal) eraser() cell {
	if !t.inkFresh {
		t.refreshInk()
	}
	return t.blank
}

// sweepPens numbers anew the pens that cells still have, and forgets the
// others. Packed lines have their style with them and do not count.
func (t *Terminal) sweepPens() {
	old := t.pens.pens
	fresh := make([]penID, len(old)) // the new number, and 0 where there is none yet
	t.pens.reset()
	t.eachCell(func(c *cell) {
		id := c.pen()
		if id == 0 {
			return
		}
		if fresh[id] == 0 {
			fresh[id] = t.pens.intern(old[id])
		}
		*c = *c&^penMask | inked(fresh[id])
	})
	t.pens.sweepAt = max(firstSweep, 2*len(t.pens.pens))
	t.inkFresh = false
}
