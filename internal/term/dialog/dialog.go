// Package dialog puts a question before a person on their terminal: how it looks, and which keys
// and clicks answer it. It does no I/O, starts no goroutine and reads no clock. When a question
// appears, and whose keys it gets, is for the session to decide.
package dialog

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/keys"
)

// Limits of a question that can be answered on a terminal.
const (
	MaxOptions = 9    // a digit chooses one
	MaxMessage = 4000 // bytes of what is to be read, if it can be read elsewhere
	MaxText    = 1000 // bytes of a text that is typed
)

// A Question is a question to a person at a terminal. Control characters in its texts are dropped.
type Question struct {
	question.Asked
	// Elsewhere says where it is answered if keys cannot do that, such as "Answer it at
	// http://localhost:8000/popup"; "" stands for a browser.
	Elsewhere string
}

// fits reports whether a question can be answered by the keys of a dialog.
func (q *Question) fits() bool {
	all := &q.Question
	return !all.Multiple && len(all.Options) <= MaxOptions && len(all.Images) == 0 && (q.Elsewhere == "" || len(all.Message)+len(all.Quote) <= MaxMessage)
}

// A Reply is what the person has decided.
type Reply int

// Replies other than the index of an option.
const (
	Undecided Reply = -1 - iota
	PutAway         // the person does not want to answer now
	Typed           // the person has typed a text
)

// A Dialog is a question on one terminal. It is not safe for concurrent use.
type Dialog struct {
	question  question.Question
	host      string // the other host that asks, or ""
	elsewhere string // "" if it is answered here
	where     string // [Question.Elsewhere]
	look      Look

	selected int    // the option that Enter takes, or one of the values below
	text     string // what was typed
	problem  string // why the last answer was not accepted, or ""
	pressed  int    // where the mouse button was pressed that is down: an option, or one of the values below

	top  int // the first displayed row of the message
	page int // how many rows of it fit; 0: it was never drawn
	all  int // how many rows it has
	read int // how many rows of it have been displayed

	message []cells.Row // as laid out for a width
	inner   int         // that width; 0: it was not laid out
	drawn   place
}

// A Look is how dialogs look on a terminal.
type Look struct {
	// Plain dialogs have no colours.
	Plain bool
}

// What can be selected other than an option.
const (
	noSelection = -1 - iota
	textField
)

// New returns the dialog of a question.
func New(q Question, look Look) *Dialog {
	d := &Dialog{question: q.Question, host: q.Host, where: q.Elsewhere, look: look, selected: noSelection, pressed: noSelection}
	if !q.fits() {
		d.elsewhere = cmp.Or(q.Elsewhere, "Answer it in the browser")
		d.question.Options, d.question.AllowText = nil, false
	}
	return d
}

// Note returns a dialog of the same look that only says something. help is written below.
func (d *Dialog) Note(title, message, help string) *Dialog {
	note := New(Question{Asked: question.Asked{Question: question.Question{Title: title, Message: message, Plain: true}}}, d.look)
	note.elsewhere = help
	return note
}

// careful reports whether no single key and no single click answers.
func (d *Dialog) careful() bool { return d.question.Severity == question.Danger }

// Reply returns what a reply means for the asker.
func (d *Dialog) Reply(r Reply) question.Reply {
	switch {
	case r == Typed:
		return question.Reply{Action: question.Submit, Text: d.text}
	case r >= 0:
		return question.Reply{Action: question.Submit, Values: []string{d.question.Options[r].Value}}
	}
	return question.Reply{Action: question.Dismiss}
}

// Key handles a key of the person. A digit chooses an option, or with danger selects it. Tab and
// the arrows select an option or the text, and Enter then answers. Nothing is selected at first, so
// that Enter alone answers nothing, and what a person types without looking is no text. Escape,
// Ctrl-C and Ctrl+\ put the question away. A message that does not fit is scrolled by page, and
// nothing can be answered before its end has been displayed.
func (d *Dialog) Key(k keys.Key) Reply {
	has := func(modifier string) bool { return slices.Contains(k.Modifiers, modifier) }
	if k.Event == "release" || has("super") || has("ctrl") && has("shift") { // terminals copy with it
		return Undecided
	}
	key, types := k.Name(), d.selected == textField
	text, erases := keys.Erase(d.text, key)
	switch {
	case key == "Escape", key == "C-c", key == `C-\`:
		return PutAway
	case key == "Enter" && k.Event == "": // not held
		return d.take(d.selected)
	case key == "Tab", key == "ArrowDown", key == "ArrowRight":
		d.move(1)
	case key == "S-Tab", key == "ArrowUp", key == "ArrowLeft":
		d.move(-1)
	case key == "PageUp":
		d.scroll(-d.page)
	case key == "PageDown", key == " " && !types:
		d.scroll(d.page)
	case types && erases:
		d.text = text
	case types && utf8.RuneCountInString(key) == 1:
		d.Paste(key)
	case len(key) == 1 && key[0] >= '1' && key[0] <= '9' && len(k.Modifiers) == 0 && !d.question.AllowText: // else it may be meant for the text
		i := int(key[0] - '1')
		if !d.careful() && k.Event == "" {
			return d.take(i)
		}
		if d.careful() && i < len(d.question.Options) {
			d.selected = i
		}
	}
	return Undecided
}

// TakesText reports whether what the person types is text: the text is selected, and all of the
// message has been displayed.
func (d *Dialog) TakesText() bool { return d.selected == textField && d.isRead() }

// Paste adds text that arrives at once to what the person has typed, if that is selected. Line ends
// and other characters that disturb are left out: a paste never answers.
func (d *Dialog) Paste(text string) {
	if !d.TakesText() {
		return
	}
	for _, r := range safetext.Plain(text) {
		if len(d.text)+utf8.RuneLen(r) <= MaxText {
			d.text += string(r)
		}
	}
}

// take returns an option or the text as the reply, if the question was read and accepts it.
func (d *Dialog) take(i int) Reply {
	r := Undecided
	switch {
	case !d.isRead() || i >= len(d.question.Options):
	case i >= 0:
		r = Reply(i)
	case i == textField && len(d.text) > 0:
		r = Typed
	}
	if r == Undecided {
		return r
	}
	if _, err := d.question.Accept(d.Reply(r)); err != nil {
		d.problem, d.inner, d.top = err.Error(), 0, 0
		return Undecided
	}
	return r
}

// wheelRows is how many rows the wheel of the mouse scrolls.
const wheelRows = 3

// Mouse handles a report of the mouse, with its position on the terminal. A click chooses an
// option, or with danger selects it first; the wheel scrolls the message.
func (d *Dialog) Mouse(r keys.MouseReport) Reply {
	switch {
	case r.Moved():
	case r.Button() == keys.WheelDown:
		d.scroll(wheelRows)
	case r.Button() == keys.WheelUp:
		d.scroll(-wheelRows)
	case r.Button() != keys.Left:
	case !r.Released:
		d.pressed = d.drawn.at(r.Row, r.Col)
	default:
		pressed := d.pressed
		d.pressed = noSelection
		if pressed == noSelection || pressed != d.drawn.at(r.Row, r.Col) {
			return Undecided
		}
		again := d.selected == pressed
		if d.selected = pressed; pressed >= 0 && (again || !d.careful()) {
			return d.take(pressed)
		}
	}
	return Undecided
}

func (d *Dialog) isRead() bool { return d.page > 0 && d.read >= d.all }

// move selects the next option, or the text, which precedes them, or the one before.
func (d *Dialog) move(by int) {
	var order []int
	if d.question.AllowText {
		order = append(order, textField)
	}
	for i := range d.question.Options {
		order = append(order, i)
	}
	if len(order) == 0 {
		return
	}
	at := slices.Index(order, d.selected)
	if at < 0 && by < 0 {
		at = 0
	}
	d.selected = order[(at+by+len(order))%len(order)]
}

// scroll displays another part of the message.
func (d *Dialog) scroll(by int) {
	d.top = max(min(d.top+by, d.all-d.page), 0)
}
