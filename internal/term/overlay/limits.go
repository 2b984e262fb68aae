package overlay

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// Details of errors.
const (
	UnknownOverlay  fault.Detail = "overlay_not_found"
	UnknownPanel    fault.Detail = "panel_not_found"
	TooLong         fault.Detail = "invalid_overlay" // of panels, too: more text, spans or writes than one element may have
	NotFocusable    fault.Detail = "not_focusable"
	AlternateActive fault.Detail = "already_in_alt_screen"
	AlternateClosed fault.Detail = "not_in_alt_screen" // or it is the program's
)

// The limits of a session's elements. Exceeding a limit of a single element is an error of kind
// Invalid, and exceeding a limit of the session is one of kind Exhausted.
const (
	MaxOverlays = 256
	MaxPanels   = 256
	MaxSpans    = 4096      // of one element
	MaxWrites   = 4096      // region writes of one element
	MaxText     = 64 << 10  // bytes of one span or region write
	MaxTextAll  = 4 << 20   // text of all elements of a session, in bytes
	MaxID       = 128       // bytes of the id of a span
	MaxBatch    = 1024      // operations applied at once
	MaxOffset   = 1<<16 - 1 // maximum distance of an overlay from the corner, in columns and rows
	MaxExtent   = 1<<16 - 1 // columns and rows of an element
	MaxScreen   = vt.MaxSize
)
