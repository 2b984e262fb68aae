package question

import (
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// An Outcome is how a question ended.
type Outcome string

// Outcomes. To the asker, no two of them mean the same: a person who said no is not one who was
// never asked.
const (
	Answered  Outcome = "answered"
	Default   Outcome = "default"   // nobody answered, and the question had a default
	TimedOut  Outcome = "timed_out" // nobody answered, and it had none
	Dismissed Outcome = "dismissed" // the person put the question away without an answer; a page that closes does not
	Declined  Outcome = "declined"  // the person refuses to answer
	Withdrawn Outcome = "withdrawn" // its asker cancelled it or went away
	NoHuman   Outcome = "no_human"  // it was never displayed, since there was no way to
)

// A Source says where an answer came from.
type Source string

// Sources.
const (
	FromOption  Source = "option"
	FromText    Source = "text"
	FromDefault Source = "default"
	FromFile    Source = "file"
)

// A File comes with an answer. Its asker gets the path, where the broker has put it.
type File struct {
	Name string `json:"name"`
	Mime string `json:"mime,omitempty"`
	Size int    `json:"size"`
	Path string `json:"path"`
	Data []byte `json:"-"` // until it has a path
}

// An Answer is the outcome of a question, with the answer if there is one.
type Answer struct {
	PopupID string    `json:"popupId"`
	Outcome Outcome   `json:"outcome"`
	Source  Source    `json:"source,omitempty"`
	Value   string    `json:"value,omitempty"`  // the chosen value, the first of several, or the text; "" of files alone
	Values  []string  `json:"values,omitempty"` // all chosen values, if several may be chosen
	Text    string    `json:"text,omitempty"`   // what the person typed; of a dismissed question, what was no answer to it
	Files   []File    `json:"files,omitempty"`
	Secret  bool      `json:"secret,omitempty"` // Value and Text hold, or held, a secret
	Reveal  bool      `json:"-"`                // the asker gets the secret all the same
	Channel string    `json:"channel,omitempty"`
	At      time.Time `json:"at"`
	// Delivery is the reply's: see [Reply].
	Delivery string `json:"-"`
}

// HasValue reports whether there is an answer, by the person or by default.
func (a Answer) HasValue() bool { return a.Outcome == Answered || a.Outcome == Default }

// ForAsker returns a as its asker gets it: with a secret only on request.
func (a Answer) ForAsker() Answer {
	if a.Reveal {
		return a
	}
	return a.Redacted()
}

// Redacted returns a as everybody else gets it: without a secret. The options of a question are no
// secrets.
func (a Answer) Redacted() Answer {
	if a.Secret {
		return a.Delivered()
	}
	return a
}

// Delivered returns a without what the person has typed, which only one recipient gets.
func (a Answer) Delivered() Answer {
	a.Text = ""
	if a.Source == FromText {
		a.Value, a.Values = "", nil
	}
	return a
}

// A Reply is what a person did with a question.
type Reply struct {
	Action Action   `json:"action"`
	Values []string `json:"values,omitempty"` // of options
	Text   string   `json:"text,omitempty"`   // when it dismisses, what was no answer
	Files  []File   `json:"-"`                // which only pages of this program can send
	// Delivery is an unguessable text by which a reply that is sent again is recognised, or "".
	Delivery string `json:"-"`
}

// maxUnfit is how many bytes are kept of what was no answer.
const maxUnfit = 500

// An Action is what a person may do.
type Action string

// Actions.
const (
	Submit  Action = "answer"
	Dismiss Action = "dismiss"
	Decline Action = "decline"
	// Active is no reply yet: the person is at it, and a default is not taken for a while.
	Active Action = "active"
)

// Accept turns a reply into an answer; the caller sets PopupID, Channel and At. Errors are of kind
// [fault.Invalid] and say what the reply lacks: the question then stays open.
func (q Question) Accept(r Reply) (Answer, error) {
	switch r.Action {
	case Dismiss:
		a := Answer{Outcome: Dismissed, Secret: q.Secret}
		if !q.Secret {
			a.Text = safetext.Clip(strings.ToValidUTF8(r.Text, "\uFFFD"), maxUnfit)
		}
		return a, nil
	case Decline:
		return Answer{Outcome: Declined, Secret: q.Secret}, nil
	case Submit:
	default:
		return Answer{}, fault.New(fault.Invalid, "unknown action %q", r.Action)
	}
	a := Answer{Outcome: Answered, Secret: q.Secret}
	if err := q.acceptText(&a, r.Text); err != nil {
		return Answer{}, err
	}
	if err := q.acceptValues(&a, r.Values); err != nil {
		return Answer{}, err
	}
	if err := q.acceptFiles(&a, r.Files); err != nil {
		return Answer{}, err
	}
	if a.Source == "" {
		if len(q.Options) > 0 {
			return Answer{}, fault.New(fault.Invalid, "nothing is chosen")
		}
		return Answer{}, fault.New(fault.Invalid, "the text is empty")
	}
	return a, nil
}

func (q Question) acceptText(a *Answer, text string) error {
	blank := strings.TrimSpace(text) == ""
	switch {
	case blank && (!q.Secret || text == ""):
		return nil
	case !q.AllowText:
		return fault.New(fault.Invalid, "this question takes no text: choose an option")
	case len(text) > MaxReply:
		return fault.New(fault.Invalid, "the text has %d bytes: the limit is %d", len(text), MaxReply)
	case !utf8.ValidString(text):
		return fault.New(fault.Invalid, "the text is not valid UTF-8")
	case q.Prompt && len(text) > MaxLine:
		return fault.New(fault.Invalid, "the text has %d bytes: a line has at most %d", len(text), MaxLine)
	case q.Prompt && safetext.HasControl(text):
		return fault.New(fault.Invalid, "the text has characters that cannot be typed into a line, such as a line end or a tab")
	}
	a.Source, a.Text, a.Value = FromText, text, text
	return nil
}

func (q Question) acceptFiles(a *Answer, list []File) error {
	total := 0
	for _, f := range list {
		total += f.Size
	}
	switch {
	case len(list) == 0:
		return nil
	case len(list) > q.Files:
		return fault.New(fault.Invalid, "there are %d files: this question takes %d", len(list), q.Files)
	case total > MaxFileBytes:
		return fault.New(fault.Invalid, "the files have %d bytes: at most %d MiB can be added. Type the path of a larger one", total, MaxFileBytes>>20)
	}
	a.Files = list
	if a.Source == "" {
		a.Source = FromFile // and no value: a file may be named like an option
	}
	return nil
}

func (q Question) acceptValues(a *Answer, values []string) error {
	if len(values) > 1 && !q.Multiple {
		return fault.New(fault.Invalid, "only one option may be chosen")
	}
	seen := map[string]bool{}
	for _, v := range values {
		if _, ok := q.option(v); !ok {
			return fault.New(fault.Invalid, "no option has the value %q", v)
		}
		if seen[v] {
			return fault.New(fault.Invalid, "%q is chosen twice", v)
		}
		seen[v] = true
	}
	if len(values) == 0 {
		return nil
	}
	if q.Multiple { // in the order of the options, not of the clicks
		for _, o := range q.Options {
			if seen[o.Value] {
				a.Values = append(a.Values, o.Value)
			}
		}
		values = a.Values
	}
	a.Source, a.Value = FromOption, values[0]
	return nil
}

// Expire returns the answer to a question to which nobody reacted: its default, or, if it has none,
// the given outcome.
func (q Question) Expire(without Outcome) Answer {
	if q.Default == "" {
		return Answer{Outcome: without, Secret: q.Secret}
	}
	a := Answer{Outcome: Default, Source: FromDefault, Value: q.Default}
	if q.Multiple {
		a.Values = []string{q.Default}
	}
	return a
}
