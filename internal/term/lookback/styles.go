package lookback

import "ui-mcp/internal/term/vt"

// The styles of what is marked. These entries of the palette are the same on dark and light
// terminals.
var (
	matchStyle     = vt.Style{FG: vt.Indexed(16), BG: vt.Indexed(220)}
	currentStyle   = vt.Style{FG: vt.Indexed(16), BG: vt.Indexed(208), Attr: vt.Bold} // the match at the cursor
	selectionStyle = vt.Style{FG: vt.Indexed(16), BG: vt.Indexed(117)}
)
