package wire

import (
	"maps"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/vt"
)

// A Subscription says which events a subscriber gets, and how they look.
type Subscription struct {
	Topics []string // of [EventTypes]
	Format Format
}

// Has reports whether the subscriber gets the events of a topic.
func (s Subscription) Has(topic string) bool { return slices.Contains(s.Topics, topic) }

// watched has the topics that a watcher must report for each topic of events, in addition to the
// screen.
var watched = map[string]term.Topics{
	"lines": 0, "chars": 0, "cursor": 0, "mode": 0, "diffs": 0, "title": 0, "activity": 0,
	"input": term.WatchInput, "overlay": term.WatchElements, "command": term.WatchCommands, "state": term.WatchState, "client": term.WatchClients,
	"bell": term.WatchEffects, "notification": term.WatchEffects, "progress": term.WatchEffects, "clipboard": term.WatchEffects,
}

// Watched returns what a watcher must report for the subscription. Every subscriber gets [Reset],
// so the screen is always part of it.
func (s Subscription) Watched() term.Topics {
	t := term.WatchScreen
	for _, topic := range s.Topics {
		t |= watched[topic]
	}
	return t
}

// Topics lists the topics for an error.
func Topics() string { return strings.Join(slices.Sorted(maps.Keys(watched)), ", ") }

// IsTopic reports whether there is such a topic.
func IsTopic(topic string) bool {
	_, ok := watched[topic]
	return ok
}

// Events returns what an update means to the subscriber.
func (s Subscription) Events(u term.Update) []Event {
	var list []Event
	if u.Missed > 0 {
		list = append(list, Lagged{"lagged", u.Missed})
		if s.Has("input") { // which may be among them
			list = append(list, Lagged{"input_lagged", u.Missed})
		}
	}
	switch {
	case u.Screen == nil:
	case u.Before == nil:
		screen := NewScreen(u.Screen, s.Format)
		list = append(list, Sync{head("sync", u.Screen), screen, screen.TotalLines})
	default:
		list = s.appendScreen(list, u.Before, u.Screen)
	}
	if e := u.Elements; e != nil {
		event := Elements{Head: Head{"overlay", u.Epoch}, Overlays: orEmpty(e.Overlays), Panels: orEmpty(e.Panels), ScreenMode: e.Mode}
		if e.Focused != "" {
			event.Focused = &e.Focused
		}
		list = append(list, event)
	}
	for _, e := range u.Events {
		if event := newEvent(e); event != nil && s.wants(event) {
			list = append(list, event)
		}
	}
	for _, a := range u.Activity {
		if a.Idle {
			screen := NewScreen(a.Screen, s.Format)
			list = append(list, BecameIdle{head("idle", a.Screen), a.Generation, screen, screen.TotalLines})
		} else {
			list = append(list, Running{Head{"running", u.Epoch}, a.Generation})
		}
	}
	return list
}

func head(event string, s *vt.Snapshot) Head { return Head{event, s.Epoch} }

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// appendScreen appends the events about a changed screen.
func (s Subscription) appendScreen(list []Event, before, now *vt.Snapshot) []Event {
	reason := resetReason(before, now)
	if reason != "" {
		list = append(list, Reset{head("reset", now), reason})
	}
	if s.Has("mode") && before.AltScreen() != now.AltScreen() {
		list = append(list, ScreenMode{head("mode", now), now.AltScreen()})
	}
	var rows []int
	if s.Has("lines") || s.Has("chars") || s.Has("diffs") {
		rows = changedRows(before, now)
	}
	if s.Has("lines") {
		total := total(now)
		for _, y := range rows {
			list = append(list, Line{head("line", now), y, total, newLine(now.Lines[y], s.Format)})
		}
	}
	if s.Has("chars") {
		for _, y := range rows {
			var old vt.Line
			if before.Cols == now.Cols && y < before.Rows {
				old = before.Lines[y]
			}
			list = append(list, newChars(head("chars", now), y, old, now.Lines[y], s.Format))
		}
	}
	if s.Has("diffs") && (len(rows) > 0 || reason != "" || before.Cursor != now.Cursor) {
		list = append(list, Diff{head("diff", now), orEmpty(rows), NewScreen(now, s.Format)})
	}
	if s.Has("cursor") && before.Cursor != now.Cursor {
		list = append(list, CursorMoved{head("cursor", now), newCursor(now)})
	}
	if s.Has("title") && before.Title != now.Title {
		list = append(list, Title{head("title", now), now.Title})
	}
	return list
}

// resetReason returns why every row may have changed, or "".
func resetReason(before, now *vt.Snapshot) string {
	switch {
	case before.Cols != now.Cols || before.Rows != now.Rows:
		return "resize"
	case !before.AltScreen() && now.AltScreen():
		return "alternate_screen_enter"
	case before.AltScreen() && !now.AltScreen():
		return "alternate_screen_exit"
	case now.FirstLine-now.OldestLine < before.FirstLine-before.OldestLine:
		return "clear_scrollback"
	}
	return ""
}

// changedRows returns the rows that look different. All of them count when the screen has another
// size or is another one.
func changedRows(before, now *vt.Snapshot) []int {
	all := before.Cols != now.Cols || before.Rows != now.Rows || before.AltScreen() != now.AltScreen()
	var rows []int
	for y, l := range now.Lines {
		if all || !sameLine(before.Lines[y], l) {
			rows = append(rows, y)
		}
	}
	return rows
}

func sameLine(a, b vt.Line) bool {
	return a.Text == b.Text && a.Size == b.Size && slices.Equal(a.Spans, b.Spans)
}

// total returns how many lines can be read, as [Screen] has them.
func total(s *vt.Snapshot) uint64 {
	if s.AltScreen() {
		return uint64(s.Rows)
	}
	return uint64(s.Rows) + s.FirstLine - s.OldestLine
}

func newLine(l vt.Line, f Format) any {
	if f == Plain {
		return l.Plain()
	}
	return spans(l.Text, l.Spans)
}

// newChars returns the columns in which two contents of a row differ.
func newChars(h Head, row int, before, now vt.Line, f Format) Chars {
	old, cells := slices.Collect(before.Cells()), slices.Collect(now.Cells())
	first := 0
	for first < len(old) && first < len(cells) && old[first] == cells[first] {
		first++
	}
	e := Chars{Head: h, Row: row, Width: max(before.Columns(), now.Columns())}
	end := len(cells)
	if before.Columns() == now.Columns() {
		for n := len(old); n > first && end > first && old[n-1] == cells[end-1]; n-- {
			end--
		}
	}
	switch {
	case first < len(cells):
		e.Col = cells[first].Col
	default:
		e.Col = now.Columns()
	}
	if end < len(cells) {
		e.Width = cells[end].Col
	}
	e.Width -= e.Col
	var text strings.Builder
	var pieces []vt.Span
	for _, c := range cells[first:end] {
		start := text.Len()
		text.WriteString(c.Text)
		if n := len(pieces); n > 0 && pieces[n-1].Style == c.Style && pieces[n-1].Link == c.Link {
			pieces[n-1].End = text.Len()
		} else {
			pieces = append(pieces, vt.Span{Start: start, End: text.Len(), Style: c.Style, Link: c.Link})
		}
	}
	e.Chars = any(text.String())
	if f != Plain {
		e.Chars = spans(text.String(), pieces)
	}
	return e
}

// newEvent returns an event of a session as JSON.
func newEvent(e term.Event) Event {
	h := func(name string) Head { return Head{name, e.Epoch} }
	switch {
	case e.Input != nil && e.Input.Typed != nil:
		return Input{h("input"), *e.Input.Typed}
	case e.Input != nil:
		return InputMode{h("mode"), e.Input.Mode}
	case e.Command != nil:
		c := Command{Head: h("command"), State: "running", Number: e.Command.N, Line: e.Command.Line, ExitCode: e.Command.ExitCode}
		if e.Command.Ended {
			c.State, c.DurationMS = "done", new(Milliseconds(e.Command.Duration))
		}
		return c
	case e.State != "":
		return State{h("state"), string(e.State), e.Reports}
	case e.Client != nil:
		c := ClientChanged{Head: h("client"), Change: string(e.Client.Change), Client: newClient(e.Client.Client, time.Now())}
		if e.Client.Leader != "" {
			c.Leader = &e.Client.Leader
		}
		return c
	}
	switch effect := e.Effect.(type) {
	case vt.Bell:
		return Bell{h("bell")}
	case vt.Notification:
		return Notification{h("notification"), effect.Title, effect.Body}
	case vt.Progress:
		return Progress{h("progress"), progressStates[effect.State], effect.Percent}
	case vt.Clipboard:
		return Clipboard{h("clipboard"), effect.Selection, append([]byte{}, effect.Data...)}
	}
	return nil
}

var progressStates = map[vt.ProgressState]string{
	vt.ProgressNone: "none", vt.ProgressNormal: "normal", vt.ProgressError: "error",
	vt.ProgressIndeterminate: "indeterminate", vt.ProgressPaused: "paused",
}

// wants reports whether the subscriber gets an event other than those of the screen. Watchers
// report all effects, of which the subscriber may want some.
func (s Subscription) wants(e Event) bool {
	switch e.(type) {
	case Input, InputMode:
		return true
	}
	return s.Has(e.Name())
}
