package mcppopup

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/mcpserver"
)

// Since revision 2026-07-28 a server does not ask a client in the middle of a call. It answers the call by saying that input
// is required; the client shows its dialog, and calls again with what came of it. In between no call is under way.

const (
	// roundPatience is how long a client may take to call again before the person is asked elsewhere, too. What it brings
	// later still counts, if nobody has answered by then.
	roundPatience = time.Minute
	// inputKey names the one thing that is asked for.
	inputKey = "answer"
)

// A round is the client's own dialog for one question, in clients that call again.
type round struct {
	who   client
	blind *blind
	over  atomic.Bool      // the call that could have told the client has ended
	told  chan popup.Asked // capacity 1: the question, for the call to tell
	back  chan error       // capacity 1: what the client's answer means for the channel; nil: the question is answered
	gone  func(id string)  // called when Show returns
}

func (r *round) Name() string     { return "elicitation" }
func (r *round) Kind() popup.Kind { return popup.Elicitation }

func (r *round) Presence() popup.Presence {
	if r.over.Load() || r.blind.has(r.who) {
		return popup.Absent
	}
	return popup.Possible
}

// Show implements [popup.Channel].
func (r *round) Show(ctx context.Context, a popup.Asked) error {
	select {
	case r.told <- a:
	default:
		return fmt.Errorf("%w: the client was asked already", popup.ErrNotShown)
	}
	defer r.gone(a.ID)
	late := time.NewTimer(roundPatience)
	defer late.Stop()
	select {
	case <-ctx.Done():
		return nil
	case <-late.C:
		return fmt.Errorf("%w: the client has not called again", popup.ErrNotShown)
	case err := <-r.back:
		if err == nil {
			<-ctx.Done() // the question is over
		}
		return err
	}
}

// rounds are those that a client is to come back from, by the id of their question. Its methods may be called from any
// goroutine.
type rounds struct {
	key []byte // of the seals; it is as old as the process, and so are the rounds

	mu   sync.Mutex // guards the field below
	open map[string]*round
}

func newRounds() *rounds {
	return &rounds{key: []byte(rand.Text()), open: map[string]*round{}}
}

func (rs *rounds) add(id string, r *round) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.open[id] = r
}

func (rs *rounds) remove(id string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.open, id)
}

func (rs *rounds) get(id string) *round {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.open[id]
}

// seal makes the state that a client brings back: which question, asked when. Nobody else can make one.
func (rs *rounds) seal(id string, at time.Time) string {
	text := id + " " + strconv.FormatInt(at.UnixMilli(), 10)
	return base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + base64.RawURLEncoding.EncodeToString(rs.sign(text))
}

func (rs *rounds) sign(text string) []byte {
	mac := hmac.New(sha256.New, rs.key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func (rs *rounds) unseal(state string) (id string, at time.Time, err error) {
	bad := fault.New(fault.Invalid, "this requestState is not of a question that is open here: call popup again without it")
	encoded, signature, _ := strings.Cut(state, ".")
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return "", time.Time{}, bad
	}
	mac, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || !hmac.Equal(mac, rs.sign(string(text))) {
		return "", time.Time{}, bad
	}
	id, ms, _ := strings.Cut(string(text), " ")
	n, err := strconv.ParseInt(ms, 10, 64)
	if err != nil {
		return "", time.Time{}, bad
	}
	return id, time.UnixMilli(n), nil
}

// round returns that of a client which calls, or nil when it has no dialog or does not call again.
func (t *tools) round(call *mcp.CallToolRequest) *round {
	if call == nil || !callsAgain(call.Session) {
		return nil
	}
	caps := call.ClientCapabilities()
	if caps == nil || caps.Elicitation == nil || caps.Elicitation.Form == nil && caps.Elicitation.URL != nil {
		return nil
	}
	return &round{
		who: nameOf(call), blind: t.blind,
		told: make(chan popup.Asked, 1), back: make(chan error, 1), gone: t.rounds.remove,
	}
}

// callsAgain reports whether a client is of the revisions in which it is told that input is required.
func callsAgain(ss *mcp.ServerSession) bool {
	p := ss.InitializeParams()
	return p == nil || p.ProtocolVersion >= dialogsUntil
}

func nameOf(call *mcp.CallToolRequest) client {
	if info := call.ClientInfo(); info != nil {
		return client{info.Name, info.Version}
	}
	return client{}
}

// errTold is why a call stops to wait whose client has been told to ask. It is [fault.Gone], so the question stays.
var errTold = fault.New(fault.Gone, "the client asks the person itself")

// askInRounds asks with a round among the channels. The result may be that input is required.
func (t *tools) askInRounds(ctx context.Context, q question.Question, r *round) (mcpserver.Result, error) {
	type end struct {
		answer question.Answer
		err    error
	}
	wait, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan end, 1)
	go func() {
		a, err := t.Broker.AskAndWait(wait, q, popup.AskOptions{Channels: []popup.Channel{r}}, waitOptions(ctx, q.Title))
		ended <- end{a, err}
	}()
	select {
	case e := <-ended:
		r.over.Store(true)
		select {
		case <-r.told: // too late to tell anybody
			r.back <- fmt.Errorf("%w: the call has ended", popup.ErrNotShown)
		default:
		}
		return t.result(e.answer, &q, e.err)
	case a := <-r.told:
		t.rounds.add(a.ID, r)
		cancel(errTold)
		<-ended // the question goes on, and somebody may have answered it: the client will see
		return mcpserver.NeedInput(mcp.InputRequestMap{inputKey: &mcp.ElicitParams{
			Mode: "form", Message: q.Title + "\n\n" + q.Message, RequestedSchema: schema(q),
		}}, t.rounds.seal(a.ID, time.Now())), nil
	}
}

// comeBack goes on with a question when the client calls again.
func (t *tools) comeBack(ctx context.Context, call *mcp.CallToolRequest, q question.Question) (mcpserver.Result, error) {
	id, at, err := t.rounds.unseal(call.Params.RequestState)
	if err != nil {
		return mcpserver.Result{}, err
	}
	res, _ := call.Params.InputResponses[inputKey].(*mcp.ElicitResult)
	if res == nil {
		return mcpserver.Result{}, fault.New(fault.Invalid, "inputResponses has no %q", inputKey)
	}
	meaning := t.believe(id, q, res, time.Since(at), nameOf(call))
	if r := t.rounds.get(id); r != nil {
		select {
		case r.back <- meaning:
		default: // it has come back before
		}
	}
	a, err := t.Broker.Collect(ctx, id, waitOptions(ctx, q.Title))
	if err != nil && ctx.Err() != nil && fault.KindOf(context.Cause(ctx)) != fault.Gone {
		// The client has gone, and nobody else waits.
		if err := t.Broker.Withdraw(id); err != nil {
			return mcpserver.Result{}, err
		}
		a, err = t.Broker.Collect(context.WithoutCancel(ctx), id, popup.WaitOptions{})
	}
	return t.result(a, &q, err)
}

// believe takes what a dialog answers where a person can have answered it, and returns what it means for the channel.
func (t *tools) believe(id string, q question.Question, res *mcp.ElicitResult, took time.Duration, who client) error {
	switch {
	case res.Action == "accept":
		if _, err := t.Broker.Answer(id, reply(q, res.Content), "elicitation"); fault.KindOf(err) == fault.Invalid && err != nil {
			return fmt.Errorf("%w: the client accepts without an answer: %w", popup.ErrNotShown, err)
		}
	case took < tooFast:
		if who != (client{}) {
			t.blind.note(who)
		}
		return fmt.Errorf("%w: the client answers %s faster than a person", popup.ErrNotShown, res.Action)
	case res.Action == "decline":
		if _, err := t.Broker.Answer(id, question.Reply{Action: question.Decline}, "elicitation"); err != nil && fault.KindOf(err) != fault.Exists {
			return err
		}
	case res.Action == "cancel":
		return popup.ErrPutAway
	default:
		return fmt.Errorf("%w: the client answers neither accept, decline nor cancel", popup.ErrNotShown)
	}
	return nil
}
