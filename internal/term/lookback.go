package term

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/typeahead"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/wake"
)

// A viewerLook is what a viewer's terminal has besides the session's picture.
type viewerLook struct {
	model     *lookback.Model // nil while the person does not look back
	searching bool            // the next step of a search is queued
	copied    []string        // for the clipboard, with the next picture
	notice    string          // what the last row says for a moment
	notices   int             // how many there have been
}

const noticeTime = 2 * time.Second

// LookBack makes the viewer's terminal display the history: see [lookback.Model]. Until the person
// leaves it, [Viewer.Type] scrolls, searches and copies, and the program, other viewers and
// watchers notice nothing. It then types keys there.
func (v *Viewer) LookBack(ctx context.Context, keys []byte) error {
	if err := typeahead.CheckSize(keys); err != nil {
		return err
	}
	keys = slices.Clone(keys)
	return v.session.doRunning(ctx, func(st *state) error {
		if !v.IsAttached() {
			return v.detachedError()
		}
		v.terminal.typedAt, v.terminal.greeting = time.Now(), ""
		v.lookBack(st)
		v.typeLooking(st, keys)
		return nil
	})
}

// lookBack starts to look back, unless the person does so already.
func (v *Viewer) lookBack(st *state) {
	l := &v.terminal.look
	if l.model == nil {
		cols, rows := v.size(st)
		l.model = lookback.New(st.term, cols, rows)
		wake.Up(v.changed)
	}
}

func (v *Viewer) size(st *state) (cols, rows int) {
	if t := &v.terminal; t.cols > 0 && !v.o.Follows {
		return t.cols, t.rows
	}
	return st.core.Cols, st.core.Rows
}

// endLook returns to the session's picture.
func (v *Viewer) endLook() {
	if l := &v.terminal.look; l.model != nil {
		l.model.Close()
		l.model = nil
		wake.Up(v.changed)
	}
}

// pageUp is Shift and PageUp as terminals send it that do not scroll themselves.
const pageUp = "\x1b[5;2~"

// startsLook reports whether input starts to look back. Full-screen programs, and those that ask
// for keys in another form, get that key.
func (v *Viewer) startsLook(st *state, b []byte) bool {
	return string(b) == pageUp && st.term.Input() == vt.Input{Modes: st.term.Modes() &^ (1 << vt.ModeAltScreen)}
}

// wheelLooks reports whether the wheel of the mouse begins to look back.
func (v *Viewer) wheelLooks(st *state) bool {
	modes := st.term.Modes()
	return v.o.Wheel && !v.o.Follows && !modes.Mouse() && !modes.Has(vt.ModeAltScreen) && st.model.Mode() == overlay.Primary && st.model.InputMode() == overlay.Passthrough
}

// turned returns input without the reports that the terminal sends for its wheel alone: see
// [ViewerOptions]. When the wheel turns up, the person looks back, and types the rest there.
func (v *Viewer) turned(st *state, b []byte) []byte {
	if !v.wheelLooks(st) || v.terminal.keyboard.Pasting() || bytes.Contains(b, []byte(keys.PasteStart)) {
		return b
	}
	var kept []byte
	for {
		start := max(bytes.Index(b, mouseStart), 0)
		end := start + bytes.IndexAny(b[start:], "Mm") + 1
		report, ok := keys.ParseMouse(b[start:end])
		if !ok {
			return append(kept, b...)
		}
		kept = append(kept, b[:start]...)
		if report.Button() == keys.WheelUp && !report.Released {
			v.lookBack(st)
			v.terminal.look.model.LeaveAtEnd()
			return append(kept, v.typeLooking(st, b[start:])...)
		}
		b = b[end:]
	}
}

// mouseStart begins a report of the mouse.
var mouseStart = []byte("\x1b[<")

// withMouse returns a picture for which the terminal reports its mouse.
func withMouse(f *render.Frame) *render.Frame {
	out := *f
	out.Input.Modes |= 1<<vt.ModeMouseNormal | 1<<vt.ModeMouseSGR
	return &out
}

// typeLooking gives what was typed to the look back, and returns what was typed after its end.
func (v *Viewer) typeLooking(st *state, b []byte) []byte {
	l, t := &v.terminal.look, &v.terminal
	for len(b) > 0 && l.model != nil {
		pasting := t.keyboard.Pasting()
		n, key := t.keyboard.Next(b)
		piece := b[:n]
		b = b[n:]
		var out lookback.Outcome
		switch report, mouse := keys.ParseMouse(piece); {
		case mouse && !pasting:
			out = l.model.Mouse(report)
		case key != nil:
			out = l.model.Key(*key)
		case pasting || bytes.HasPrefix(piece, []byte(keys.PasteStart)):
			l.model.Paste(strings.TrimSuffix(strings.TrimPrefix(string(piece), keys.PasteStart), keys.PasteEnd))
		}
		if out.Copy != "" {
			l.copied = append(l.copied, out.Copy)
			if out.Leave {
				v.notify("copied " + lookback.Amount(out.Copy))
			}
		}
		if out.Leave {
			v.endLook()
		}
	}
	v.searchOn()
	wake.Up(v.changed)
	return b
}

// searchOn queues the next step of a search, if one runs. Output is read between two steps.
func (v *Viewer) searchOn() {
	l := &v.terminal.look
	if l.searching || l.model == nil || !l.model.Searching() {
		return
	}
	l.searching = true
	v.session.exec.Post(func() {
		l.searching = false
		if l.model != nil {
			l.model.Step()
			wake.Up(v.changed)
			v.searchOn()
		}
	})
}

// notify displays a text in the last row for a moment.
func (v *Viewer) notify(text string) {
	l := &v.terminal.look
	l.notice = text
	l.notices++
	n := l.notices
	wake.Up(v.changed)
	v.session.after(noticeTime, func(*state) {
		if l.notices == n {
			l.notice = ""
			wake.Up(v.changed)
		}
	})
}

// withNotice returns a picture with a text in a row, in a style made bold.
func withNotice(f *render.Frame, row int, text string) *render.Frame {
	style := cells.Status
	style.Attr |= sgr.Bold
	out := *f
	out.Lines = slices.Clone(f.Lines)
	out.Lines[row] = cells.Bar(f.Cols, style, []cells.Piece{{Text: " " + text, Style: style}}, nil)
	out.Cursor.Visible = f.Cursor.Visible && f.Cursor.Row != row
	return &out
}
