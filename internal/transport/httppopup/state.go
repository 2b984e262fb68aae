package httppopup

import (
	"maps"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/markup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
)

// state returns the present state for a page, which it then has. Pages list all questions, up to a
// limit; views in conversations list those that they are to display, until they are over.
func (p *Pages) state(c *Guest) wire.State {
	pending := p.opts.Broker.Pending()
	s := wire.None()
	var fresh []popup.Asked
	listed, open := map[string]bool{}, map[string]bool{}
	p.mu.Lock()
	for _, a := range pending {
		open[a.ID] = true
		had := c.listed[a.ID]
		dialog := p.active[a.ID] > 0 || a.Idle && (had || !p.chat)
		if c.over || !dialog && (p.chat && !had || !p.chat && len(s.Order) >= maxListed) {
			continue
		}
		s.Order = append(s.Order, wire.Position{ID: a.ID, Dialog: dialog})
		listed[a.ID] = true
		if !had {
			fresh = append(fresh, a)
		}
	}
	c.over = c.over || !p.open && len(c.listed) > 0 && len(listed) == 0
	c.listed = listed
	maps.DeleteFunc(c.displayed, func(id string, _ time.Time) bool { return !open[id] })
	p.mu.Unlock()
	for _, a := range fresh {
		s.Questions = append(s.Questions, wire.Describe(a, markup.HTML(a.Question)))
	}
	if p.chat {
		s.Waiting = len(s.Order)
		return s
	}
	s.Waiting = len(pending)
	for _, x := range p.opts.Broker.History(listedHistory) {
		s.History = append(s.History, wire.Past{
			ID: x.ID, Title: x.Question.Title, Outcome: x.Answer.Outcome, Answer: labelOf(x), Channel: x.Answer.Channel, At: x.Answer.At.UnixMilli(),
		})
	}
	return s
}

// labelOf is an answer in the words of the options, or the names of files alone.
func labelOf(x popup.Past) string {
	if x.Answer.Source == question.FromFile {
		var names []string
		for _, f := range x.Answer.Files {
			names = append(names, f.Name)
		}
		return strings.Join(names, ", ")
	}
	values := x.Answer.Values
	if len(values) == 0 {
		values = []string{x.Answer.Value}
	}
	labels := slices.Clone(values)
	for i, v := range values {
		if at := slices.IndexFunc(x.Question.Options, func(o question.Option) bool { return o.Value == v }); at >= 0 {
			labels[i] = x.Question.Options[at].Label
		}
	}
	return strings.Join(labels, ", ")
}
