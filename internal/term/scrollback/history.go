// Package scrollback keeps lines of text that are not on the screen any more, packed into bytes.
// Package vt has the rules: when a line scrolls off, and how a row becomes a packed line.
package scrollback

import (
	"math"
	"slices"
)

// Lines holds the lines that scrolled off the top of the primary screen, packed, in a queue of
// large chunks: a line costs its text, a few bytes for styles, and eight for its lineRef.
type Lines struct {
	Limit    int    // in lines
	Keep     uint64 // number of the first line that stays in spite of the limit: see KeepFrom
	MaxBytes int    // bounds what a hostile program can fill
	First    uint64 // number of the oldest line kept
	Next     uint64 // number of the line after the newest

	refs   []lineRef // a ring whose size is a power of two: see ref
	Chunks [][]byte  // oldest first; a line is never split
	base   uint32    // number of Chunks[0]
	spare  []byte    // a chunk to reuse
	Bytes  int       // of all chunks

	// Chunks with a lower number belong to copies, too: what they have is never overwritten.
	shared uint32
}

type lineRef struct {
	chunk, offset uint32
}

// chunkSize is the size of a chunk, unless a single line is larger.
const chunkSize = 32 << 10

// New returns empty Lines that numbers its lines from first.
func New(limit, cols int, first uint64) Lines {
	// Sixteen bytes per column are plenty for meaningful text.
	return Lines{Limit: limit, Keep: keepNone, MaxBytes: 1<<20 + limit*max(cols, 80)*16, First: first, Next: first}
}

func (h *Lines) ref(n uint64) *lineRef { return &h.refs[n&uint64(len(h.refs)-1)] }

func (h *Lines) Len() int { return int(h.Next - h.First) }

// Push appends a line, and drops the oldest ones beyond the limits.
func (h *Lines) Push(packed []byte) {
	if !h.Takes() {
		h.Next++
		h.First = h.Next
		return
	}
	if over := h.Len() + 1 - h.Limit; over > 0 {
		h.Trim(over)
	}
	if h.Len() == len(h.refs) {
		h.grow()
	}
	last := len(h.Chunks) - 1
	if last < 0 || cap(h.Chunks[last])-len(h.Chunks[last]) < len(packed) {
		h.addChunk(len(packed))
		last++
	}
	chunk := h.Chunks[last]
	*h.ref(h.Next) = lineRef{h.base + uint32(last), uint32(len(chunk))}
	h.Chunks[last] = append(chunk, packed...)
	h.Next++
	for h.Bytes > h.MaxBytes && h.Len() > 1 {
		h.drop()
	}
}

// Takes reports whether the next line is kept.
func (h *Lines) Takes() bool { return h.Limit > 0 || h.Next >= h.Keep }

// Trim drops as many of the oldest lines as are too many, except those that stay.
func (h *Lines) Trim(over int) {
	for ; over > 0 && h.First < h.Next && (h.First < h.Keep || over > maxKept); over-- {
		h.drop()
	}
}

// keepNone is the number of no line, and maxKept how many lines are kept beyond the limit.
const keepNone, maxKept = math.MaxUint64, 128 << 10

// KeepFrom keeps the lines from a number on, at most maxKept of them beyond the limit.
func (h *Lines) KeepFrom(n uint64) {
	h.Keep = n
	h.Trim(h.Len() - h.Limit)
}

func (h *Lines) grow() {
	old := *h
	h.refs = make([]lineRef, max(64, 2*len(old.refs)))
	for n := h.First; n < h.Next; n++ {
		*h.ref(n) = *old.ref(n)
	}
}

func (h *Lines) addChunk(need int) {
	chunk := h.spare[:0]
	h.spare = nil
	if cap(chunk) < need {
		// A short history should not pay for a large chunk.
		size := chunkSize
		if len(h.Chunks) == 0 && h.First == h.Next {
			size = 4 << 10
		}
		chunk = make([]byte, 0, max(need, size))
	}
	h.Chunks = append(h.Chunks, chunk)
	h.Bytes += cap(chunk)
}

// drop removes the oldest line.
func (h *Lines) drop() {
	h.First++
	if h.First == h.Next {
		for i := range h.Chunks { // only one is left, all of it unused
			h.cut(i, 0)
		}
		return
	}
	for oldest := h.ref(h.First).chunk; h.base != oldest; h.base++ {
		h.Bytes -= cap(h.Chunks[0])
		if cap(h.Chunks[0]) == chunkSize && h.base >= h.shared {
			h.spare = h.Chunks[0]
		}
		h.Chunks[0] = nil
		h.Chunks = h.Chunks[1:]
	}
}

// cut shortens chunk i of the list to its first n bytes.
func (h *Lines) cut(i, n int) {
	chunk := h.Chunks[i]
	h.Chunks[i] = chunk[:n]
	if h.base+uint32(i) < h.shared {
		h.Chunks[i] = chunk[:n:n]
		h.Bytes -= cap(chunk) - n
	}
}

// Clone returns a copy, which later changes leave as it is. It costs eight bytes for each line, and
// both have the text.
func (h *Lines) Clone() Lines {
	h.shared = h.base + uint32(len(h.Chunks))
	c := *h
	c.refs, c.Chunks, c.spare = slices.Clone(h.refs), slices.Clone(h.Chunks), nil
	return c
}

// Clear removes all lines. Their numbers are not reused.
func (h *Lines) Clear() {
	*h = Lines{Limit: h.Limit, Keep: h.Keep, MaxBytes: h.MaxBytes, First: h.Next, Next: h.Next}
}

// Line returns line n, packed: it must be kept. Later pushes overwrite the bytes.
func (h *Lines) Line(n uint64) []byte {
	ref := *h.ref(n)
	chunk := h.Chunks[ref.chunk-h.base]
	if n+1 < h.Next {
		if end := *h.ref(n + 1); end.chunk == ref.chunk {
			return chunk[ref.offset:end.offset]
		}
	}
	return chunk[ref.offset:]
}

// Pop removes and returns the newest line, whose number is reused. It is valid until the next push.
func (h *Lines) Pop() []byte {
	packed := h.Line(h.Next - 1)
	h.Next--
	last := len(h.Chunks) - 1
	h.cut(last, len(h.Chunks[last])-len(packed))
	if len(h.Chunks[last]) == 0 {
		h.Bytes -= cap(h.Chunks[last])
		h.Chunks = h.Chunks[:last]
		h.shared = min(h.shared, h.base+uint32(last)) // its number is used again
	}
	return packed
}
