package overlay

import (
	"encoding/json"
	"errors"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/vt"
)

// A Style is how text looks.
type Style struct {
	FG            Color `json:"fg,omitzero"`
	BG            Color `json:"bg,omitzero"`
	Bold          bool  `json:"bold,omitempty"`
	Faint         bool  `json:"faint,omitempty"`
	Italic        bool  `json:"italic,omitempty"`
	Underline     bool  `json:"underline,omitempty"`
	Strikethrough bool  `json:"strikethrough,omitempty"`
	Blink         bool  `json:"blink,omitempty"`
	Inverse       bool  `json:"inverse,omitempty"`
}

func (s Style) terminal() vt.Style {
	out := vt.Style{FG: vt.Color(s.FG), BG: vt.Color(s.BG)}
	for _, f := range [...]struct {
		on   bool
		attr vt.Attr
	}{
		{s.Bold, vt.Bold}, {s.Faint, vt.Faint}, {s.Italic, vt.Italic}, {s.Strikethrough, vt.Strikethrough},
		{s.Blink, vt.Blink}, {s.Inverse, vt.Inverse},
	} {
		if f.on {
			out.Attr |= f.attr
		}
	}
	if s.Underline {
		out.Attr = out.Attr.WithUnderline(vt.UnderlineSingle)
	}
	return out
}

// A Span is text in one style. The spans of an element follow each other from
// its upper left; a line feed begins the next row.
type Span struct {
	Text string `json:"text"`
	// ID names the span, so that it can be written anew by itself. Several may
	// have the same.
	ID string `json:"id,omitempty"`
	Style
}

// A RegionWrite is text at a place within an element, above its spans. Each row
// of the text begins at the same column.
type RegionWrite struct {
	Row  int    `json:"row"` // from 0
	Col  int    `json:"col"`
	Text string `json:"text"`
	Style
}

// Spans and Writes are lists that say which item is wrong when JSON does not
// fit.
type (
	Spans  []Span
	Writes []RegionWrite
)

// UnmarshalJSON reads a list of spans.
func (s *Spans) UnmarshalJSON(data []byte) error { return decodeList((*[]Span)(s), data, "spans") }

// UnmarshalJSON reads a list of region writes.
func (w *Writes) UnmarshalJSON(data []byte) error {
	return decodeList((*[]RegionWrite)(w), data, "writes")
}

// decodeList reads a JSON array, and says which item was wrong. Null leaves the
// list nil, and an empty array makes it empty.
func decodeList[T any](list *[]T, data []byte, name string) error {
	var items []json.RawMessage
	if err := decode(data, &items); err != nil {
		return fault.Wrap(fault.Invalid, err, "%s", name)
	}
	if items == nil {
		*list = nil
		return nil
	}
	out := make([]T, len(items))
	for i, item := range items {
		if err := decode(item, &out[i]); err != nil {
			return fault.Wrap(fault.Invalid, err, "%s[%d]", name, i)
		}
	}
	*list = out
	return nil
}

// decode reads JSON. What is wrong with it is of kind Invalid, and told without
// words of Go's.
func decode(data []byte, to any) error {
	err := json.Unmarshal(data, to)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := strings.TrimPrefix(wrong.Field, "Form.") // which is embedded
		if field == "" {
			field = "it"
		}
		return fault.New(fault.Invalid, "%s must not be a JSON %s", field, wrong.Value)
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	return fault.Wrap(fault.Invalid, err, "JSON")
}

func (s Spans) pieces() []cells.Piece {
	out := make([]cells.Piece, len(s))
	for i, span := range s {
		out[i] = cells.Piece{Text: span.Text, Style: span.terminal()}
	}
	return out
}

func (w RegionWrite) pieces() []cells.Piece {
	return []cells.Piece{{Text: w.Text, Style: w.terminal()}}
}
