package render

import (
	"bytes"

	"ui-mcp/internal/term/cells"
)

// Cover appends the bytes that hide what another Display has drawn on the primary screen behind the
// alternate one. The modes stay as they are. Frames that d draws then appear there. The zero
// Display can cover.
func (d *Display) Cover(b []byte, cols, rows int) []byte {
	d.frame = &Frame{Cols: cols, Rows: rows, Lines: make([]cells.Row, rows)}
	return append(append(b, enterAlternate...), hideCursor...)
}

// Uncover appends the bytes that undo Cover, unless the terminal was resized since. visible says
// whether the cursor was: see [CursorVisible].
func (d *Display) Uncover(b []byte, visible bool) []byte {
	d.frame = nil
	b = append(b, leaveAlternate...)
	if visible {
		return append(b, showCursor...)
	}
	return append(b, hideCursor...)
}

const (
	showCursor = "\x1b[?25h"
	hideCursor = "\x1b[?25l"
)

// CursorVisible reports whether the cursor of a terminal that has drawn the output of a Display is
// visible, given whether it was before.
func CursorVisible(output []byte, before bool) bool {
	const length = len(showCursor) - 1
	i := bytes.LastIndex(output, []byte(showCursor[:length]))
	if i < 0 || i+length == len(output) {
		return before
	}
	return output[i+length] == showCursor[length]
}
