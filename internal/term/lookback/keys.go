package lookback

import (
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

// maxCount is the highest number that can be typed before a command.
const maxCount = 100_000_000

// commands are the effects of keys, by [overlay.Key.Name]. n is the number typed before, or 1.
var commands = map[string]func(m *Model, n int) Outcome{
	"q": leave, "C-c": leave, "Escape": (*Model).escape,
	"h": openHelp, "F1": openHelp,

	"j": scroll(1), "C-e": scroll(1), "C-n": scroll(1), "k": scroll(-1), "C-y": scroll(-1), "C-p": scroll(-1),
	"d": half(1), "C-d": half(1), "u": half(-1), "C-u": half(-1),
	"f": pages(1), "C-f": pages(1), " ": pages(1), "PageDown": pages(1), "S-PageDown": pages(1),
	"b": pages(-1), "C-b": pages(-1), "PageUp": pages(-1), "S-PageUp": pages(-1),
	"g": (*Model).toLine, "Home": (*Model).toLine, "G": (*Model).toNewest, "End": (*Model).toNewest,
	"ArrowDown": vertical(1), "ArrowUp": vertical(-1), "ArrowRight": sideways(1), "ArrowLeft": sideways(-1),
	"0": column(false), "^": column(false), "$": column(true),
	"H": toHalf(0), "M": toHalf(1), "L": toHalf(2),

	"]": prompts(1, false), "[": prompts(-1, false), "}": prompts(1, true), "{": prompts(-1, true),

	"/": openPrompt(false), "?": openPrompt(true), "n": again(false), "N": again(true),

	"v": selects(characters), "V": selects(wholeLines), "o": (*Model).otherEnd,
	"y": (*Model).copySelection, "Enter": (*Model).copyAndLeave, "c": (*Model).copyOutput,
}

// Key handles a pressed key.
func (m *Model) Key(k overlay.Key) Outcome {
	if k.Event == "release" {
		return Outcome{}
	}
	m.refresh()
	m.changed()
	m.message = ""
	key := k.Name()
	if m.prompt != nil {
		return m.edit(key)
	}
	switch {
	case m.help != nil:
		return m.readHelp(key)
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9' && (key != "0" || m.count > 0):
		m.count = min(m.count*10+int(key[0]-'0'), maxCount)
		return Outcome{}
	}
	n := m.count
	do, ok := commands[key]
	if !ok {
		m.count = 0
		m.message = "no such key: h lists the keys"
		return Outcome{}
	}
	out := do(m, max(n, 1))
	m.count = 0
	return out
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

func leave(*Model, int) Outcome { return Outcome{Leave: true} }

// escape clears the typed number, the selection or the match, or else leaves.
func (m *Model) escape(int) Outcome {
	switch {
	case m.count > 0:
	case m.selecting != nothing:
		m.selecting = nothing
	case m.found != nil:
		m.found, m.search.pattern = nil, nil
	default:
		return Outcome{Leave: true}
	}
	return Outcome{}
}

// scroll scrolls by n lines in a direction; while text is selected, the cursor moves instead.
func scroll(direction int) func(*Model, int) Outcome {
	return func(m *Model, n int) Outcome {
		if m.selecting != nothing {
			m.vertical(direction * n)
			return Outcome{}
		}
		return m.scroll(direction * n)
	}
}

func half(direction int) func(*Model, int) Outcome {
	return func(m *Model, n int) Outcome { return m.scroll(direction * n * max(m.height()/2, 1)) }
}

// pages scrolls by pages, each of which repeats a line of the one before.
func pages(direction int) func(*Model, int) Outcome {
	return func(m *Model, n int) Outcome { return m.scroll(direction * n * max(m.height()-1, 1)) }
}

// scroll moves the view and the cursor by n lines. At an end of the text only the cursor moves.
func (m *Model) scroll(n int) Outcome {
	if n > 0 && m.leaves && m.selecting == nothing && m.top.Line >= m.lowest() {
		return Outcome{Leave: true}
	}
	m.scrollTo(after(m.top.Line, n))
	m.vertical(n)
	return Outcome{}
}

// after returns the number n lines after another, at least 0.
func after(line uint64, n int) uint64 {
	if n < 0 {
		return line - min(line, uint64(-n))
	}
	return line + uint64(n)
}

func vertical(direction int) func(*Model, int) Outcome {
	return func(m *Model, n int) Outcome {
		m.vertical(direction * n)
		return Outcome{}
	}
}

// vertical moves the cursor by n lines.
func (m *Model) vertical(n int) {
	m.cursor.Line = after(m.cursor.Line, n)
	m.reveal()
}

// sideways moves the cursor by n characters in its line.
func sideways(direction int) func(*Model, int) Outcome {
	return func(m *Model, n int) Outcome {
		line := m.doc.line(m.cursor.Line)
		for range min(n, vt.MaxSize) {
			start, width := cellOf(line, m.cursor.Col)
			if direction > 0 {
				m.cursor.Col = min(start+width, max(line.Columns()-1, 0))
			} else if m.cursor.Col = 0; start > 0 {
				m.cursor.Col, _ = cellOf(line, start-1)
			}
		}
		m.reveal()
		return Outcome{}
	}
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
func column(end bool) func(*Model, int) Outcome {
	return func(m *Model, _ int) Outcome {
		m.cursor.Col = 0
		if line := m.doc.line(m.cursor.Line); end {
			m.cursor.Col, _ = cellOf(line, max(line.Columns()-1, 0))
		}
		m.reveal()
		return Outcome{}
	}
}

// toHalf moves the cursor by halves of the view: 0 is its top, 1 its middle, and 2 its end.
func toHalf(halves int) func(*Model, int) Outcome {
	return func(m *Model, _ int) Outcome {
		last := int(min(m.doc.end()-m.top.Line, uint64(m.height()))) - 1
		m.cursor = vt.Position{Line: after(m.top.Line, last*halves/2)}
		m.reveal()
		return Outcome{}
	}
}

// toLine goes to the oldest line, or to the one whose number was typed, counted from the oldest.
func (m *Model) toLine(n int) Outcome {
	m.show(vt.Position{Line: after(m.doc.first, n-1)})
	return Outcome{}
}

// toNewest adds what was written meanwhile, and goes to the end or to the line of a typed number.
func (m *Model) toNewest(n int) Outcome {
	if m.count > 0 {
		return m.toLine(n)
	}
	m.doc = kept(m.doc.source)
	column := m.cursor.Col
	m.toEnd()
	m.cursor.Col = column
	m.reveal()
	return Outcome{}
}

// Mouse handles an action of the mouse.
func (m *Model) Mouse(r keys.MouseReport) Outcome {
	m.refresh()
	const wheelLines = 3
	if m.prompt != nil || m.help != nil {
		return Outcome{}
	}
	at := m.clamp(vt.Position{Line: after(m.top.Line, min(max(r.Row, 0), m.height()-1)), Col: m.left + min(max(r.Col, 0), m.cols-1)})
	m.changed()
	switch button := r.Button(); {
	case button == keys.WheelUp:
		return m.scroll(-wheelLines)
	case button == keys.WheelDown:
		return m.scroll(wheelLines)
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
			return m.copySelection(1)
		}
	}
	return Outcome{}
}
