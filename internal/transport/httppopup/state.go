package httppopup

import (
	"strings"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/markup"
	"ui-mcp/internal/popup/question"
)

// state is what a page displays. A question is described once on each connection.
type state struct {
	Type      string      `json:"type"` // "state"
	Order     []position  `json:"order"`
	Questions []described `json:"questions"`
	Waiting   int         `json:"waiting"` // questions without an outcome
	History   []past      `json:"history"`
}

// position is a question in the queue.
type position struct {
	ID     string `json:"id"`
	Dialog bool   `json:"dialog"` // pages show it as a dialog; others are shown elsewhere, or wait
}

// described is a question with all that pages show of it.
type described struct {
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
	Asker     popup.Asker       `json:"asker"`
	Default   string            `json:"default"`
	Severity  question.Severity `json:"severity"`
	Images    []question.Image  `json:"images"`
	At        int64             `json:"at"`       // milliseconds since 1970
	Deadline  int64             `json:"deadline"` // the same
}

// past is a question that is over.
type past struct {
	ID      string           `json:"id"`
	Title   string           `json:"title"`
	Outcome question.Outcome `json:"outcome"`
	Answer  string           `json:"answer"` // labels, or the text
	Channel string           `json:"channel"`
	At      int64            `json:"at"`
}

// noQuestions returns the state of a page that displays none.
func noQuestions() state {
	return state{Type: "state", Order: []position{}, Questions: []described{}, History: []past{}}
}

// state returns the present state for a page that has been sent the known questions, and adds to
// them.
func (p *Pages) state(known map[string]bool) state {
	pending := p.opts.Broker.Pending()
	s := noQuestions()
	s.Waiting = len(pending)
	p.mu.Lock()
	dialogs := make(map[string]bool, len(p.active))
	for id := range p.active {
		dialogs[id] = true
	}
	p.mu.Unlock()
	if p.chat {
		s.Waiting = len(dialogs)
	}
	for _, a := range pending {
		if (p.chat || len(s.Order) == maxListed) && !dialogs[a.ID] {
			continue
		}
		s.Order = append(s.Order, position{ID: a.ID, Dialog: dialogs[a.ID]})
		if !known[a.ID] {
			known[a.ID] = true
			s.Questions = append(s.Questions, describe(a))
		}
	}
	if p.chat {
		return s
	}
	for _, x := range p.opts.Broker.History(listedHistory) {
		s.History = append(s.History, summarise(x))
	}
	return s
}

func describe(a popup.Asked) described {
	q := a.Question
	return described{
		ID: a.ID, Workspace: a.Workspace, Title: q.Title, HTML: markup.HTML(q), Options: append([]question.Option{}, q.Options...),
		AllowText: q.AllowText, Multiple: q.Multiple, Prompt: q.Prompt, Secret: q.Secret, Reveal: q.Reveal, Asker: a.Asker, Default: q.Default, Severity: q.Severity,
		Images: append([]question.Image{}, q.Images...), At: a.At.UnixMilli(), Deadline: a.Deadline.UnixMilli(),
	}
}

func summarise(x popup.Past) past {
	return past{
		ID: x.ID, Title: x.Question.Title, Outcome: x.Answer.Outcome, Answer: labelOf(x), Channel: x.Answer.Channel, At: x.Answer.At.UnixMilli(),
	}
}

// labelOf is an answer in the words of the options.
func labelOf(x popup.Past) string {
	values := x.Answer.Values
	if len(values) == 0 {
		values = []string{x.Answer.Value}
	}
	var out strings.Builder
	for _, v := range values {
		label := v
		for _, o := range x.Question.Options {
			if o.Value == v {
				label = o.Label
			}
		}
		if out.Len() > 0 {
			out.WriteString(", ")
		}
		out.WriteString(label)
	}
	return out.String()
}
