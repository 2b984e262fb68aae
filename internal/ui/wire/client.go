package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"ui-mcp/internal/safetext"
)

// An Event is something that the person did to a binding. Value is nil, a bool, a float64, a
// string, or a []any of those.
type Event struct {
	Instance int64
	Slot     int
	Value    any
}

// A Failure is an error of the page's own: of a script of a view, a code binding or anything else
// in it. All fields but Message may be empty.
type Failure struct {
	Message string `json:"message"`
	File    string `json:"file"`
	Line    int    `json:"line"` // counted from 1; 0 if unknown
	Source  string `json:"source"`
}

// A Range is the rows of a windowed list that a page asks for.
type Range struct {
	Instance int64 `json:"-"`
	Slot     int   `json:"-"`
	Start    int   `json:"start"` // index of the first row, from 0
	Count    int   `json:"count"`
	Keep     int64 `json:"keep"` // the instance of one further row to keep, or 0
}

// A ClientMessage is a message from a page: a failure, a request for rows or for a snapshot, the
// answer to an act, whether it is visible, or events.
type ClientMessage struct {
	Failure *Failure // excludes the other fields
	Range   *Range   // excludes the other fields
	Acted   *Acted   // excludes the other fields
	Visible *bool    // whether the person can see the page; excludes the other fields
	Resync  bool     // excludes the fields below
	Ref     int64
	Act     int64 // the act that has caused the events; 0: the person did
	Seen    int64 // the last batch that the page had applied; math.MaxInt64 if it does not say
	Events  []Event
}

// MaxText bounds each text of a [Failure], in bytes; longer ones are cut.
const MaxText = 4 << 10

// MaxEvents bounds the events in one message. A page sends few: those that occurred since its last
// message.
const MaxEvents = 10_000

// DecodeClient parses a message from a page.
func DecodeClient(msg []byte) (ClientMessage, error) {
	var raw struct { // the fields of all types, each of which has a name of its own
		Failure
		Range
		Acted
		Type   string            `json:"type"`
		At     []int64           `json:"at"`
		On     bool              `json:"on"`
		Ref    int64             `json:"ref"`
		Act    int64             `json:"act"`
		Seq    *int64            `json:"seq"`
		Events []json.RawMessage `json:"events"`
	}
	if err := decodeOne(msg, &raw); err != nil {
		return ClientMessage{}, err
	}
	switch raw.Type {
	case "resync":
		return ClientMessage{Resync: true}, nil
	case "error":
		if raw.Message == "" {
			return ClientMessage{}, errors.New("error without a message")
		}
		for _, text := range []*string{&raw.Message, &raw.File, &raw.Source} {
			*text = safetext.Clip(*text, MaxText)
		}
		raw.Line = max(raw.Line, 0)
		return ClientMessage{Failure: &raw.Failure}, nil
	case "acted":
		if raw.ID <= 0 {
			return ClientMessage{}, errors.New("acted without the id of an act")
		}
		raw.Refused, raw.Thrown = safetext.Clip(raw.Refused, MaxText), safetext.Clip(raw.Thrown, MaxText)
		return ClientMessage{Acted: &raw.Acted}, nil
	case "visible":
		return ClientMessage{Visible: &raw.On}, nil
	case "window":
		if len(raw.At) != 2 || raw.At[0] <= 0 || raw.At[1] < 0 || raw.Start < 0 || raw.Count < 0 {
			return ClientMessage{}, errors.New("a window is at [instance, slot], with a start and a count from 0 on")
		}
		raw.Instance, raw.Slot = raw.At[0], int(raw.At[1])
		return ClientMessage{Range: &raw.Range}, nil
	case "events":
	default:
		return ClientMessage{}, fmt.Errorf("unknown message type %q", raw.Type)
	}
	if raw.Ref <= 0 {
		return ClientMessage{}, errors.New("events without a ref")
	}
	if len(raw.Events) > MaxEvents {
		return ClientMessage{}, fmt.Errorf("%d events in one message; at most %d", len(raw.Events), MaxEvents)
	}
	seen := int64(math.MaxInt64)
	if raw.Seq != nil {
		seen = *raw.Seq
	}
	m := ClientMessage{Ref: raw.Ref, Act: raw.Act, Seen: seen, Events: make([]Event, len(raw.Events))}
	for i, r := range raw.Events {
		if err := m.Events[i].decode(r); err != nil {
			return ClientMessage{}, fmt.Errorf("event %d: %w", i, err)
		}
	}
	return m, nil
}

func (e *Event) decode(raw []byte) error {
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	if len(parts) < 2 || len(parts) > 3 {
		return fmt.Errorf("%d elements, want [instance, slot] or [instance, slot, value]", len(parts))
	}
	if err := json.Unmarshal(parts[0], &e.Instance); err != nil {
		return err
	}
	if err := json.Unmarshal(parts[1], &e.Slot); err != nil {
		return err
	}
	if e.Instance <= 0 || e.Slot < 0 {
		return fmt.Errorf("no such binding: [%d, %d]", e.Instance, e.Slot)
	}
	if len(parts) == 2 {
		return nil
	}
	if err := json.Unmarshal(parts[2], &e.Value); err != nil {
		return err
	}
	list, ok := e.Value.([]any)
	if !ok {
		list = []any{e.Value}
	}
	for _, v := range list {
		if !scalar(v) {
			return errors.New("a value that is neither a scalar nor a list of scalars")
		}
	}
	return nil
}

func scalar(v any) bool {
	switch v.(type) {
	case nil, bool, float64, string:
		return true
	}
	return false
}

func decodeOne(msg []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(msg))
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("not a message: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("not a message: text after the end")
	}
	return nil
}
