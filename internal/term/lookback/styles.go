package lookback

import (
	"ui-mcp/internal/term/sgr"
)

// The styles of what is marked. These entries of the palette are the same on dark and light
// terminals.
var (
	matchStyle     = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(220)}
	currentStyle   = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(208), Attr: sgr.Bold} // the match at the cursor
	selectionStyle = sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(117)}
)
