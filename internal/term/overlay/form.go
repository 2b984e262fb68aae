package overlay

import (
	"math"
	"slices"

	"ui-mcp/internal/fault"
)

// A Form has the settings of an element. Nil fields keep their value, or get the default in a new
// element.
type Form struct {
	X          *int       `json:"x,omitempty" jsonschema:"column of an overlay's upper left, from 0; left out when creating: 0"`
	Y          *int       `json:"y,omitempty" jsonschema:"row of an overlay's upper left, from 0; left out when creating: 0"`
	Z          *int       `json:"z,omitempty" jsonschema:"order of overlays, and of panels from the edge; left out when creating: above all others"`
	Width      *int       `json:"width,omitempty" jsonschema:"columns of an overlay; 0, or left out when creating: as its text needs"`
	Height     *int       `json:"height,omitempty" jsonschema:"rows; 0, or left out when creating: as its text needs, and 1 for panels"`
	Position   *Position  `json:"position,omitempty" jsonschema:"edge of a panel: top or bottom; left out when creating: bottom"`
	Background Background `json:"background,omitzero" jsonschema:"{\"bg\": color} fills the element; null takes the background away"`
	Spans      Spans      `json:"spans,omitzero" jsonschema:"text in one style each, which flow from the upper left; replace all spans there are"`
	Focusable  *bool      `json:"focusable,omitempty" jsonschema:"whether it can have the focus"`
}

func (f *Form) apply(e *Element) error {
	if e.Kind == Panel && (f.X != nil || f.Y != nil || f.Width != nil) {
		return fault.New(fault.Invalid, "a panel has no x, y or width: it is at the top or bottom, and as wide as the screen")
	}
	if e.Kind == Overlay && f.Position != nil {
		return fault.New(fault.Invalid, "an overlay has no position: give x and y")
	}
	if f.Z != nil {
		if *f.Z < math.MinInt32 || *f.Z > math.MaxInt32 {
			return fault.New(fault.Invalid, "z %d: give %d to %d", *f.Z, math.MinInt32, math.MaxInt32)
		}
		e.Z = *f.Z
	}
	set(&e.X, f.X)
	set(&e.Y, f.Y)
	set(&e.Width, f.Width)
	set(&e.Height, f.Height)
	set(&e.Position, f.Position)
	set(&e.Focusable, f.Focusable)
	if e.Kind == Overlay && f.Width != nil {
		e.FitWidth = *f.Width == 0
	}
	if e.Kind == Overlay && f.Height != nil {
		e.FitHeight = *f.Height == 0
	}
	if f.Background.Removed {
		e.Background = Background{}
	} else if f.Background.Filled {
		e.Background = f.Background
	}
	if f.Spans != nil {
		e.Spans = slices.Clone(f.Spans)
	}
	return nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}
