// Package dialog puts a question before a person on their terminal: how it looks, and which keys
// answer it. It does no I/O, starts no goroutine and reads no clock. When a question appears, and
// whose keys it gets, is for the session to decide.
package dialog

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/overlay"
)

// A Question has answers to choose from, or asks for a text. All texts are plain. Control
// characters are dropped, except for the line feeds and tabs of the message.
type Question struct {
	Title   string
	Message string   // lines that are too long are wrapped, at any character
	Options []string // at most MaxOptions
	// Text says that the person may type a line, instead of choosing an option. With Secret, it is
	// not displayed.
	Text, Secret bool
	// Careful says that no single key answers.
	Careful bool
	// Elsewhere says where the question is answered, if there is nothing to choose or to type here.
	Elsewhere string
}

// Limits of a question.
const (
	MaxOptions = 9    // a digit chooses one
	MaxText    = 1000 // bytes of a text that is typed
)

// Check returns an error of kind Invalid for a question that cannot be asked.
func (q Question) Check() error {
	switch n := len(q.Options); {
	case n == 0 && !q.Text && q.Elsewhere == "":
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
	Typed           // the person has typed a text
)

// An Answer is a reply with what the person has typed.
type Answer struct {
	Reply Reply
	Text  string // if the reply is Typed
}

// A Dialog is a question on one terminal. It is not safe for concurrent use.
type Dialog struct {
	question Question

	selected int    // the option that Enter takes, or one of the values below
	text     []rune // what was typed
	top      int    // the first displayed row of the message
	page     int    // how many rows of it fit; 0: it was never drawn
	all      int    // how many rows it has
	read     int    // how many rows of it have been displayed
}

// What can be selected other than an option.
const (
	noSelection = -1 - iota
	textField
)

// New returns the dialog of a question that is valid.
func New(q Question) *Dialog { return &Dialog{question: q, selected: noSelection} }

// Key handles a key of the person. A digit chooses an option, or with Careful selects it; Tab and
// the arrows select an option or the text, and Enter then answers. Nothing is selected at first, so
// that Enter alone answers nothing, and what a person types without looking is no text. Escape,
// Ctrl-C and Ctrl+\ put the question away. A message that does not fit is scrolled by page, and
// nothing can be answered before its end has been displayed.
func (d *Dialog) Key(k overlay.Key) Reply {
	if k.Event == "release" {
		return Undecided
	}
	ctrl := slices.Equal(k.Modifiers, []string{"ctrl"})
	switch {
	case ctrl && (k.Key == "c" || k.Key == `\`):
		return PutAway
	case ctrl && k.Key == "u" && d.selected == textField:
		d.text = nil
	case ctrl && k.Key == "h":
		d.erase()
	case slices.Equal(k.Modifiers, []string{"shift"}) && k.Key == "Tab":
		d.move(-1)
	case slices.Equal(k.Modifiers, []string{"shift"}) && d.selected == textField:
		d.insert(k.Key)
	case len(k.Modifiers) > 0:
	default:
		return d.plainKey(k)
	}
	return Undecided
}

// TakesText reports whether what the person types is text: the text is selected, and all of the
// message has been displayed.
func (d *Dialog) TakesText() bool { return d.selected == textField && d.isRead() }

// Text returns what the person has typed.
func (d *Dialog) Text() string { return string(d.text) }

// Paste adds text that arrives at once to what the person has typed, if that is selected. Line ends
// and other characters that are not printed are left out: a paste never answers.
func (d *Dialog) Paste(text string) {
	if !d.TakesText() {
		return
	}
	for _, r := range text {
		if unicode.IsPrint(r) && len(string(d.text))+utf8.RuneLen(r) <= MaxText {
			d.text = append(d.text, r)
		}
	}
}

// insert adds the character of a key to the text. Keys with longer names have none.
func (d *Dialog) insert(key string) {
	if utf8.RuneCountInString(key) == 1 {
		d.Paste(key)
	}
}

func (d *Dialog) erase() {
	if d.selected == textField && len(d.text) > 0 {
		d.text = d.text[:len(d.text)-1]
	}
}

func (d *Dialog) plainKey(k overlay.Key) Reply {
	switch k.Key {
	case "Escape":
		return PutAway
	case "Tab", "ArrowDown", "ArrowRight":
		d.move(1)
		return Undecided
	case "ArrowUp", "ArrowLeft":
		d.move(-1)
		return Undecided
	case "PageDown":
		d.scroll(d.page)
		return Undecided
	case "PageUp":
		d.scroll(-d.page)
		return Undecided
	case "Enter":
		return d.choose(d.selected, k)
	case "Backspace":
		d.erase()
		return Undecided
	}
	switch {
	case d.selected == textField:
		d.insert(k.Key)
	case k.Key == " ":
		d.scroll(d.page)
	case len(k.Key) == 1 && k.Key[0] >= '1' && k.Key[0] <= '9':
		return d.digit(int(k.Key[0]-'1'), k)
	}
	return Undecided
}

// digit handles the digit of an option. Beside a text, digits do nothing: they may be meant for it.
func (d *Dialog) digit(i int, k overlay.Key) Reply {
	switch {
	case d.question.Text:
	case !d.question.Careful:
		return d.choose(i, k)
	case i < len(d.question.Options):
		d.selected = i
	}
	return Undecided
}

// choose returns what is selected as the reply, if the person has seen the question.
func (d *Dialog) choose(i int, k overlay.Key) Reply {
	switch {
	case !d.isRead() || k.Event != "" || i >= len(d.question.Options):
	case i >= 0:
		return Reply(i)
	case i == textField && len(d.text) > 0:
		return Typed
	}
	return Undecided
}

// isRead reports whether all of the message has been displayed.
func (d *Dialog) isRead() bool { return d.page > 0 && d.read >= d.all }

// move selects the next option, or the text, which precedes them, or the one before.
func (d *Dialog) move(by int) {
	var order []int
	if d.question.Text {
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
