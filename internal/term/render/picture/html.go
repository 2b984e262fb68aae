package picture

import (
	"fmt"

	"ui-mcp/internal/term/render"
)

// HTML draws a frame as a page with an SVG element: see [SVG]. A fragment is that element alone.
func HTML(f *render.Frame, o Options) ([]byte, error) {
	svg, err := SVG(f, o)
	if err != nil || o.Fragment {
		return svg, err
	}
	title := appendText(nil, f.Title)
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n</head>\n<body style=\"margin:0\">\n%s</body>\n</html>\n", title, svg), nil
}
