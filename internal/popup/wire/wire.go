// Package wire is how questions look to a page: the messages in both directions, as JSON, whatever
// carries them. The side of the page is web/src/popup/wire.ts; docs/protocol.md has the messages.
package wire

import (
	"encoding/json"
	"html"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
)

// A State is what a page displays. A question is described when it is new in the order.
type State struct {
	Type      string      `json:"type"` // "state"
	Order     []Position  `json:"order"`
	Questions []Described `json:"questions"`
	Waiting   int         `json:"waiting"` // questions without an outcome
	History   []Past      `json:"history"`
}

// A Position is a question in the queue.
type Position struct {
	ID     string `json:"id"`
	Dialog bool   `json:"dialog"` // pages show it as a dialog; others are shown elsewhere, or wait
}

// Described is a question with all that pages show of it.
type Described struct {
	ID        string            `json:"id"`
	Workspace string            `json:"workspace"`
	Title     string            `json:"title"`
	HTML      string            `json:"html"`
	Options   []question.Option `json:"options"`
	AllowText bool              `json:"allowText"`
	Multiple  bool              `json:"multiple"`
	Prompt    bool              `json:"prompt"` // of a program in a terminal
	Secret    bool              `json:"secret"`
	Reveal    bool              `json:"reveal"` // the asker gets the secret
	Asker     question.Asker    `json:"asker"`
	Host      string            `json:"host"`             // the other host on which it is asked, or ""
	Client    string            `json:"client,omitempty"` // see [question.Asked]
	Default   string            `json:"default"`
	Severity  question.Severity `json:"severity"`
	Images    []question.Image  `json:"images"`
	Files     int               `json:"files,omitempty"` // how many the person may add
	At        int64             `json:"at"`              // milliseconds since 1970
	Deadline  int64             `json:"deadline"`        // the same
}

// Past is a question that is over.
type Past struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Outcome question.Outcome `json:"outcome"`
	Answer  string           `json:"answer"` // labels, or the text
	Channel string           `json:"channel"`
	At      int64            `json:"at"`
}

// A Verdict tells a page whether its answer was accepted.
type Verdict struct {
	Type  string `json:"type"` // "verdict"
	ID    string `json:"id"`
	OK    bool   `json:"ok"`
	Over  bool   `json:"over,omitempty"` // the question is over, however it ended
	Error string `json:"error,omitempty"`
	Again int64  `json:"again,omitempty"` // milliseconds after which the same answer can be sent again
}

// VerdictOn returns the verdict on an answer that was accepted, or got an error. A question that is
// not over can be answered again.
func VerdictOn(id string, err error) Verdict {
	v := Verdict{Type: "verdict", ID: id, OK: err == nil, Over: err == nil}
	if err != nil {
		v.Error = err.Error()
	}
	switch fault.KindOf(err) {
	case fault.Exists, fault.NotFound, fault.Gone:
		v.Over = true
	}
	return v
}

// Received is any message of a page.
type Received struct {
	Type    string          `json:"type"`
	Focused bool            `json:"focused"`
	ID      string          `json:"id"`
	Action  question.Action `json:"action"`
	Values  []string        `json:"values"`
	Text    string          `json:"text"`
	Files   []struct {
		Name string `json:"name"`
		Mime string `json:"mime"`
		Data []byte `json:"data"` // in base64
	} `json:"files"`
}

// Reply returns the reply in an answer.
func (m Received) Reply() question.Reply {
	r := question.Reply{Action: m.Action, Values: m.Values, Text: m.Text}
	for _, f := range m.Files {
		r.Files = append(r.Files, question.File{
			Name: safetext.Cut(safetext.Plain(f.Name), 255), Mime: safetext.Cut(safetext.Plain(f.Mime), 255), Size: len(f.Data), Data: f.Data,
		})
	}
	return r
}

// Decode returns a page's message. A malformed one has no type.
func Decode(msg []byte) Received {
	var m Received
	if json.Unmarshal(msg, &m) != nil {
		return Received{}
	}
	return m
}

// None returns the state of a page that displays no questions.
func None() State {
	return State{Type: "state", Order: []Position{}, Questions: []Described{}, History: []Past{}}
}

// One returns the state of a page that displays one question as a dialog, or none if it is nil. Its
// message is displayed as it is written.
func One(a *question.Asked) State {
	s := None()
	if a != nil {
		s.Order, s.Questions, s.Waiting = append(s.Order, Position{a.ID, true}), append(s.Questions, Describe(*a, HTML(a.Question, ""))), 1
	}
	return s
}

// Describe returns a question with all that pages show of it: message is its message as HTML that
// is safe in a page.
func Describe(a question.Asked, message string) Described {
	q := a.Question
	return Described{
		ID: a.ID, Workspace: a.Workspace, Title: q.Title, HTML: message, Options: append([]question.Option{}, q.Options...),
		AllowText: q.AllowText, Multiple: q.Multiple, Prompt: q.Prompt, Secret: q.Secret, Reveal: q.Reveal, Asker: a.Asker, Host: a.Host, Client: a.Client, Default: q.Default, Severity: q.Severity,
		Images: append([]question.Image{}, q.Images...), Files: q.Files, At: a.At.UnixMilli(), Deadline: a.Deadline.UnixMilli(),
	}
}

// HTML returns what is to be read of a question as HTML that is safe in a page. message is its
// message as such HTML; "" displays that as it is written.
func HTML(q question.Question, message string) string {
	if message == "" && q.Message != "" {
		message = "<p>" + html.EscapeString(q.Message) + "</p>"
	}
	if q.Quote != "" {
		message += "<pre><code>" + html.EscapeString(q.Quote) + "</code></pre>"
	}
	return message
}
