package overlay

import "ui-mcp/internal/term/vt"

// The limits of what one session shows. What is beyond them is refused: as
// Invalid where a single element is wrong, and as Exhausted where there is too
// much altogether.
const (
	MaxOverlays = 256
	MaxPanels   = 256
	MaxSpans    = 4096      // of one element
	MaxWrites   = 4096      // region writes of one element
	MaxText     = 64 << 10  // bytes of one span or region write
	MaxTextAll  = 4 << 20   // bytes of all elements of a session
	MaxID       = 128       // bytes of the id of a span
	MaxBatch    = 1024      // operations applied at once
	MaxPlace    = 1<<16 - 1 // columns and rows that an overlay may be away from the corner
	MaxExtent   = 1<<16 - 1 // columns and rows of an element
	MaxScreen   = vt.MaxSize
)
