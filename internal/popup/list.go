package popup

import (
	"cmp"
	"slices"

	"ui-mcp/internal/popup/question"
)

// Past is a question that is over, with its answer, but without secrets.
type Past struct {
	Asked
	Answer question.Answer
}

// Pending lists the questions of all workspaces that have no outcome yet, in the order in which
// they were asked.
func (b *Broker) Pending() []Asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Asked
	for _, l := range b.state.Lanes {
		for _, id := range l.Pending {
			e := b.state.Entries[id]
			a := e.Asked
			a.Idle = e.Stuck != 0
			if e.Until.After(a.Deadline) {
				a.Deadline = e.Until
			}
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(x, y Asked) int { return cmp.Or(x.At.Compare(y.At), cmp.Compare(x.ID, y.ID)) })
	return list
}

// History lists the newest past questions, the newest first, at most n of them.
func (b *Broker) History(n int) []Past {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Past
	for _, past := range b.state.Past {
		for _, id := range past.IDs {
			e := b.state.Entries[id]
			list = append(list, Past{Asked: e.Asked, Answer: e.Answer.Redacted()})
		}
	}
	slices.SortStableFunc(list, func(x, y Past) int { return cmp.Or(y.Answer.At.Compare(x.Answer.At), cmp.Compare(x.ID, y.ID)) })
	return list[:min(n, len(list))]
}

// Workspaces returns the clean paths of the folders that this server serves.
func (b *Broker) Workspaces() []string { return slices.Clone(b.workspaces) }
