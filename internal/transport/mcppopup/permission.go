package mcppopup

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/mcpserver"
)

// A Permission asks the person whether an agent may do what it is about to do. It is safe for
// concurrent use. Use [NewPermission].
type Permission struct {
	tools *tools

	mu   sync.Mutex // guards the fields below
	open map[subject]string
	used []string // the IDs of questions whose answer has been used, the newest last
}

// A subject is what a question was about. The next caller that asks about the same gets its answer.
type subject [sha256.Size]byte

// permissionTime is how long a permission can be given, in seconds.
const permissionTime = 300

// maxUsed is how many questions are remembered whose answer has been used. Answers are forgotten
// sooner.
const maxUsed = 2 * popup.MaxHistory

// NewPermission returns a Permission that asks with the given broker.
func NewPermission(b Broker) *Permission {
	return &Permission{tools: newTools(Options{Broker: b}), open: map[subject]string{}}
}

// Ask asks whether something may be done, all of which about has: an answer is for that alone. The
// person reads message, which is text, and quoted, which may be shorter than about. Channels are
// used in addition to the broker's and the dialog of the calling client. It returns nil if the
// person allows it. If it returns a result, that must be the result of the call: the client asks
// the person, and calls once more. Every answer is used once.
//
// Errors say, to the agent, why it is not allowed. They are of kind Precondition, or Timeout if the
// person may still answer: then the same call gets the answer later.
func (p *Permission) Ask(ctx context.Context, about []byte, title, message, quoted string, channels ...popup.Channel) (*mcpserver.Result, error) {
	q, err := question.Spec{
		Title: title, Message: message, Severity: question.Danger, TimeoutSeconds: permissionTime,
		Options: []question.Option{{Label: "Allow", Value: allow}, {Label: "Refuse", Value: refuse}},
	}.Question()
	if err != nil {
		return nil, err
	}
	of := subject(sha256.Sum256(about))
	q.Plain, q.Quote, q.About = true, quoted, string(of[:])
	ctx, cancel := mcpserver.UntilGone(ctx)
	defer cancel()
	var a question.Answer
	var need *mcpserver.Result
	if id, ok := p.takeOpen(of); ok {
		a, err = p.tools.Broker.Collect(ctx, id, p.tools.waitOn(ctx, title))
	} else {
		a, need, err = p.tools.ask(ctx, q, channels...)
	}
	if need != nil {
		return need, nil
	}
	if open, ok := errors.AsType[*popup.OpenError](err); ok {
		p.mu.Lock()
		p.open[of] = open.ID
		p.mu.Unlock()
		return nil, fault.New(fault.Timeout, "the person has not answered yet whether you may do this; nothing was done. The question is still open: call again with the same arguments to wait on")
	}
	if err != nil {
		return nil, err
	}
	return nil, p.judge(a)
}

// Answer passes on what the person has replied in a channel that was given to Ask.
func (p *Permission) Answer(id string, r question.Reply, channel string) error {
	_, err := p.tools.Broker.Answer(id, r, channel)
	return err
}

// Values of the options.
const allow, refuse = "allow", "refuse"

// takeOpen returns the question that an earlier caller gave up waiting for.
func (p *Permission) takeOpen(of subject) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, ok := p.open[of]
	delete(p.open, of)
	return id, ok
}

// judge returns nil if an answer allows what was asked about.
func (p *Permission) judge(a question.Answer) error {
	switch {
	case a.Outcome == question.Answered && a.Value == allow:
		if !p.use(a.PopupID) {
			return fault.New(fault.Precondition, "the person allowed this once, and it was done; call again to ask again")
		}
		return nil
	case a.Outcome == question.Answered || a.Outcome == question.Declined:
		return fault.New(fault.Precondition, "the person refused this; nothing was done. Do not try it in another way: ask what to do instead")
	case a.Outcome == question.TimedOut:
		return fault.New(fault.Precondition, "the person did not answer in time whether you may do this; nothing was done. Go on with what needs no permission, or end your turn")
	case a.Outcome == question.NoHuman:
		return fault.New(fault.Precondition, "this needs the person's permission, and nobody can be asked: your client shows no dialog, and no page or terminal is open. Nothing was done. Ask the person in the conversation to do it themselves")
	}
	return fault.New(fault.Precondition, "the person put the question away whether you may do this; nothing was done. Ask in the conversation")
}

// use records that an answer is used, and reports whether it was unused.
func (p *Permission) use(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.used, id) {
		return false
	}
	p.used = append(p.used, id)
	if len(p.used) > maxUsed {
		p.used = slices.Delete(p.used, 0, 1)
	}
	return true
}
