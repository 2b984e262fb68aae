package vt

import "math/bits"

// A penID is the number of a pen in a penTable. 0 is the default.
type penID uint32

// A pen is all that a cell's pen number stands for.
type pen struct {
	Style
	link linkID
}

// A penTable numbers the pens that cells use.
type penTable struct {
	pens    []numberedPen
	slots   []penID // a hash table of the pens' numbers, at most half full; 0 is empty
	sweepAt int     // sweep when there are as many pens
}

// A numberedPen has with it how a packed line writes it, if that is short: lines are
// packed often, and all of this is in a processor's cache at once.
type numberedPen struct {
	pen
	size   uint8 // of packed; 0: it is longer
	packed [maxPackedPen]byte
}

// maxPackedPen is enough for two direct colours and attributes.
const maxPackedPen = 11

func numbered(p pen) numberedPen {
	n := numberedPen{pen: p}
	if b := appendPen(nil, p); len(b) <= maxPackedPen {
		n.size = uint8(copy(n.packed[:], b))
	}
	return n
}

func (p *penTable) reset() {
	*p = penTable{pens: []numberedPen{numbered(pen{})}, slots: make([]penID, 32), sweepAt: firstSweep}
}

// intern returns the number of a pen.
func (p *penTable) intern(n pen) penID {
	if n == (pen{}) {
		return 0
	}
	slot := p.slot(n)
	if *slot == 0 {
		if 2*len(p.pens) > len(p.slots) {
			p.slots = make([]penID, 2*len(p.slots))
			for i := range p.pens[1:] {
				*p.slot(p.pens[i+1].pen) = penID(i + 1)
			}
			slot = p.slot(n)
		}
		*slot = penID(len(p.pens))
		p.pens = append(p.pens, numbered(n))
	}
	return *slot
}

// slot returns where the number of a pen is, or is to be. Colours differ in few bits, which multiplying
// spreads over the upper ones.
func (p *penTable) slot(n pen) *penID {
	h := uint64(n.FG)*0x9E3779B97F4A7C15 ^ uint64(n.BG)*0xC2B2AE3D27D4EB4F ^
		uint64(n.UnderlineColor)*0x165667B19E3779F9 ^ (uint64(n.Attr)|uint64(n.link)<<16)*0xD6E8FEB86659FD93
	for i := h >> (64 - bits.Len(uint(len(p.slots)-1))); ; i++ {
		slot := &p.slots[i&uint64(len(p.slots)-1)]
		if *slot == 0 || p.pens[*slot].pen == n {
			return slot
		}
	}
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
			fresh[id] = t.pens.intern(old[id].pen)
		}
		*c = *c&^penMask | inked(fresh[id])
	})
	t.pens.sweepAt = max(firstSweep, 2*len(t.pens.pens))
	t.inkFresh = false
}
