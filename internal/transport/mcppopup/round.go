package mcppopup

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/mcpserver"
)

// Since revision 2026-07-28 a server does not ask a client in the middle of a call. It answers the
// call with "input required"; the client shows its dialog and calls again with the result. In
// between no call is in progress.

const (
	// roundPatience is how long a client may take to call again before the person is asked
	// elsewhere, too. A later result still counts if nobody has answered by then.
	roundPatience = time.Minute
	// inputKey names the only input that is requested.
	inputKey = "answer"
)

// A round is the client's own dialog for one question, in clients that call again.
type round struct {
	who    client
	tools  *tools
	pass   context.CancelCauseFunc // ends the call, which passes the question on
	over   atomic.Bool             // the call has passed it on, or has ended without
	result chan error              // capacity 1: what the client's answer means for the channel; nil: answered
}

func (r *round) Name() string    { return "elicitation" }
func (r *round) Kind() core.Kind { return core.Elicitation }

func (r *round) Presence() core.Presence {
	if r.over.Load() || r.tools.isBlind(r.who) {
		return core.Absent
	}
	return core.Possible
}

// Show implements [popup.Channel].
func (r *round) Show(ctx context.Context, a popup.Asked) error {
	if r.over.Swap(true) {
		return fmt.Errorf("%w: the client was asked already, or its call has ended", popup.ErrNotShown)
	}
	r.tools.rounds.Store(a.ID, r)
	defer r.tools.rounds.Delete(a.ID)
	r.pass(errPassedOn)
	select {
	case <-ctx.Done():
		return nil
	case <-time.After(roundPatience):
		return fmt.Errorf("%w: the client has not called again", popup.ErrLost)
	case err := <-r.result:
		if err == nil {
			<-ctx.Done() // the question is over
		}
		return err
	}
}

// stateLife is longer than any question is open.
const stateLife = 2 * question.MaxTimeout

// state returns what a client brings back, which says which question was asked when: now.
func (t *tools) state(id string, q question.Question) string {
	state := secret.New()
	t.open.put(broughtBack(state, q), openQuestion{id, time.Now(), time.Now().Add(stateLife)})
	return state
}

// broughtBack returns the subject of a state. The answer to another question does not count.
func broughtBack(state string, q question.Question) subject {
	return subject{about: sha256.Sum256([]byte(state + "\x00" + q.Text() + "\x00" + q.About))}
}

// round returns a round with the client of a call, or nil when it has no dialog or does not call
// again.
func (t *tools) round(call *mcp.CallToolRequest) *round {
	if call == nil {
		return nil
	}
	if p := call.Session.InitializeParams(); p != nil && p.ProtocolVersion < dialogsUntil {
		return nil // its calls are not answered with "input required"
	}
	caps := call.ClientCapabilities()
	if caps == nil || caps.Elicitation == nil || caps.Elicitation.Form == nil && caps.Elicitation.URL != nil {
		return nil
	}
	return &round{who: nameOf(call), tools: t, result: make(chan error, 1)}
}

func nameOf(call *mcp.CallToolRequest) client {
	if info := call.ClientInfo(); info != nil {
		return client{info.Name, info.Version}
	}
	return client{}
}

// errPassedOn ends the waiting of a call whose client asks the person itself. It is [fault.Gone],
// so the question stays open.
var errPassedOn = fault.New(fault.Gone, "the client asks the person itself")

// askInRounds asks with a round among the channels. The error may be a [mcpserver.NeedsInput].
func (t *tools) askInRounds(ctx context.Context, q question.Question, ask popup.AskOptions, wait popup.WaitOptions, r *round) (question.Answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.pass = cancel
	ask.Channels = append(slices.Clip(ask.Channels), r)
	a, err := t.Broker.AskAndWait(ctx, q, ask, wait)
	if open, ok := errors.AsType[*popup.OpenError](err); ok && open.Cause == errPassedOn {
		return a, &mcpserver.NeedsInput{Requests: mcp.InputRequestMap{inputKey: &mcp.ElicitParams{
			Mode: "form", Message: plainText(q), RequestedSchema: schema(q, false),
		}}, State: t.state(open.ID, q)}
	}
	if r.over.Swap(true) { // too late to pass it on
		r.result <- fmt.Errorf("%w: the call has ended", popup.ErrNotShown)
	}
	return a, err
}

// comeBack continues with a question when the client calls again.
func (t *tools) comeBack(ctx context.Context, call *mcp.CallToolRequest, q question.Question, wait popup.WaitOptions) (question.Answer, error) {
	res, _ := call.Params.InputResponses[inputKey].(*mcp.ElicitResult)
	if res == nil {
		return question.Answer{}, fault.New(fault.Invalid, "inputResponses has no %q", inputKey)
	}
	of := broughtBack(call.Params.RequestState, q)
	open, ok := t.open.take(of)
	if !ok {
		return question.Answer{}, fault.New(fault.Invalid, "this requestState belongs to no open question, or to another one: call again without it")
	}
	if q.About == "" { // else the answer counts once
		t.open.put(of, open)
	}
	meaning := t.apply(open.id, q, res, time.Since(open.asked), nameOf(call))
	if r, ok := t.rounds.Load(open.id); ok {
		select {
		case r.(*round).result <- meaning:
		default: // it has come back before
		}
	} else if errors.Is(meaning, popup.ErrPutAway) && t.isIdle(open.id) {
		if err := t.end(open.id, question.Reply{Action: question.Dismiss}); err != nil {
			return question.Answer{}, err
		}
	}
	return t.Broker.Await(ctx, open.id, wait)
}

// isIdle reports whether no channel displays a question.
func (t *tools) isIdle(id string) bool {
	return slices.ContainsFunc(t.Broker.Pending(), func(a popup.Asked) bool { return a.ID == id && a.Idle })
}

// fromPerson returns an error for the result of a dialog that no person can have caused. It is not
// displayed by that client again.
func (t *tools) fromPerson(res *mcp.ElicitResult, took time.Duration, who client) error {
	if took >= tooFast {
		return nil
	}
	if who != (client{}) {
		t.blind.Store(who, true)
	}
	return fmt.Errorf("%w: the client answers %s faster than a person", popup.ErrNotShown, res.Action)
}

// apply applies the result of a dialog if a person can have caused it, and returns what it means
// for the channel.
func (t *tools) apply(id string, q question.Question, res *mcp.ElicitResult, took time.Duration, who client) error {
	if err := t.fromPerson(res, took, who); err != nil {
		return err
	}
	switch res.Action {
	case "accept":
		r := reply(q, res.Content)
		_, err := t.Broker.Answer(id, r, "elicitation")
		if err == nil || fault.KindOf(err) != fault.Invalid {
			return nil
		}
		said := strings.TrimSpace(strings.Join(append(r.Values, r.Text), " "))
		if said == "" {
			return fmt.Errorf("%w: the client accepts without an answer: %w", popup.ErrNotShown, err)
		}
		return t.end(id, question.Reply{Action: question.Dismiss, Text: said})
	case "decline":
		return t.end(id, question.Reply{Action: question.Decline})
	case "cancel":
		return popup.ErrPutAway
	}
	return fmt.Errorf("%w: the client answers neither accept, decline nor cancel", popup.ErrNotShown)
}

// end ends a question as the client's person wants it, unless it is over.
func (t *tools) end(id string, r question.Reply) error {
	_, err := t.Broker.Answer(id, r, "elicitation")
	if fault.KindOf(err) == fault.Exists {
		return nil
	}
	return err
}
