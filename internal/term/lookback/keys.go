package lookback

import (
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
)

// maxCount is the highest number that can be typed before a command.
const maxCount = 100_000_000

// commands are the effects of keys, by [keys.Key.Name]. n is the number typed before, or 1.
var commands = map[string]func(m *Model, n int){
	"q": (*Model).leave, "C-c": (*Model).leave, "Escape": (*Model).escape,
	"h": (*Model).openHelp, "F1": (*Model).openHelp,

	"j": (*Model).move, "C-e": (*Model).move, "C-n": (*Model).move,
	"k": back((*Model).move), "C-y": back((*Model).move), "C-p": back((*Model).move),
	"d": (*Model).half, "C-d": (*Model).half, "u": back((*Model).half), "C-u": back((*Model).half),
	"f": (*Model).page, "C-f": (*Model).page, " ": (*Model).page, "PageDown": (*Model).page, "S-PageDown": (*Model).page,
	"b": back((*Model).page), "C-b": back((*Model).page), "PageUp": back((*Model).page), "S-PageUp": back((*Model).page),
	"g": (*Model).toLine, "Home": (*Model).toLine, "G": (*Model).toNewest, "End": (*Model).toNewest,
	"ArrowDown": (*Model).vertical, "ArrowUp": back((*Model).vertical), "ArrowRight": (*Model).sideways, "ArrowLeft": back((*Model).sideways),
	"0": column(false), "^": column(false), "$": column(true),
	"H": toHalf(0), "M": toHalf(1), "L": toHalf(2),

	"]": prompts(false), "[": back(prompts(false)), "}": prompts(true), "{": back(prompts(true)),

	"/": openPrompt(false), "?": openPrompt(true), "n": again(false), "N": again(true),

	"v": selects(characters), "V": selects(wholeLines), "o": (*Model).otherEnd,
	"y": (*Model).copySelection, "Enter": (*Model).copyAndLeave, "c": (*Model).copyOutput,
}

// back does in the opposite direction what f does.
func back(f func(*Model, int)) func(*Model, int) { return func(m *Model, n int) { f(m, -n) } }

// Key handles a pressed key.
func (m *Model) Key(k keys.Key) Outcome {
	m.out = Outcome{}
	if k.Event == "release" {
		return m.out
	}
	m.refresh()
	m.changed()
	m.message = ""
	switch key := k.Name(); {
	case m.prompt != nil:
		m.edit(key)
	case m.help != nil:
		m.readHelp(key)
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9' && (key != "0" || m.count > 0):
		m.count = min(m.count*10+int(key[0]-'0'), maxCount)
	default:
		if do, ok := commands[key]; ok {
			do(m, max(m.count, 1))
		} else {
			m.message = "no such key: h lists the keys"
		}
		m.count = 0
	}
	return m.out
}

// Paste types text into a search.
func (m *Model) Paste(text string) {
	if m.prompt != nil {
		m.refresh()
		m.changed()
		m.message = ""
		m.insert(text)
	}
}

func (m *Model) leave(int) { m.out.Leave = true }

// escape clears the typed number, the selection or the match, or else leaves.
func (m *Model) escape(int) {
	switch {
	case m.count > 0:
	case m.selecting != nothing:
		m.selecting = nothing
	case m.found != nil:
		m.found, m.search.pattern = nil, nil
	default:
		m.out.Leave = true
	}
}

// move scrolls by n lines; while text is selected, the cursor moves instead.
func (m *Model) move(n int) {
	if m.selecting != nothing {
		m.vertical(n)
	} else {
		m.scroll(n)
	}
}

func (m *Model) half(n int) { m.scroll(n * max(m.height()/2, 1)) }

// page scrolls by pages, each of which repeats a line of the one before.
func (m *Model) page(n int) { m.scroll(n * max(m.height()-1, 1)) }

// scroll moves the view and the cursor by n lines. At an end of the text only the cursor moves.
func (m *Model) scroll(n int) {
	if n > 0 && m.leaves && m.selecting == nothing && m.top.Line >= m.lowest() {
		m.out.Leave = true
		return
	}
	m.scrollTo(after(m.top.Line, n))
	m.vertical(n)
}

// after returns the number n lines after another, at least 0.
func after(line uint64, n int) uint64 {
	if n < 0 {
		return line - min(line, uint64(-n))
	}
	return line + uint64(n)
}

// vertical moves the cursor by n lines.
func (m *Model) vertical(n int) {
	m.cursor.Line = after(m.cursor.Line, n)
	m.reveal()
}

// sideways moves the cursor by n characters in its line.
func (m *Model) sideways(n int) {
	line := m.doc.line(m.cursor.Line)
	for range min(max(n, -n), vt.MaxSize) {
		start, width := cellOf(line, m.cursor.Col)
		if n > 0 {
			m.cursor.Col = min(start+width, max(line.Columns()-1, 0))
		} else if m.cursor.Col = 0; start > 0 {
			m.cursor.Col, _ = cellOf(line, start-1)
		}
	}
	m.reveal()
}

// cellOf returns the first column and the width of the character at a column of a line.
func cellOf(l vt.Line, col int) (start, width int) {
	for c := range l.Cells() {
		if col < c.Col+c.Width {
			return c.Col, c.Width
		}
	}
	return col, 1
}

// column moves the cursor to an end of its line.
func column(end bool) func(*Model, int) {
	return func(m *Model, _ int) {
		m.cursor.Col = 0
		if line := m.doc.line(m.cursor.Line); end {
			m.cursor.Col, _ = cellOf(line, max(line.Columns()-1, 0))
		}
		m.reveal()
	}
}

// toHalf moves the cursor by halves of the view: 0 is its top, 1 its middle, and 2 its end.
func toHalf(halves int) func(*Model, int) {
	return func(m *Model, _ int) {
		last := int(min(m.doc.end()-m.top.Line, uint64(m.height()))) - 1
		m.cursor = vt.Position{Line: after(m.top.Line, last*halves/2)}
		m.reveal()
	}
}

// toLine goes to the oldest line, or to the one whose number was typed, counted from the oldest.
func (m *Model) toLine(n int) { m.show(vt.Position{Line: after(m.doc.first, n-1)}) }

// toNewest adds what was written meanwhile, and goes to the end or to the line of a typed number.
func (m *Model) toNewest(n int) {
	if m.count > 0 {
		m.toLine(n)
		return
	}
	m.doc = kept(m.doc.source)
	column := m.cursor.Col
	m.toEnd()
	m.cursor.Col = column
	m.reveal()
}

// Mouse handles an action of the mouse.
func (m *Model) Mouse(r keys.MouseReport) Outcome {
	m.out = Outcome{}
	m.refresh()
	const wheelLines = 3
	if m.prompt != nil || m.help != nil {
		return m.out
	}
	at := m.clamp(vt.Position{Line: after(m.top.Line, min(max(r.Row, 0), m.height()-1)), Col: m.left + min(max(r.Col, 0), m.cols-1)})
	m.changed()
	switch button := r.Button(); {
	case button == keys.WheelUp:
		m.scroll(-wheelLines)
	case button == keys.WheelDown:
		m.scroll(wheelLines)
	case button == keys.Left && r.Pressed():
		m.cursor, m.selecting, m.drag = at, nothing, true
	case m.drag && r.Dragged():
		if m.selecting == nothing {
			m.selecting, m.anchor = characters, m.cursor
		}
		m.cursor = at
	case m.drag && r.Released:
		m.drag = false
		if m.selecting != nothing {
			m.copySelection(1)
		}
	}
	return m.out
}
