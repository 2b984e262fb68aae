package mcppopup

import (
	"context"
	"crypto/sha256"
	"errors"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/transport/mcpserver"
)

// A Permission asks the person whether an agent may do what it is about to do. It is safe for
// concurrent use. Use [NewPermission].
type Permission struct {
	tools     *tools
	terminals func(*term.Session) popup.Channel
}

// permissionTime is how long a permission can be given, in seconds.
const permissionTime = 300

// NewPermission returns a Permission that asks with the given broker. terminals returns the channel
// of the terminals that are attached to a session.
func NewPermission(b *popup.Broker, terminals func(*term.Session) popup.Channel) *Permission {
	return &Permission{tools: newTools(Options{Broker: b}), terminals: terminals}
}

// Ask asks a person whether something may be done, and returns nil if they allow it. It asks in the
// channels of the broker, at the terminals that are attached to the session, and in the dialog of
// the client whose tool was called, if one was. Every answer is used once, and for nothing else.
//
// Errors say, to the program, why it is not allowed. They are of kind Precondition with the detail
// [core.NotPermitted], or Timeout if the person may still answer: then the same call gets the
// answer later. A client that has to show the dialog itself gets a [mcpserver.NeedsInput].
func (p *Permission) Ask(ctx context.Context, i term.Inquiry) error {
	q, err := question.Request{
		Title: i.Title, Message: i.Message, Severity: question.Danger, TimeoutSeconds: permissionTime,
		Options: []question.Option{{Label: "Allow", Value: allow}, {Label: "Refuse", Value: refuse}},
	}.Question()
	if err != nil {
		return err
	}
	of := subject{about: sha256.Sum256(i.About)}
	q.Plain, q.Quote, q.About = true, i.Quote, string(of.about[:])
	ctx, cancel := mcpserver.UntilGone(ctx)
	defer cancel()
	var channels []popup.Channel
	if i.Session != nil {
		channels = []popup.Channel{p.terminals(i.Session)}
	}
	wait := waitOptions(ctx, i.Title)
	wait.Beat = nil // the tool that needs permission reports its progress
	a, err := p.tools.askOrCollect(ctx, of, q, i.Caller, wait, channels...)
	if open, ok := errors.AsType[*popup.OpenError](err); ok && open.Cause == nil {
		return fault.New(fault.Timeout, "the person has not answered yet whether you may do this; nothing was done. The question is still open: call again with the same arguments to wait on")
	}
	if err != nil {
		return err
	}
	return fault.With(core.NotPermitted, judge(a))
}

// Values of the options.
const allow, refuse = "allow", "refuse"

// judge returns nil if an answer allows what was asked about.
func judge(a question.Answer) error {
	switch {
	case a.Outcome == question.Answered && a.Value == allow:
		return nil
	case a.Outcome == question.Answered || a.Outcome == question.Declined:
		return fault.New(fault.Precondition, "the person refused this; nothing was done. Do not try it in another way: ask what to do instead")
	case a.Outcome == question.TimedOut:
		return fault.New(fault.Precondition, "the person did not answer in time whether you may do this; nothing was done. Go on with what needs no permission, or end your turn")
	case a.Outcome == question.NoHuman:
		return fault.New(fault.Precondition, "this needs the person's permission, and nobody can be asked: your client shows no dialog, and no page or terminal is open. Nothing was done. Ask the person in the conversation to do it themselves")
	case a.Outcome == question.Withdrawn:
		return fault.New(fault.Precondition, "the question whether you may do this was withdrawn before anybody answered it; nothing was done. Call again to ask again")
	}
	return fault.New(fault.Precondition, "the person has put away the question whether you may do this; nothing was done. Ask in the conversation")
}
