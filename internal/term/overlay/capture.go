package overlay

import (
	"bytes"
	"encoding/json"
	"time"
)

// An InputMode says who gets the person's keys.
type InputMode string

const (
	Passthrough InputMode = "passthrough" // the program does
	Captured    InputMode = "capture"     // only those who listen for events do
)

// DetachWindow is how soon after the first a second Ctrl+\ detaches the person.
const DetachWindow = 500 * time.Millisecond

// An InputEvent is something that the person typed: one key, one paste, or one
// report of the mouse.
type InputEvent struct {
	Mode   InputMode `json:"mode"` // when it was typed
	Raw    Bytes     `json:"raw"`
	Parsed *Key      `json:"parsed"`           // nil for what is no key
	Target string    `json:"target,omitempty"` // the element that has the focus
}

// Bytes are an array of numbers in JSON.
type Bytes []byte

// MarshalJSON writes [104,105].
func (b Bytes) MarshalJSON() ([]byte, error) {
	numbers := make([]int, len(b))
	for i, c := range b {
		numbers[i] = int(c)
	}
	return json.Marshal(numbers)
}

// Input says what becomes of something that the person typed.
type Input struct {
	Program []byte // to be written to the program
	Events  []InputEvent
	Toggled bool // the mode is not what it was: see [Model.InputMode]
	Detach  bool // the person wants to leave
}

// keyboard is the state of the person's input.
type keyboard struct {
	captured bool
	left     time.Time // when Ctrl+\ was last typed; zero: long ago
	paste    pasteEnd  // of a paste that goes on in what comes next
	pasting  bool
}

// InputMode returns who gets the person's keys.
func (m *Model) InputMode() InputMode {
	if m.keys.captured {
		return Captured
	}
	return Passthrough
}

// Capture keeps what the person types from the program.
func (m *Model) Capture() { m.setCaptured(true) }

// Release lets the program have what the person types, and takes the focus away
// from elements.
func (m *Model) Release() {
	m.setCaptured(false)
	m.Unfocus()
}

func (m *Model) setCaptured(on bool) {
	if m.keys.captured != on {
		m.keys.captured = on
		m.changed()
	}
}

// Input takes what the person typed, at the time now, and says what becomes of
// it. Ctrl+\ is the person's own: it goes to nobody, and changes between the two
// modes, so that no agent can keep the keyboard. Twice within [DetachWindow] it
// detaches, and leaves the keys to the program. All forms in which terminals
// report that key count; within pasted text it is text, unless it comes alone.
func (m *Model) Input(data []byte, now time.Time) Input {
	var in Input
	before := m.InputMode()
	alone := len(data) == 1
	for len(data) > 0 {
		var n int
		var key *Key
		if m.keys.pasting && !(alone && data[0] == wayOut) {
			n = m.keys.paste.find(data)
			m.keys.pasting = !m.keys.paste.done()
		} else {
			m.keys.pasting = false
			n, key = nextKey(data)
			if bytes.HasPrefix(data[:n], pasteStart) {
				m.keys.paste = pasteEnd{}
				n = len(pasteStart) + m.keys.paste.find(data[len(pasteStart):])
				m.keys.pasting = !m.keys.paste.done()
			}
		}
		raw := data[:n]
		data = data[n:]
		if key != nil && key.isWayOut() {
			if key.Event == "" {
				in.Detach = m.toggle(now) || in.Detach
			}
			continue
		}
		if !m.keys.captured {
			in.Program = append(in.Program, raw...)
		}
		in.Events = append(in.Events, InputEvent{Mode: m.InputMode(), Raw: bytes.Clone(raw), Parsed: key, Target: m.focus})
	}
	in.Toggled = m.InputMode() != before
	return in
}

// toggle is Ctrl+\. It reports whether the person wants to leave.
func (m *Model) toggle(now time.Time) (detach bool) {
	since := now.Sub(m.keys.left)
	if !m.keys.left.IsZero() && since >= 0 && since <= DetachWindow {
		m.keys.left = time.Time{}
		m.Release()
		return true
	}
	m.keys.left = now
	if m.keys.captured {
		m.Release()
	} else {
		m.Capture()
	}
	return false
}

var pasteStart = []byte("\x1b[200~")

// A pasteEnd looks for the end of a paste, which may be cut anywhere.
type pasteEnd struct{ matched int }

const pasteStop = "\x1b[201~"

func (p *pasteEnd) done() bool { return p.matched == len(pasteStop) }

// find returns how many bytes of data belong to the paste.
func (p *pasteEnd) find(data []byte) int {
	for i, c := range data {
		if c != pasteStop[p.matched] {
			p.matched = 0
		}
		if c == pasteStop[p.matched] {
			p.matched++
		}
		if p.done() {
			return i + 1
		}
	}
	return len(data)
}
