// Package dialog puts a question before a person on their terminal: how it looks, and which keys
// answer it. It does no I/O, starts no goroutine and reads no clock. When a question appears, and
// whose keys it gets, is for the session to decide.
package dialog

import (
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
)

// A Question has answers to choose from. All texts are plain. Control characters are dropped,
// except for the line feeds and tabs of the message.
type Question struct {
	Title   string
	Message string   // lines that are too long are wrapped, at any character
	Options []string // at least one, at most MaxOptions
}

// MaxOptions is how many options a question can have: a digit chooses one.
const MaxOptions = 9

// Check returns an error of kind Invalid for a question that cannot be asked.
func (q Question) Check() error {
	switch n := len(q.Options); {
	case n == 0:
		return fault.New(fault.Invalid, "a question needs options to choose from")
	case n > MaxOptions:
		return fault.New(fault.Invalid, "a question on a terminal has at most %d options, not %d", MaxOptions, n)
	}
	return nil
}

// A Reply is what the person has decided.
type Reply int

// Replies other than the index of an option.
const (
	Undecided Reply = -1 - iota
	PutAway         // the person does not want to answer now
)

// A Dialog is a question on one terminal. It is not safe for concurrent use.
type Dialog struct {
	question Question

	selected int // the option that Enter takes; -1: Enter takes none
	top      int // the first displayed row of the message
	page     int // how many rows of it fit; 0: it was never drawn
	all      int // how many rows it has
	read     int // how many rows of it have been displayed
}

// New returns the dialog of a question that is valid.
func New(q Question) *Dialog { return &Dialog{question: q, selected: -1} }

// Key handles a key of the person. A digit chooses an option; Tab and the arrows select one, which
// Enter chooses: nothing is selected at first, so that Enter alone answers nothing. Escape, Ctrl-C
// and Ctrl+\ put the question away. A message that does not fit is scrolled by page, and nothing
// can be chosen before its end has been displayed.
func (d *Dialog) Key(k overlay.Key) Reply {
	if k.Event == "release" {
		return Undecided
	}
	switch {
	case slices.Equal(k.Modifiers, []string{"ctrl"}) && (k.Key == "c" || k.Key == `\`):
		return PutAway
	case slices.Equal(k.Modifiers, []string{"shift"}) && k.Key == "Tab":
		d.move(-1)
	case len(k.Modifiers) > 0:
	default:
		return d.plainKey(k)
	}
	return Undecided
}

func (d *Dialog) plainKey(k overlay.Key) Reply {
	switch k.Key {
	case "Escape":
		return PutAway
	case "Tab", "ArrowDown", "ArrowRight":
		d.move(1)
	case "ArrowUp", "ArrowLeft":
		d.move(-1)
	case "PageDown", " ":
		d.scroll(d.page)
	case "PageUp":
		d.scroll(-d.page)
	case "Enter":
		return d.choose(d.selected, k)
	default:
		if len(k.Key) == 1 && k.Key[0] >= '1' && k.Key[0] <= '9' {
			return d.choose(int(k.Key[0]-'1'), k)
		}
	}
	return Undecided
}

// choose returns an option as the reply, if there is one and the person has seen the question.
func (d *Dialog) choose(i int, k overlay.Key) Reply {
	if i < 0 || i >= len(d.question.Options) || d.page == 0 || d.read < d.all || k.Event != "" {
		return Undecided
	}
	return Reply(i)
}

// move selects another option.
func (d *Dialog) move(by int) {
	n := len(d.question.Options)
	if d.selected < 0 && by < 0 {
		d.selected = 0
	}
	d.selected = (d.selected + by + n) % n
}

// scroll displays another part of the message.
func (d *Dialog) scroll(by int) {
	d.top = max(min(d.top+by, d.all-d.page), 0)
}
