package vt

import (
	"math"
	"slices"
)

// A history holds the lines that scrolled off the top of the primary screen, packed, in a queue of
// large chunks: a line costs its text, a few bytes for styles, and eight for its lineRef.
type history struct {
	limit    int    // in lines
	keep     uint64 // number of the first line that stays in spite of the limit: see KeepFrom
	maxBytes int    // bounds what a hostile program can fill
	first    uint64 // number of the oldest line kept
	next     uint64 // number of the line after the newest

	refs   []lineRef // a ring whose size is a power of two: see ref
	chunks [][]byte  // oldest first; a line is never split
	base   uint32    // number of chunks[0]
	spare  []byte    // a chunk to reuse
	bytes  int       // of all chunks

	// Chunks with a lower number belong to copies, too: what they have is never overwritten.
	shared uint32
}

type lineRef struct {
	chunk, offset uint32
}

// chunkSize is the size of a chunk, unless a single line is larger.
const chunkSize = 32 << 10

// newHistory returns an empty history that numbers its lines from first.
func newHistory(limit, cols int, first uint64) history {
	// Sixteen bytes per column are plenty for meaningful text.
	return history{limit: limit, keep: keepNone, maxBytes: 1<<20 + limit*max(cols, 80)*16, first: first, next: first}
}

func (h *history) ref(n uint64) *lineRef { return &h.refs[n&uint64(len(h.refs)-1)] }

func (h *history) len() int { return int(h.next - h.first) }

// push appends a line, and drops the oldest ones beyond the limits.
func (h *history) push(packed []byte) {
	if !h.takes() {
		h.next++
		h.first = h.next
		return
	}
	if over := h.len() + 1 - h.limit; over > 0 {
		h.trim(over)
	}
	if h.len() == len(h.refs) {
		h.grow()
	}
	last := len(h.chunks) - 1
	if last < 0 || cap(h.chunks[last])-len(h.chunks[last]) < len(packed) {
		h.addChunk(len(packed))
		last++
	}
	chunk := h.chunks[last]
	*h.ref(h.next) = lineRef{h.base + uint32(last), uint32(len(chunk))}
	h.chunks[last] = append(chunk, packed...)
	h.next++
	for h.bytes > h.maxBytes && h.len() > 1 {
		h.drop()
	}
}

// takes reports whether the next line is kept.
func (h *history) takes() bool { return h.limit > 0 || h.next >= h.keep }

// trim drops as many of the oldest lines as are too many, except those that stay.
func (h *history) trim(over int) {
	for ; over > 0 && h.first < h.next && (h.first < h.keep || over > maxKept); over-- {
		h.drop()
	}
}

// keepNone is the number of no line, and maxKept how many lines are kept beyond the limit.
const keepNone, maxKept = math.MaxUint64, 128 << 10

// KeepFrom makes the history keep the lines from a number on, at most 131,072 of them beyond its
// limit, until the next call. [math.MaxUint64] keeps none. So an owner that reads all lines, but
// not after each Write, misses none.
func (t *Terminal) KeepFrom(n uint64) {
	t.history.keep = n
	t.history.trim(t.history.len() - t.history.limit)
}

func (h *history) grow() {
	old := *h
	h.refs = make([]lineRef, max(64, 2*len(old.refs)))
	for n := h.first; n < h.next; n++ {
		*h.ref(n) = *old.ref(n)
	}
}

func (h *history) addChunk(need int) {
	chunk := h.spare[:0]
	h.spare = nil
	if cap(chunk) < need {
		// A short history should not pay for a large chunk.
		size := chunkSize
		if len(h.chunks) == 0 && h.first == h.next {
			size = 4 << 10
		}
		chunk = make([]byte, 0, max(need, size))
	}
	h.chunks = append(h.chunks, chunk)
	h.bytes += cap(chunk)
}

// drop removes the oldest line.
func (h *history) drop() {
	h.first++
	if h.first == h.next {
		for i := range h.chunks { // only one is left, all of it unused
			h.cut(i, 0)
		}
		return
	}
	for oldest := h.ref(h.first).chunk; h.base != oldest; h.base++ {
		h.bytes -= cap(h.chunks[0])
		if cap(h.chunks[0]) == chunkSize && h.base >= h.shared {
			h.spare = h.chunks[0]
		}
		h.chunks[0] = nil
		h.chunks = h.chunks[1:]
	}
}

// cut shortens chunk i of the list to its first n bytes.
func (h *history) cut(i, n int) {
	chunk := h.chunks[i]
	h.chunks[i] = chunk[:n]
	if h.base+uint32(i) < h.shared {
		h.chunks[i] = chunk[:n:n]
		h.bytes -= cap(chunk) - n
	}
}

// clone returns a copy, which later changes leave as it is. It costs eight bytes for each line, and
// both have the text.
func (h *history) clone() history {
	h.shared = h.base + uint32(len(h.chunks))
	c := *h
	c.refs, c.chunks, c.spare = slices.Clone(h.refs), slices.Clone(h.chunks), nil
	return c
}

// clear removes all lines. Their numbers are not reused.
func (h *history) clear() {
	*h = history{limit: h.limit, keep: h.keep, maxBytes: h.maxBytes, first: h.next, next: h.next}
}

// line returns line n, packed; the history must have it. Later pushes overwrite the bytes.
func (h *history) line(n uint64) []byte {
	ref := *h.ref(n)
	chunk := h.chunks[ref.chunk-h.base]
	if n+1 < h.next {
		if end := *h.ref(n + 1); end.chunk == ref.chunk {
			return chunk[ref.offset:end.offset]
		}
	}
	return chunk[ref.offset:]
}

// pop removes and returns the newest line, whose number is reused. It is valid until the next push.
func (h *history) pop() []byte {
	packed := h.line(h.next - 1)
	h.next--
	last := len(h.chunks) - 1
	h.cut(last, len(h.chunks[last])-len(packed))
	if len(h.chunks[last]) == 0 {
		h.bytes -= cap(h.chunks[last])
		h.chunks = h.chunks[:last]
		h.shared = min(h.shared, h.base+uint32(last)) // its number is used again
	}
	return packed
}
