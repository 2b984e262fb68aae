package httppopup

import (
	"strings"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/markup"
	"ui-mcp/internal/popup/question"
)

// state is what a page displays. A question is described when it is new in the order.
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

// state returns the present state for a page, which it then has. Pages list all questions, up to a
// limit; views in conversations list those that they are to display, until they are over.
func (p *Pages) state(c *page) state {
	pending := p.opts.Broker.Pending()
	s := state{Type: "state", Order: []position{}, Questions: []described{}, History: []past{}}
	var fresh []popup.Asked
	listed := map[string]bool{}
	p.mu.Lock()
	for _, a := range pending {
		had := c.listed[a.ID]
		dialog := p.active[a.ID] > 0 || a.Idle && (had || !p.chat)
		if c.over || !dialog && (p.chat && !had || !p.chat && len(s.Order) >= maxListed) {
			continue
		}
		s.Order = append(s.Order, position{ID: a.ID, Dialog: dialog})
		listed[a.ID] = true
		if !had {
			fresh = append(fresh, a)
		}
	}
	c.over = c.over || p.chat && !p.open && len(c.listed) > 0 && len(listed) == 0
	c.listed = listed
	p.mu.Unlock()
	for _, a := range fresh {
		s.Questions = append(s.Questions, describe(a))
	}
	if p.chat {
		s.Waiting = len(s.Order)
		return s
	}
	s.Waiting = len(pending)
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
