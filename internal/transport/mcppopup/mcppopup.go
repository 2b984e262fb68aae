// Package mcppopup is the MCP face of the question to a person: the tools popup and popup_wait,
// and the client's own dialog (elicitation) as one of the channels on which a question can be
// shown.
//
// The tools decode a question and give it to a [popup.Broker], with the channels that only this
// caller has:
//
//	tools ── Broker.AskAndWait ── dialog   the client's dialog, while the call lasts
//	                           ── round    the same, in clients that show it and call again
//	                           ── view     the view that the client displays for the call
//
// The broker decides which of them shows the question, and when. A question outlives a call that
// gives up waiting: openQuestions finds it when the same client asks in the same words again, so
// nobody is asked twice. A [Permission] asks on behalf of other tools. Clients that declare
// dialogs or views and display none are remembered (blind, viewless), and those channels are left
// out for them.
package mcppopup

import (
	"context"
	"sync"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/transport/mcpserver"
)

// Instructions tell a model when to ask.
const Instructions = `popup asks the person: for decisions that are theirs, not for what you can find out.`

// Options configure the tools. Broker is required.
type Options struct {
	Broker *popup.Broker
	// Ready returns why no question can be asked at present, or nil; nil means that nothing
	// prevents it.
	Ready func() error
	// URL returns the address of the page with the questions, or "" while it is not served; nil
	// means that it never is.
	URL func() string
	// Opener returns a channel that opens that page by a function; nil means that there is none.
	Opener func(open func(ctx context.Context, url string) error) popup.Channel
	// Chat displays questions in views in the conversation with a client that has declared that it
	// displays views; it may be nil.
	Chat popup.Channel
	// Views returns how many views have joined Chat so far; nil means that this is unknown.
	Views func() int64
	// Client returns the name of the program that calls, if several may ask, else ""; nil means "".
	Client func(ctx context.Context) string
}

// Register adds the tools to s. It must be called before the first client connects.
func Register(s *mcpserver.Server, o Options) {
	if o.Broker == nil {
		panic("mcppopup: Broker is required")
	}
	t := newTools(o)
	s.AddSendingMiddleware(withForm)
	addPopup(s, t)
	addWait(s, t)
}

func newTools(o Options) *tools {
	if o.Ready == nil {
		o.Ready = func() error { return nil }
	}
	if o.URL == nil {
		o.URL = func() string { return "" }
	}
	if o.Client == nil {
		o.Client = func(context.Context) string { return "" }
	}
	if o.Views == nil {
		o.Views = func() int64 { return 0 }
	}
	return &tools{Options: o, open: openQuestions{open: map[subject]openQuestion{}}}
}

type tools struct {
	Options
	blind    sync.Map      // clients whose dialog nobody sees
	viewless sync.Map      // clients whose views nobody has seen, with how many views had joined by then
	rounds   sync.Map      // each open [round], by the ID of its question
	open     openQuestions // for calls that clients gave up, or make again
}

// How long a call blocks. Clients give up a call that is silent for a minute. Of those that accept
// progress, some wait for ten minutes all the same.
const (
	silentBlock   = 50 * time.Second
	progressBlock = 9 * time.Minute
	patientBlock  = 50 * time.Minute
)

// patient clients have been seen to wait for as long as there is progress.
var patient = map[string]bool{"claude-code": true, "opencode": true}

const popupTool, waitTool = "popup", "popup_wait"

// withDialog returns how a call waits for a question that was asked before. The client's dialog, if
// it has one, displays the question meanwhile, unless another channel does.
func (t *tools) withDialog(ctx context.Context, o popup.WaitOptions) popup.WaitOptions {
	if d := t.dialog(ctx); d != nil {
		o.Channels = []popup.Channel{d}
	}
	return o
}

// waitOptions returns how a call waits. One with a progress token reports progress and waits
// longer.
func waitOptions(ctx context.Context, about string) popup.WaitOptions {
	call := mcpserver.CallOf(ctx)
	if call == nil || call.Params.GetProgressToken() == nil {
		return popup.WaitOptions{Block: silentBlock}
	}
	block := progressBlock
	if patient[nameOf(call).name] {
		block = patientBlock
	}
	return popup.WaitOptions{Block: block, Beat: func(waited time.Duration) {
		waited = waited.Round(time.Second)
		mcpserver.NotifyProgress(ctx, waited, block, "waiting for the person: "+about+" ("+waited.String()+")")
	}}
}

// A client is one program in one version.
type client struct{ name, version string }

// isBlind reports whether a client does not display what it has declared.
func (t *tools) isBlind(c client) bool {
	_, blind := t.blind.Load(c)
	return blind
}
