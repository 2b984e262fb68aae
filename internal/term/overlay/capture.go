package overlay

import (
	"bytes"
	"encoding/json"
	"time"

	"ui-mcp/internal/term/keys"
)

// An InputMode is who gets the person's keys.
type InputMode string

const (
	Passthrough InputMode = "passthrough" // the program does
	Captured    InputMode = "capture"     // only the listeners for events do
)

// An InputEvent is a piece of the person's input: a key, a part of a paste, or a mouse report.
type InputEvent struct {
	Mode   InputMode `json:"mode" jsonschema:"passthrough or capture, when it was typed"`
	Raw    Bytes     `json:"raw" jsonschema:"its bytes"`
	Parsed *keys.Key `json:"parsed" jsonschema:"null if it is not a key"`
	Target string    `json:"target,omitempty" jsonschema:"id of the element that has the focus"`
	Secret bool      `json:"secret,omitempty" jsonschema:"it may be part of a secret that the program asks for: raw is empty and parsed null, except what was captured for a caller that may draw"`
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

// A Splitter splits a person's input into keys, parts of pastes, and reports of the terminal. The
// zero Splitter is ready for use.
type Splitter struct {
	paste   keys.Bracket
	arrived time.Time // when input last arrived
	alone   bool      // what arrived is one byte that was pressed
	toggled bool      // Ctrl+\ has ended capture and was not released, where the terminal says so
}

// ToggleKey is Ctrl+\ as terminals send it by default.
const ToggleKey = 0x1c

func isToggleKey(k *keys.Key) bool {
	return k.Key == `\` && len(k.Modifiers) == 1 && k.Modifiers[0] == "ctrl"
}

// pasteSilence is how long nothing must have arrived before one byte counts as pressed and not as
// the next part of a paste: terminals and networks cut pastes anywhere.
const pasteSilence = 500 * time.Millisecond

// Arrive says that n bytes of input arrive at the time now. It is called once for what arrives
// together, before Next splits that.
func (s *Splitter) Arrive(n int, now time.Time) {
	since := now.Sub(s.arrived)
	s.alone = n == 1 && (s.arrived.IsZero() || since < 0 || since >= pasteSilence)
	s.arrived = now
}

// Pasting reports whether the rest of a paste is missing.
func (s *Splitter) Pasting() bool { return s.paste.Open }

// Next returns the length of the first piece of data, which must not be empty, and the key, which
// is nil if it is not one. Ctrl+\ is a key even within a paste if it is all that has arrived, after
// a silence: so a person can end a paste whose end was lost.
func (s *Splitter) Next(data []byte) (n int, key *keys.Key) {
	if s.paste.Open && !(s.alone && data[0] == ToggleKey) {
		return s.paste.Find(data), nil
	}
	s.paste = keys.Bracket{}
	n, key = keys.Next(data)
	if bytes.HasPrefix(data[:n], []byte(keys.PasteStart)) {
		s.paste.Open = true
		n += s.paste.Find(data[n:])
	}
	return n, key
}

// InputMode returns who gets the person's keys.
func (m *Model) InputMode() InputMode {
	if m.captured {
		return Captured
	}
	return Passthrough
}

// Capture withholds the person's input from the program.
func (m *Model) Capture() { m.setCaptured(true) }

// Release gives the person's input to the program again, and removes the focus.
func (m *Model) Release() {
	m.setCaptured(false)
	m.Unfocus()
}

func (m *Model) setCaptured(on bool) {
	if m.captured != on {
		m.captured = on
		m.changed()
	}
}

// Input returns the events of data that a person typed, which k splits: k has been told that it
// arrives, see [Splitter.Arrive]. Ctrl+\ ends capture, so that no agent can keep the keyboard, and
// is a key like any other if there is none. It is recognized in every form in which terminals
// report it, together with its release; within a paste it is text, unless it arrives alone, after a
// silence.
func (m *Model) Input(k *Splitter, data []byte) (events []InputEvent) {
	for len(data) > 0 {
		n, key := k.Next(data)
		raw := data[:n]
		data = data[n:]
		if key != nil && isToggleKey(key) && (m.captured || k.toggled && key.Event != "") {
			if m.captured && key.Event == "" {
				m.Release()
				k.toggled = true
			}
			k.toggled = k.toggled && key.Event != "release"
			continue
		}
		events = append(events, InputEvent{Mode: m.InputMode(), Raw: bytes.Clone(raw), Parsed: key, Target: m.focus})
	}
	return events
}
