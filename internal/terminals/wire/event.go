package wire

import (
	"reflect"

	"ui-mcp/internal/term/overlay"
)

// An Event is something that happens in a session: one of the types below. Its JSON form is an
// object: see [AppendMembers].
type Event interface{ Name() string }

// A Head is what all events of a session have but [Lagged].
type Head struct {
	Event string `json:"event"`
	Seq   uint64 `json:"seq" jsonschema:"epoch of the screen: grows with every change"`
}

// Name implements Event.
func (h Head) Name() string { return h.Event }

// The events of a session.
type (
	// Sync is the whole screen, from which the following events start.
	Sync struct {
		Head
		Screen          Screen `json:"screen"`
		ScrollbackLines uint64 `json:"scrollback_lines" jsonschema:"lines of history and screen that can be read"`
	}

	// Line is a row that has changed.
	Line struct {
		Head
		Index      int    `json:"index" jsonschema:"row of the screen, from 0"`
		TotalLines uint64 `json:"total_lines" jsonschema:"lines of the scrollback, the screen included"`
		Line       Row    `json:"line" jsonschema:"its new content: a list of spans, or a string"`
	}

	// Chars is the part of a row that has changed.
	Chars struct {
		Head
		Row   int `json:"row" jsonschema:"row of the screen, from 0"`
		Col   int `json:"col" jsonschema:"first column of the part, from 0"`
		Width int `json:"width" jsonschema:"columns of the part; those beyond its text are empty now"`
		Chars Row `json:"chars" jsonschema:"its new content: a list of spans, or a string"`
	}

	// CursorMoved is a new position or look of the cursor.
	CursorMoved struct {
		Head
		Cursor
	}

	// ScreenMode says that the program has switched between its screens.
	ScreenMode struct {
		Head
		AlternateActive bool `json:"alternate_active" jsonschema:"whether the program uses its alternate screen"`
	}

	// Diff has all changes of the screen.
	Diff struct {
		Head
		ChangedLines []int  `json:"changed_lines" jsonschema:"rows that have changed, from 0"`
		Screen       Screen `json:"screen"`
	}

	// Reset says that every row may have changed. Events with the rows follow.
	Reset struct {
		Head
		Reason string `json:"reason" jsonschema:"alternate_screen_enter, alternate_screen_exit, resize or clear_scrollback"`
	}

	// Title is a new title of the window.
	Title struct {
		Head
		Title string `json:"title"`
	}

	// Running says that an idle session has become active.
	Running struct {
		Head
		Generation uint64 `json:"generation" jsonschema:"for the next wait.idle"`
	}

	// BecameIdle says that there has been no output or input for a while.
	BecameIdle struct {
		Head
		Generation      uint64 `json:"generation" jsonschema:"for the next wait.idle"`
		Screen          Screen `json:"screen"`
		ScrollbackLines uint64 `json:"scrollback_lines" jsonschema:"lines of history and screen that can be read"`
	}

	// Input is what a person has typed on an attached terminal.
	Input struct {
		Head
		overlay.InputEvent
	}

	// InputMode says who gets the persons' input from now on.
	InputMode struct {
		Head
		Mode overlay.InputMode `json:"mode" jsonschema:"passthrough or capture"`
	}

	// Elements are the overlays and panels of the visible screen, after a change of any of them, or
	// of the focus.
	Elements struct {
		Head
		Overlays   []overlay.Element  `json:"overlays"`
		Panels     []overlay.Element  `json:"panels"`
		Focused    *string            `json:"focused" jsonschema:"id of the overlay or panel that has the focus, or null"`
		ScreenMode overlay.ScreenMode `json:"screen_mode" jsonschema:"normal or alt"`
	}

	// Command is the beginning or the end of a command, where the shell marks them.
	Command struct {
		Head
		State      string `json:"state" jsonschema:"running or done"`
		Number     uint64 `json:"number" jsonschema:"its number in the session, from 1"`
		Line       string `json:"line,omitempty" jsonschema:"the command line, as the screen displayed it; at most 1 KiB"`
		ExitCode   *int   `json:"exit_code,omitempty" jsonschema:"exit status of a command that has ended, if the shell has reported it"`
		DurationMS *int64 `json:"duration_ms,omitempty" jsonschema:"milliseconds that the command took"`
	}

	// State is the session's new state.
	State struct {
		Head
		State string `json:"state" jsonschema:"the new one: running, prompt, line, secret, fullscreen or ended"`
		// Reports: see [term.Info]. Only callers in this process get it.
		Reports uint64 `json:"-"`
	}

	// ClientChanged is a change of a client of the session.
	ClientChanged struct {
		Head
		Change string  `json:"change" jsonschema:"attached, detached (not at the end of the program), leads or resized"`
		Client Client  `json:"client"`
		Leader *string `json:"leader" jsonschema:"name of the client that leads now; null if there is none"`
	}

	// Bell says that the program has rung, once or several times.
	Bell struct{ Head }

	// Notification is a message of the program for the person.
	Notification struct {
		Head
		Title string `json:"title,omitempty"`
		Body  string `json:"body"`
	}

	// Progress is the progress of the program.
	Progress struct {
		Head
		State   string `json:"state" jsonschema:"none, normal, error, indeterminate or paused"`
		Percent int    `json:"percent" jsonschema:"0 to 100"`
	}

	// Clipboard is what the program puts on the clipboard.
	Clipboard struct {
		Head
		Selection string `json:"selection" jsonschema:"letters such as c for the clipboard and p for the primary selection"`
		Data      []byte `json:"data" jsonschema:"base64; empty to clear it"`
	}
)

// A Lagged says that events were lost. A sync follows, unless they were changes of sessions.
type Lagged struct {
	Type    string `json:"type" jsonschema:"lagged, input_lagged or lifecycle_lagged"`
	Skipped int    `json:"skipped" jsonschema:"how many events were lost"`
}

// Name implements Event.
func (l Lagged) Name() string { return l.Type }

// An EventType describes a type of events.
type EventType struct {
	Name  string
	Topic string // to which to subscribe; "" for those that every subscriber gets
	Doc   string
	Type  reflect.Type
}

func eventType[E Event](name, topic, doc string) EventType {
	return EventType{name, topic, doc, reflect.TypeFor[E]()}
}

// EventTypes are the events of a session. A mode is either of the screen or of the input.
var EventTypes = []EventType{
	eventType[Sync]("sync", "", "The whole screen, when a subscription begins and after events were lost."),
	eventType[Lagged]("lagged", "", "Events were lost, because the client was too slow. A sync follows."),
	eventType[Lagged]("input_lagged", "input", "Events were lost, which may have been input. A sync follows."),
	eventType[Reset]("reset", "", "Every row may have changed. The rows follow for those who subscribe to them."),
	eventType[Line]("line", "lines", "A row has changed."),
	eventType[Chars]("chars", "chars", "A part of a row has changed."),
	eventType[CursorMoved]("cursor", "cursor", "The cursor has changed."),
	eventType[ScreenMode]("mode", "mode", "The program has switched between its screens."),
	eventType[Diff]("diff", "diffs", "The screen has changed: which rows, and all of it."),
	eventType[Running]("running", "activity", "The session has become active."),
	eventType[BecameIdle]("idle", "activity", "The session has been quiet for idle_timeout_ms, if that was given."),
	eventType[Input]("input", "input", "A person has typed something."),
	eventType[InputMode]("mode", "input", "Who gets what persons type has changed."),
	eventType[Elements]("overlay", "overlay", "Overlays, panels or the focus have changed."),
	eventType[Command]("command", "command", "A command has begun or ended."),
	eventType[State]("state", "state", "The state of the session has changed."),
	eventType[ClientChanged]("client", "client", "A client has attached, left, begun to lead, or got another size."),
	eventType[Title]("title", "title", "The title of the window has changed."),
	eventType[Bell]("bell", "bell", "The program has rung the bell."),
	eventType[Notification]("notification", "notification", "The program has a message for the person."),
	eventType[Progress]("progress", "progress", "The program reports its progress."),
	eventType[Clipboard]("clipboard", "clipboard", "The program sets the clipboard."),
}
