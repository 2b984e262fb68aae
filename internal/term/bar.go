package term

import (
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/wake"
)

// A Bar is what a viewer's bar displays beside the session's name: see [ViewerOptions]. All of it
// must be printable.
type Bar struct {
	Calls []string // what needs the person, such as "build failed", the most urgent first
	Clock string   // the time
}

// SetBar sets what the bar displays from now on. It does not wait.
func (v *Viewer) SetBar(b Bar) {
	v.session.exec.Post(func() {
		t := &v.terminal
		if t.bar.Clock == b.Clock && slices.Equal(t.bar.Calls, b.Calls) {
			return
		}
		t.bar = b
		wake.Up(v.changed)
	})
}

// A rowBelow makes a row of wsh below the session's picture, in the style of such rows, or in the
// loud one for what the person should notice.
type rowBelow func(cols int, style, loud sgr.Style) cells.Row

// loud returns the style of what the person should notice in a row of wsh.
func (v *Viewer) loud() sgr.Style {
	if v.dialogs.Plain {
		return sgr.Style{Attr: sgr.Bold}
	}
	return sgr.Style{FG: sgr.Indexed(16), BG: sgr.Indexed(220)}
}

// maxCalls is how many calls a bar names.
const maxCalls = 3

// row returns the bar, with a greeting until the first key. Where it is too narrow for all, the
// time goes first, then what calls is only counted, and at last the name is cut.
func (b Bar) row(name, greeting string) rowBelow {
	name = " " + name
	if greeting != "" {
		name += "  " + greeting
	}
	return func(cols int, style, loud sgr.Style) cells.Row {
		left := []cells.Piece{{Text: name, Style: style}}
		var named, counted []cells.Piece
		if n := len(b.Calls); n > 0 {
			text := strings.Join(b.Calls[:min(n, maxCalls)], ", ")
			if n > maxCalls {
				text += fmt.Sprintf(" and %d more", n-maxCalls)
			}
			named = []cells.Piece{{Text: " " + text + " ", Style: loud}}
			counted = []cells.Piece{{Text: fmt.Sprintf(" %d! ", n), Style: loud}}
		}
		clock := cells.Piece{Text: " " + b.Clock + " ", Style: style}
		used, _ := cells.Measure(left)
		for _, right := range [][]cells.Piece{append(slices.Clip(named), clock), named, append(slices.Clip(counted), clock)} {
			if width, _ := cells.Measure(right); used+1+width <= cols {
				return cells.Bar(cols, style, left, right)
			}
		}
		return cells.Bar(cols, style, left, counted)
	}
}
