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
// they were asked. Questions that another server shows are not among them.
func (b *Broker) Pending() []Asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Asked
	for _, q := range b.queues {
		for _, e := range q.pending {
			if e.peer == nil {
				a := e.Asked
				a.Idle = e.stuck != nil
				a.Deadline = e.endLocked()
				list = append(list, a)
			}
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
	for _, past := range b.past {
		for _, e := range past {
			if e.peer == nil {
				list = append(list, Past{Asked: e.Asked, Answer: e.answer.Redacted()})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y Past) int { return cmp.Or(y.Answer.At.Compare(x.Answer.At), cmp.Compare(x.ID, y.ID)) })
	return list[:min(n, len(list))]
}

// Workspaces returns the clean paths of the folders that this server serves.
func (b *Broker) Workspaces() []string { return slices.Clone(b.workspaces) }
