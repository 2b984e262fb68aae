package uimcp

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	sockets "ui-mcp/internal/listen"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/nearby"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	server "ui-mcp/internal/transport/client"
)

// newOtherHosts returns the channel of the person's other hosts: the user's servers of terminals
// whose questions are displayed there.
func newOtherHosts(b *popup.Broker) *nearby.Programs {
	return nearby.New(nearby.Options{Name: "another host", Broker: b, List: followed})
}

// followed returns the user's servers of terminals whose questions are displayed on other hosts.
func followed() []nearby.Program {
	var all []nearby.Program
	for _, s := range discovery.Look(os.Environ()) {
		if s.Watched && s.Socket != "" && s.Token == "" {
			all = append(all, nearby.Program{ID: fmt.Sprint(s.PID, " ", s.Socket), Ask: follower(s.Socket).ask})
		}
	}
	return all
}

// A follower is the Unix socket of a server of terminals.
type follower string

// ask is [nearby.Program.Ask].
func (f follower) ask(ctx context.Context, a popup.Asked, reply func(question.Reply) error) (question.Outcome, error) {
	c := server.New(server.Options{Dial: func(context.Context) (net.Conn, error) { return sockets.Dial(string(f)) }})
	defer c.Close(nil)
	in := terminals.NewQuestion{ID: a.ID, Asker: a.Asker, Question: a.Question.Posed(time.Until(a.Deadline))}
	answer, err := terminals.AskQuestion.Do(ctx, c, terminals.Everything, in)
	switch {
	case fault.KindOf(err) == fault.Gone:
		return "", fmt.Errorf("%w: %w", popup.ErrLost, err)
	case err != nil:
		return "", err
	}
	if r, ok := replyOf(answer); ok {
		return answer.Outcome, reply(r)
	}
	return answer.Outcome, nil
}

// replyOf returns the reply of the person that has led to an answer, if one has.
func replyOf(a question.Answer) (question.Reply, bool) {
	switch a.Outcome {
	case question.Dismissed:
		return question.Reply{Action: question.Dismiss}, true
	case question.Declined:
		return question.Reply{Action: question.Decline}, true
	case question.Answered:
	default:
		return question.Reply{}, false
	}
	r := question.Reply{Action: question.Submit, Values: a.Values, Text: a.Text}
	if a.Source == question.FromOption && len(r.Values) == 0 {
		r.Values = []string{a.Value}
	}
	return r, true
}
