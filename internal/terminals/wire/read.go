package wire

import (
	"strconv"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/vt"
)

// Changes are what has changed on a screen.
type Changes struct {
	Since uint64 `json:"since" jsonschema:"epoch of the screen that the caller had"`
	Reset bool   `json:"reset" jsonschema:"every row has changed: the screen has another size, is another one, or since is unknown"`
	// Scrolled moves rows: see [vt.Diff].
	Scrolled     int   `json:"scrolled" jsonschema:"rows that have left the screen at its top; the others moved up before the changes"`
	ChangedLines []int `json:"changed_lines" jsonschema:"rows with another content, from 0"`
	Screen
}

// AppendJSON appends the changes as encoding/json would encode them: see [Screen.AppendJSON].
func (c *Changes) AppendJSON(b []byte) []byte {
	b = append(b, `{"since":`...)
	b = strconv.AppendUint(b, c.Since, 10)
	b = append(b, `,"reset":`...)
	b = strconv.AppendBool(b, c.Reset)
	b = append(b, `,"scrolled":`...)
	b = strconv.AppendInt(b, int64(c.Scrolled), 10)
	b = append(b, `,"changed_lines":`...)
	b = appendList(b, c.ChangedLines, func(b []byte, row int) []byte { return strconv.AppendInt(b, int64(row), 10) })
	start := len(b)
	b = c.Screen.AppendJSON(b)
	b[start] = ',' // instead of its brace
	return b
}

// NewChanges returns a difference as JSON. Its lines are the changed ones only.
func NewChanges(s *vt.Snapshot, d vt.Diff, f Format) Changes {
	rows, lines := make([]int, len(d.Rows)), make([]vt.Line, len(d.Rows))
	for i, r := range d.Rows {
		rows[i], lines[i] = r.Row, r.Line
	}
	part := *s
	part.Lines = lines
	return Changes{Since: d.From, Reset: d.Reset, Scrolled: d.Scrolled, ChangedLines: rows, Screen: NewScreen(&part, f)}
}

// A Search is the result of a search.
type Search struct {
	Matches []Found `json:"matches" jsonschema:"from the oldest to the newest"`
	Next    uint64  `json:"next" jsonschema:"number of the line to continue from"`
	Layout  uint64  `json:"layout" jsonschema:"changes when lines are wrapped again, which renumbers them"`
}

// A Found is a match of a search.
type Found struct {
	First uint64 `json:"first" jsonschema:"number of the line in which it begins, as in scrollback.get"`
	Text  string `json:"text" jsonschema:"the text that matched"`
	Line  string `json:"line" jsonschema:"the line in which it begins, joined if it was wrapped"`
}

// NewSearch returns the result of a search as JSON.
func NewSearch(s term.Search) Search {
	v := Search{Matches: make([]Found, len(s.Found)), Next: s.Next, Layout: s.Layout}
	for i, f := range s.Found {
		v.Matches[i] = Found(f)
	}
	return v
}
