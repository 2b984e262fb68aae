package vt

import (
	"math/bits"

	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// A penID is the number of a pen in a penTable. 0 is the default.
type penID uint32

// A penTable numbers the pens that cells use.
type penTable struct {
	pens    []numberedPen
	slots   []penID // a hash table of the pens' numbers, at most half full; 0 is empty
	sweepAt int     // number of pens at which to sweep
}

// A numberedPen includes its encoding in packed lines if that is short: lines are packed often, and
// this way pen and encoding share a cache line.
type numberedPen struct {
	scrollback.Pen
	size   uint8 // of packed; 0 if the encoding is longer
	packed [maxPackedPen]byte
}

// maxPackedPen is long enough for two direct colours and attributes.
const maxPackedPen = 11

func numbered(p scrollback.Pen) numberedPen {
	n := numberedPen{Pen: p}
	if b := scrollback.AppendPen(nil, p); len(b) <= maxPackedPen {
		n.size = uint8(copy(n.packed[:], b))
	}
	return n
}

func (p *penTable) reset() {
	*p = penTable{pens: []numberedPen{numbered(scrollback.Pen{})}, slots: make([]penID, 32), sweepAt: firstSweep}
}

func (p *penTable) intern(n scrollback.Pen) penID {
	if n == (scrollback.Pen{}) {
		return 0
	}
	slot := p.slot(n)
	if *slot == 0 {
		if 2*len(p.pens) > len(p.slots) {
			p.slots = make([]penID, 2*len(p.slots))
			for i := range p.pens[1:] {
				*p.slot(p.pens[i+1].Pen) = penID(i + 1)
			}
			slot = p.slot(n)
		}
		*slot = penID(len(p.pens))
		p.pens = append(p.pens, numbered(n))
	}
	return *slot
}

// slot returns the slot for the number of a pen. Colours differ in few bits, which the
// multiplications spread over the upper ones.
func (p *penTable) slot(n scrollback.Pen) *penID {
	h := uint64(n.FG)*0x9E3779B97F4A7C15 ^ uint64(n.BG)*0xC2B2AE3D27D4EB4F ^
		uint64(n.UnderlineColor)*0x165667B19E3779F9 ^ (uint64(n.Attr)|uint64(n.Link)<<16)*0xD6E8FEB86659FD93
	for i := h >> (64 - bits.Len(uint(len(p.slots)-1))); ; i++ {
		slot := &p.slots[i&uint64(len(p.slots)-1)]
		if *slot == 0 || p.pens[*slot].Pen == n {
			return slot
		}
	}
}

// inkNow updates t.ink and t.blank from the cursor's pen if necessary, and returns t.ink.
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
	t.blank = inked(t.pens.intern(scrollback.Pen{Style: sgr.Style{BG: t.cur.pen.BG}}))
	t.inkFresh = true
}

// eraser returns an erased cell: as in xterm, it has the pen's background.
func (t *Terminal) eraser() cell {
	if !t.inkFresh {
		t.refreshInk()
	}
	return t.blank
}

// sweepPens renumbers the pens that cells use, and drops the others. Packed lines contain their
// styles and do not count.
func (t *Terminal) sweepPens() {
	old := t.pens.pens
	fresh := make([]penID, len(old)) // the new numbers; 0 where not assigned yet
	t.pens.reset()
	t.eachCell(func(c *cell) {
		id := c.pen()
		if id == 0 {
			return
		}
		if fresh[id] == 0 {
			fresh[id] = t.pens.intern(old[id].Pen)
		}
		*c = *c&^penMask | inked(fresh[id])
	})
	t.pens.sweepAt = max(firstSweep, 2*len(t.pens.pens))
	t.inkFresh = false
}
