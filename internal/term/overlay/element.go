package overlay

import (
	"cmp"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
)

// A Kind is the kind of an element.
type Kind string

const (
	Overlay Kind = "overlay" // floats above the screen
	Panel   Kind = "panel"   // takes rows at an edge of the screen
)

// A Position is the edge at which a panel is.
type Position string

const (
	Top    Position = "top"
	Bottom Position = "bottom"
)

// A ScreenMode names one of a terminal's two screens.
type ScreenMode string

const (
	Primary   ScreenMode = "normal"
	Alternate ScreenMode = "alt"
)

// An Element is an overlay or a panel. Returned ones are copies whose lists must not be modified.
type Element struct {
	ID   string
	Kind Kind
	// X and Y are the column and row of an overlay's upper left corner on the screen, from 0. Parts
	// outside the screen are cut off.
	X, Y int
	// Z orders elements. An overlay covers those with a lower Z. A panel with a higher Z is nearer
	// to the edge, and takes precedence when there is not enough room for all. If Z is the same,
	// the newer overlay is on top, and the older panel comes first.
	Z int
	// Width is the width of an overlay in columns; panels are as wide as the screen.
	Width, Height int
	// FitWidth and FitHeight mean that an overlay's size follows its text.
	FitWidth, FitHeight bool
	Position            Position // of a panel
	// Background fills the element. An overlay without it is transparent where it has no text.
	Background *Background
	Spans      Spans
	Writes     Writes
	Focusable  bool
	Mode       ScreenMode // the screen to which it belongs
	// Visible means that a panel has room on the screen. It is always true for overlays.
	Visible bool
	// Clipped means that a part of the spans' text has no room in the element or on the screen.
	Clipped bool

	order  uint64 // of creation
	fitted bool   // the size is up to date: see fit
}

// elementJSON is an element as JSON. What a kind of elements does not have is left out.
type elementJSON struct {
	ID         string      `json:"id"`
	X          *int        `json:"x,omitempty"`
	Y          *int        `json:"y,omitempty"`
	Position   Position    `json:"position,omitempty"`
	Width      *int        `json:"width,omitempty"`
	Height     int         `json:"height"`
	Z          int         `json:"z"`
	Visible    *bool       `json:"visible,omitempty"`
	Background *Background `json:"background,omitempty"`
	Spans      Spans       `json:"spans"`
	Writes     Writes      `json:"region_writes,omitempty"`
	Focusable  bool        `json:"focusable,omitempty"`
	Mode       ScreenMode  `json:"screen_mode,omitempty"` // omitted for the primary screen
	Clipped    bool        `json:"clipped,omitempty"`
}

// MarshalJSON writes the fields of the element's kind.
func (e Element) MarshalJSON() ([]byte, error) {
	f := elementJSON{
		ID: e.ID, Height: e.Height, Z: e.Z, Background: e.Background, Spans: e.Spans, Writes: e.Writes,
		Focusable: e.Focusable, Mode: e.Mode, Clipped: e.Clipped,
	}
	if f.Spans == nil {
		f.Spans = Spans{}
	}
	if f.Mode == Primary {
		f.Mode = ""
	}
	if e.Kind == Panel {
		f.Position, f.Visible = e.Position, &e.Visible
	} else {
		f.X, f.Y, f.Width = &e.X, &e.Y, &e.Width
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON writes. Only panels have a position.
func (e *Element) UnmarshalJSON(data []byte) error {
	var f elementJSON
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*e = Element{
		ID: f.ID, Kind: Panel, Position: f.Position, Height: f.Height, Z: f.Z, Background: f.Background, Spans: f.Spans, Writes: f.Writes,
		Focusable: f.Focusable, Mode: cmp.Or(f.Mode, Primary), Clipped: f.Clipped,
	}
	if f.Position == "" {
		e.Kind, e.Visible = Overlay, true
	}
	set(&e.X, f.X)
	set(&e.Y, f.Y)
	set(&e.Width, f.Width)
	set(&e.Visible, f.Visible)
	return nil
}

func (e *Element) textSize() int {
	n := 0
	for _, s := range e.Spans {
		n += len(s.Text) + len(s.ID)
	}
	for _, w := range e.Writes {
		n += len(w.Text)
	}
	return n
}

// fit sets the size of an overlay if it follows its text.
func (e *Element) fit() {
	e.fitted = true
	if !e.FitWidth && !e.FitHeight {
		return
	}
	cols, rows := cells.Measure(e.Spans.pieces())
	for _, w := range e.Writes {
		c, r := cells.Measure(w.pieces())
		cols, rows = max(cols, w.Col+c), max(rows, w.Row+r)
	}
	if e.FitWidth {
		e.Width = min(max(cols, 1), MaxExtent)
	}
	if e.FitHeight {
		e.Height = min(max(rows, 1), MaxExtent)
	}
}

// checkSpans refuses too many spans and too long ones.
func (e *Element) checkSpans() error {
	if len(e.Spans) > MaxSpans {
		return tooLong("%d spans: give at most %d", len(e.Spans), MaxSpans)
	}
	for i, s := range e.Spans {
		if len(s.Text) > MaxText {
			return tooLong("spans[%d]: text of %d bytes: give at most %d", i, len(s.Text), MaxText)
		}
		if len(s.ID) > MaxID {
			return tooLong("spans[%d]: id of %d bytes: give at most %d", i, len(s.ID), MaxID)
		}
	}
	return nil
}

// check refuses an impossible position or size. Sizes that follow the text are always possible.
func (e *Element) check() error {
	if !e.FitHeight && (e.Height < 1 || e.Height > MaxExtent) {
		return fault.New(fault.Invalid, "height %d: give 1 to %d rows", e.Height, MaxExtent)
	}
	if e.Kind == Panel {
		if e.Position != Top && e.Position != Bottom {
			return fault.New(fault.Invalid, `position %.40q: give "top" or "bottom"`, string(e.Position))
		}
	} else {
		if !e.FitWidth && (e.Width < 1 || e.Width > MaxExtent) {
			return fault.New(fault.Invalid, "width %d: give 1 to %d columns", e.Width, MaxExtent)
		}
		if max(e.X, -e.X, e.Y, -e.Y) > MaxOffset {
			return fault.New(fault.Invalid, "x %d, y %d: give at most %d of each, to either side", e.X, e.Y, MaxOffset)
		}
	}
	return nil
}

// checkWrites refuses too many writes, too long ones, and impossible positions. Text outside the
// element is cut off, since the element may grow.
func (e *Element) checkWrites() error {
	if len(e.Writes) > MaxWrites {
		return tooLong("%d region writes: give at most %d", len(e.Writes), MaxWrites)
	}
	for i, w := range e.Writes {
		if len(w.Text) > MaxText {
			return tooLong("writes[%d]: text of %d bytes: give at most %d", i, len(w.Text), MaxText)
		}
		if min(w.Row, w.Col) < 0 || max(w.Row, w.Col) >= MaxExtent {
			return fault.New(fault.Invalid, "writes[%d]: row %d, column %d: give 0 to %d of each", i, w.Row, w.Col, MaxExtent-1)
		}
	}
	return nil
}

func tooLong(format string, args ...any) error {
	return fault.With(TooLong, fault.New(fault.Invalid, format, args...))
}
