package terminals

import (
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/render/picture"
)

// Drawing is the input of [DrawPicture].
type Drawing struct {
	Target
	Format   string        `json:"format" jsonschema:"html: the text can be selected; svg; png: an image for models that see, for which the host needs a browser"`
	Theme    picture.Theme `json:"theme,omitempty" jsonschema:"dark or light: the colours that the program has not set itself" default:"\"dark\""`
	Cell     int           `json:"cell,omitempty" jsonschema:"width of a column in pixels; rows are about twice as high" default:"10" min:"6" max:"40"`
	Cursor   *bool         `json:"cursor,omitempty" jsonschema:"whether to draw the cursor, where the program shows it" default:"true"`
	Elements *bool         `json:"elements,omitempty" jsonschema:"whether to draw panels and overlays; false: the program's screen alone" default:"true"`
	FirstRow int           `json:"first_row,omitempty" jsonschema:"first row to draw, counted from 0" default:"0" min:"0"`
	Rows     int           `json:"rows,omitempty" jsonschema:"rows to draw at most; 0: all from the first on" default:"0" min:"0"`
	Fragment bool          `json:"fragment,omitempty" jsonschema:"html: only the svg element, to put into another page" default:"false"`
}

// Image is the answer of [DrawPicture].
type Image struct {
	ContentType string `json:"content_type" jsonschema:"such as image/png"`
	Data        []byte `json:"data" jsonschema:"the file"`
}

// PictureType returns the type of the picture that an input asks for, or "". The
// server that draws it has no say in it.
func PictureType(in any) string {
	if in, ok := in.(*Drawing); ok {
		return imageTypes[in.Format]
	}
	return ""
}

// The formats of [DrawPicture] and their types.
var imageTypes = map[string]string{"html": "text/html; charset=utf-8", "svg": "image/svg+xml", "png": "image/png"}

// DrawPicture draws what a person sees.
var DrawPicture = onSessionOf(Operation{
	Name: "picture.draw", Aliases: also("draw_picture"), Kind: Query, Right: Read, Doc: "Draws what a person sees, for reports and for models that see: the program's screen with panels and overlays, as HTML, SVG or PNG. Also after the program has ended.",
	Fails: []Failure{invalid, {Kind: fault.Invalid, When: "the picture would be too large: choose fewer rows, or for PNG a smaller cell"}, {Kind: fault.Precondition, When: "a PNG is asked for, and the host has no browser to draw it"}},
}, func(ctx context.Context, l *Local, _ Grant, s *term.Session, in Drawing) (Image, error) {
	image := Image{ContentType: imageTypes[in.Format]}
	if image.ContentType == "" {
		return Image{}, fault.New(fault.Invalid, "there is no format %q: it is html, svg or png", in.Format)
	}
	frame, err := frameOf(ctx, s, in.Elements == nil || *in.Elements)
	if err != nil {
		return Image{}, err
	}
	o := picture.Options{
		Theme: in.Theme, Cell: in.Cell, NoCursor: in.Cursor != nil && !*in.Cursor,
		FirstRow: in.FirstRow, Rows: in.Rows, Fragment: in.Fragment,
	}
	// One at a time, since a large picture takes much memory.
	select {
	case l.drawing <- struct{}{}:
		defer func() { <-l.drawing }()
	case <-ctx.Done():
		return Image{}, context.Cause(ctx)
	}
	switch in.Format {
	case "html":
		image.Data, err = picture.HTML(frame, o)
	case "svg":
		image.Data, err = picture.SVG(frame, o)
	default:
		image.Data, err = l.png(ctx, frame, o)
	}
	if err != nil {
		return Image{}, err
	}
	return image, nil
})

// png draws a frame as SVG, and has a browser take the picture of that.
func (l *Local) png(ctx context.Context, frame *render.Frame, o picture.Options) ([]byte, error) {
	width, height, err := picture.Size(frame, o)
	if err != nil {
		return nil, err
	}
	svg, err := picture.SVG(frame, o)
	if err != nil {
		return nil, err
	}
	if l.host.PNG == nil {
		return nil, fault.New(fault.Precondition, "no browser was found, which draws PNG: choose svg or html")
	}
	data, err := l.host.PNG(ctx, svg, width, height)
	return data, fault.Wrap(fault.KindOf(err), err, "draw a PNG (svg and html need no browser)")
}

// frameOf returns the picture of a session, or only of its program's screen.
func frameOf(ctx context.Context, s *term.Session, elements bool) (*render.Frame, error) {
	if elements {
		return s.Picture(ctx)
	}
	screen, err := s.Screen(ctx)
	if err != nil {
		return nil, err
	}
	return render.OfScreen(screen), nil
}
