package overlay

import (
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

// IsZero reports whether JSON leaves the screen out.
func (m ScreenMode) IsZero() bool { return m == Primary }

// An Element is an overlay or a panel. Returned ones are copies whose lists must not be modified.
// Its JSON has what its kind has.
type Element struct {
	ID   string `json:"id"`
	Kind Kind   `json:"-"`
	// X and Y are the column and row of an overlay's upper left corner on the screen, from 0. Parts
	// outside the screen are cut off.
	X int `json:"-"`
	Y int `json:"-"`
	// Z orders elements. An overlay covers those with a lower Z. A panel with a higher Z is nearer
	// to the edge, and takes precedence when there is not enough room for all. If Z is the same,
	// the newer overlay is on top, and the older panel comes first.
	Z int `json:"z"`
	// Width is the width of an overlay in columns; panels are as wide as the screen.
	Width  int `json:"-"`
	Height int `json:"height"`
	// FitWidth and FitHeight mean that an overlay's size follows its text.
	FitWidth  bool     `json:"-"`
	FitHeight bool     `json:"-"`
	Position  Position `json:"position,omitempty"` // of a panel
	// Background fills the element. An overlay without it is transparent where it has no text.
	Background Background `json:"background,omitzero"`
	Spans      Spans      `json:"spans"`
	Writes     Writes     `json:"region_writes,omitempty"`
	Focusable  bool       `json:"focusable,omitempty"`
	Mode       ScreenMode `json:"screen_mode,omitzero"` // the screen to which it belongs
	// Visible means that a panel has room on the screen. It is always true for overlays.
	Visible bool `json:"-"`
	// Clipped means that a part of the spans' text has no room in the element or on the screen.
	Clipped bool `json:"clipped,omitempty"`

	order  uint64   // of creation
	fitted bool     // the size is up to date: see fit
	drawn  *drawing // in the last view, or nil
}

type fields Element

// written is an element as JSON. What its kind does not have is nil.
type written struct {
	*fields
	X       *int  `json:"x,omitempty"`
	Y       *int  `json:"y,omitempty"`
	Width   *int  `json:"width,omitempty"`
	Visible *bool `json:"visible,omitempty"`
}

// MarshalJSON writes the fields of the element's kind.
func (e Element) MarshalJSON() ([]byte, error) {
	w := written{fields: (*fields)(&e)}
	if e.Kind == Panel {
		w.Visible = &e.Visible
	} else {
		w.X, w.Y, w.Width = &e.X, &e.Y, &e.Width
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads what MarshalJSON writes. Only panels have a position.
func (e *Element) UnmarshalJSON(data []byte) error {
	*e = Element{Visible: true, Mode: Primary}
	if err := json.Unmarshal(data, &written{(*fields)(e), &e.X, &e.Y, &e.Width, &e.Visible}); err != nil {
		return err
	}
	if e.Kind = Panel; e.Position == "" {
		e.Kind = Overlay
	}
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
