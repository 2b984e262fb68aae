package picture

import (
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/render"
)

// A Theme is a set of colours for what the program has not coloured itself.
type Theme string

const (
	Dark  Theme = "dark" // also ""
	Light Theme = "light"
)

// Limits and defaults of [Options].
const (
	MinCell     = 6
	DefaultCell = 10
	MaxCell     = 40
	// maxPixels and maxSide bound the size of a PNG, and with it memory and time.
	maxPixels, maxSide = 16 << 20, 16 << 10
	// maxDocument bounds HTML and SVG, in bytes. Usual screens of 1000 by 1000 cells stay far below
	// it, but each cell can have colours of its own.
	maxDocument = 64 << 20
)

// Options say how a frame is drawn. The zero Options draw all of it, with the cursor.
type Options struct {
	Theme Theme
	// Cell is the width of a column in pixels; 0 means DefaultCell. Rows are about twice as high.
	Cell int
	// NoCursor leaves the cursor out.
	NoCursor bool
	// FirstRow and Rows select rows of the frame; 0 rows are all from the first on. Rows that the
	// frame does not have are left out, but one row is always drawn.
	FirstRow, Rows int
	// Fragment leaves out the page around the HTML, so that it can be put into another page.
	Fragment bool
}

// check returns the options with their defaults, or an error of kind Invalid.
func (o Options) check(f *render.Frame) (Options, error) {
	switch o.Theme {
	case "":
		o.Theme = Dark
	case Dark, Light:
	default:
		return o, fault.New(fault.Invalid, "there is no theme %q: it is dark or light", o.Theme)
	}
	switch {
	case o.Cell == 0:
		o.Cell = DefaultCell
	case o.Cell < MinCell || o.Cell > MaxCell:
		return o, fault.New(fault.Invalid, "a cell is %d to %d pixels wide, not %d", MinCell, MaxCell, o.Cell)
	}
	switch {
	case f.Rows == 0 || f.Cols == 0:
		return o, fault.New(fault.Invalid, "the screen is empty")
	case o.FirstRow < 0 || o.FirstRow >= f.Rows:
		return o, fault.New(fault.Invalid, "the screen has the rows 0 to %d, not %d", f.Rows-1, o.FirstRow)
	case o.Rows < 0:
		return o, fault.New(fault.Invalid, "%d rows cannot be drawn", o.Rows)
	}
	if most := f.Rows - o.FirstRow; o.Rows == 0 || o.Rows > most {
		o.Rows = most
	}
	return o, nil
}

// A geometry has the sizes of a picture in pixels.
type geometry struct {
	w, h     int // of a cell
	pad      int // around all cells
	stroke   int // of light lines
	baseline int // from the top of a cell
	xHeight  int // of small letters
	em       float64
}

// The proportions of the main font, in units of its em. A cell is a little lower than the font
// would have it, which is how terminals usually look.
const (
	emWidth   = 0.6
	emAscent  = 1.02
	emDescent = 0.3
	emXHeight = 0.55
)

func geometryOf(cell int) geometry {
	em := float64(cell) / emWidth
	g := geometry{w: cell, h: (21*cell + 5) / 10, pad: cell + cell/5, stroke: max(1, (cell+4)/8), xHeight: int(emXHeight*em + 0.5), em: em}
	g.baseline = int((float64(g.h)-(emAscent+emDescent)*em)/2 + emAscent*em + 0.5)
	return g
}
