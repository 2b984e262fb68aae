package vt

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/term/sgr"
)

// xtermModules is the folder where tools/need installs xterm's engine, relative to this package.
const xtermModules = "../../../scratch/xterm"

// An xterm is xterm's headless engine in a process of its own, driven by
// testdata/xterm/screens.mjs.
type xterm struct {
	in  io.Writer
	out *bufio.Scanner
}

// newXterm starts the engine for a test, or skips the test if it is not installed.
func newXterm(t *testing.T) *xterm {
	t.Helper()
	if testing.Short() {
		t.Skip("compares with another program")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is not installed: tools/need xterm says how to compare with xterm")
	}
	if _, err := os.Stat(filepath.Join(xtermModules, "installed.json")); err != nil {
		t.Skip("xterm's engine is not installed: tools/need xterm installs it to compare with it")
	}
	script := filepath.Join("testdata", "xterm", "screens.mjs")
	if _, err := os.Stat(script); err != nil { // so that the go command caches results correctly
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, script, xtermModules)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if _, err := io.Copy(io.Discard, out); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("xterm's engine: %v", err)
		}
	})
	x := &xterm{in: in, out: bufio.NewScanner(out)}
	x.out.Buffer(nil, 64<<20)
	return x
}

// A play is a list of steps in a terminal of a given size.
type play struct {
	Cols       int    `json:"cols"`
	Rows       int    `json:"rows"`
	Scrollback int    `json:"scrollback"`
	Steps      []step `json:"steps"`
}

// A step is output, a change of size, or a look at the terminal.
type step struct {
	Write  []byte `json:"write,omitempty"`
	Resize []int  `json:"resize,omitempty"` // columns and rows
	Show   bool   `json:"show,omitempty"`
}

// A picture is the visible state of a terminal in a comparable form.
type picture struct {
	Lines     []string // of the history and the screen: see drawRuns
	Screen    int      // index of the screen's first line
	Cursor    string
	Alternate bool
	Modes     []string
	Title     string
	Wraps     []bool // which lines wrap
	Replies   string
	Text      string // the screen's text, without styles
}

// A drawnRun is consecutive cells of one width, style and link.
type drawnRun struct {
	Cells []string
	Wide  bool
	Style string
	Link  string
}

// drawRuns draws runs as text, with each change of width, style or link in angle quotes. It drops
// plain trailing blanks.
func drawRuns(runs []drawnRun) string {
	var b strings.Builder
	before := ""
	for _, r := range runs {
		mark := r.Style
		if r.Wide {
			mark += "W"
		}
		if r.Link != "" {
			mark += " " + r.Link
		}
		if mark != before {
			b.WriteString("‹" + mark + "›")
			before = mark
		}
		for _, c := range r.Cells {
			b.WriteString(c)
		}
	}
	return strings.TrimSuffix(b.String(), "‹›")
}

// pictures plays in xterm, and returns the picture at each look.
func (x *xterm) pictures(t *testing.T, p play) []picture {
	t.Helper()
	request, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.in.Write(append(request, '\n')); err != nil {
		t.Fatal(err)
	}
	if !x.out.Scan() {
		t.Fatalf("no answer from xterm's engine: %v", x.out.Err())
	}
	var screens []struct {
		Cols, Rows int
		Lines      []struct {
			Runs  []drawnRun
			Wraps bool
		}
		Screen, X, Y int
		Hidden       bool
		Alternate    bool
		Modes        []string
		Title        string
		Replies      string
	}
	if err := json.Unmarshal(x.out.Bytes(), &screens); err != nil {
		t.Fatalf("%v: %s", err, x.out.Bytes())
	}
	pictures := make([]picture, len(screens))
	for i, s := range screens {
		p := picture{
			Screen: s.Screen, Cursor: drawCursor(s.X, s.Y, s.Hidden), Alternate: s.Alternate,
			Modes: s.Modes, Title: s.Title, Replies: s.Replies,
		}
		for n, l := range s.Lines {
			if n >= s.Screen {
				for _, r := range l.Runs {
					p.Text += strings.Join(r.Cells, "")
				}
				p.Text = strings.TrimRight(p.Text, " ") + "\n"
			}
			p.Lines = append(p.Lines, drawRuns(l.Runs))
			p.Wraps = append(p.Wraps, l.Wraps)
		}
		slices.Sort(p.Modes)
		p.Modes = slices.Clip(p.Modes)
		pictures[i] = p
	}
	return pictures
}

func drawCursor(x, y int, hidden bool) string {
	s := fmt.Sprintf("row %d, column %d", y, x)
	if hidden {
		s += ", hidden"
	}
	return s
}

// pictures plays in a Terminal, and returns the picture at each look. It turns grapheme clustering
// off, because xterm's tables have none.
func pictures(t *testing.T, p play) []picture {
	t.Helper()
	var replies strings.Builder
	vt, err := New(Options{Cols: p.Cols, Rows: p.Rows, Scrollback: p.Scrollback, Effect: func(e Effect) {
		if r, ok := e.(Reply); ok {
			replies.Write(r.Data)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	write(vt, []byte("\x1b[?2027l"))
	var list []picture
	for _, s := range p.Steps {
		if s.Write != nil {
			write(vt, s.Write)
		}
		if s.Resize != nil {
			if err := vt.Resize(s.Resize[0], s.Resize[1]); err != nil {
				t.Fatal(err)
			}
		}
		if s.Show {
			pic := draw(vt)
			pic.Replies = replies.String()
			list = append(list, pic)
		}
	}
	return list
}

// xtermModes are the modes that xterm's engine exports, by its names.
var xtermModes = map[Mode]string{
	ModeAppCursor: "applicationCursorKeysMode", ModeAppKeypad: "applicationKeypadMode",
	ModeBracketedPaste: "bracketedPasteMode", ModeInsert: "insertMode", ModeOrigin: "originMode",
	ModeReverseWrap: "reverseWraparoundMode", ModeFocus: "sendFocusMode", ModeWrap: "wraparoundMode",
	ModeSynchronized: "synchronizedOutputMode",
	ModeMouseX10:     "mouseTrackingMode x10", ModeMouseNormal: "mouseTrackingMode vt200",
	ModeMouseButton: "mouseTrackingMode drag", ModeMouseAny: "mouseTrackingMode any",
}

// draw returns the picture of a terminal. Unlike a snapshot, it ignores synchronized updates.
func draw(vt *Terminal) picture {
	s := vt.live()
	x := s.Cursor.Col
	if s.Cursor.PendingWrap {
		x++
	}
	p := picture{
		Cursor: drawCursor(x, s.Cursor.Row, !s.Cursor.Visible), Alternate: s.AltScreen(), Title: s.Title,
	}
	for m, name := range xtermModes {
		if s.Modes.Has(m) {
			p.Modes = append(p.Modes, name)
		}
	}
	slices.Sort(p.Modes)
	lines := s.Lines
	if !s.AltScreen() {
		first, screen, _ := vt.Extent()
		p.Screen = int(screen - first)
		_, history := vt.Lines(first, p.Screen)
		lines = slices.Concat(history, lines)
	}
	for _, l := range s.Lines {
		p.Text += l.Plain() + "\n"
	}
	for _, l := range lines {
		p.Lines = append(p.Lines, drawLine(l))
		p.Wraps = append(p.Wraps, l.Wraps)
	}
	return p
}

// drawLine draws a line as drawRuns does.
func drawLine(l Line) string {
	var runs []drawnRun
	solid := 0
	for c := range l.Cells() {
		style := c.Style
		if style.Attr.Has(sgr.RapidBlink) { // xterm does not distinguish it from Blink
			style.Attr = style.Attr&^sgr.RapidBlink | sgr.Blink
		}
		if style.Attr.Underline() == sgr.UnderlineNone { // then xterm drops its colour
			style.UnderlineColor = 0
		}
		r := drawnRun{
			Cells: []string{c.Text}, Wide: c.Width == 2, Link: c.Link,
			Style: strings.TrimPrefix(strings.TrimPrefix(string(style.AppendSGR(nil)), "0"), ";"),
		}
		runs = append(runs, r)
		if c.Text != " " || r.Style != "" || r.Link != "" {
			solid = len(runs)
		}
	}
	return drawRuns(runs[:solid])
}
