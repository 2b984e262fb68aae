// Package relay carries messages between this server and views that can only call it, such as views
// in a conversation, which reach the server through one of its tools. Messages from the server wait
// until the view polls. Each direction is numbered: a call or a reply that was lost is repeated,
// and no message is processed twice.
//
// It knows neither MCP nor the content of the messages. docs/protocol.md describes the calls;
// web/src/chat/relay.ts is the other side.
package relay

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/secret"
)

// Version is the version of the calls.
const Version = 1

// Limits of a hub.
const (
	// MaxWait bounds how long a poll is held. Clients give up calls after a minute, some earlier.
	MaxWait = 25 * time.Second
	// MaxReply is how many bytes of messages a reply may have. A single piece may exceed it.
	MaxReply = 256 << 10
	// MaxPiece is how many bytes of a message fit into one frame, in both directions.
	MaxPiece = 128 << 10
	// MaxMessage bounds a message of a view, in bytes.
	MaxMessage = 32 << 20
	// MaxQueued is how many bytes may wait for a view. A view that exceeds it is ended, and must
	// say hello again.
	MaxQueued = 64 << 20
	// MaxQueuedInAll is how many bytes may wait for all views of a hub. When there are more, the
	// view with the longest queue is ended.
	MaxQueuedInAll = 256 << 20
	// MaxUnfinishedInAll is how many bytes of messages that have begun and not ended all views of a
	// hub may have. When there are more, the view with the most is ended.
	MaxUnfinishedInAll = 128 << 20
	// MaxViews is how many views may be connected.
	MaxViews = 100
	// Lapse is how long a view may be silent. Hidden views poll every 45 seconds, of which browsers
	// make up to two minutes.
	Lapse = 150 * time.Second
	// VisibleLapse is the same after a poll that was willing to wait. Views that can be seen poll
	// again at once, unless the person has to approve the call.
	VisibleLapse = 60 * time.Second
	// Pace is the shortest time between two replies with messages, unless the person has just
	// acted. It spares hosts hundreds of calls a second.
	Pace = 30 * time.Millisecond

	// willing is the shortest wait of a poll of a view that can be seen. Hidden ones only look.
	willing = time.Second

	maxID = 64 // characters of a view's ID
	minID = 16

	maxChannel = 64 // bytes of a channel's name
	maxParts   = 64 // incomplete messages of a view

	maxFormer = 1000 // IDs of former views that are remembered
)

// A Code says why a call failed. Views act on it.
type Code string

// Codes.
const (
	BadVersion  Code = "version"      // the view is of another build: it must be loaded again
	BadToken    Code = "token"        // the token is unknown or in use: read the view again for another
	UnknownView Code = "unknown_view" // say hello first, or again
	Refused     Code = "refused"      // the call or a message is invalid, or there are too many views
)

// A Call is one call of a view.
type Call struct {
	Version int             `json:"v" jsonschema:"the version of the calls"`
	View    string          `json:"view"`            // chosen by the view at random; callers that know it can act for the view
	Token   string          `json:"token,omitempty"` // with Hello
	Hello   json.RawMessage `json:"hello,omitempty"` // starts the view; nil in later calls. Repeating a hello is harmless
	Was     string          `json:"was,omitempty"`   // with Hello: the ID of the same document's previous connection, or ""
	First   int64           `json:"first,omitempty"` // the number of the first frame in Out; they count from 1
	Out     []Frame         `json:"out,omitempty"`
	Ack     int64           `json:"ack,omitempty"`                            // the number of the last frame that the view has received; 0 if none
	WaitMS  int64           `json:"wait,omitempty" jsonschema:"milliseconds"` // how long to wait for messages; at most MaxWait
	Bye     bool            `json:"bye,omitempty"`                            // ends the view
}

// A Frame is a message on a channel, or a piece of one.
type Frame struct {
	Channel string          `json:"c"`
	Message json.RawMessage `json:"m,omitempty"`    // the whole message
	Piece   string          `json:"p,omitempty"`    // or a piece of its JSON
	More    bool            `json:"more,omitempty"` // further pieces follow
}

// A Reply answers a call.
type Reply struct {
	Version int     `json:"v"`
	Got     int64   `json:"got"`             // the number of the last frame received from the view
	First   int64   `json:"first,omitempty"` // the number of the first frame in In
	In      []Frame `json:"in,omitempty"`
	Error   Code    `json:"error,omitempty"`
	Message string  `json:"message,omitempty"` // about Error, for people
}

// A Handler is the server's end of one view.
type Handler interface {
	// Receive handles a message. Calls come one at a time, in the order of the messages. An error
	// ends the view.
	Receive(ctx context.Context, channel string, msg []byte) error
	// Close is called once, when the view has ended. Receive may still be running.
	Close()
}

// Options configure a hub. Open is required.
type Options struct {
	// Open starts the handler of a new view. It may already send messages to the view.
	Open func(ctx context.Context, v *View, hello json.RawMessage) (Handler, error)
	// Key checks the tokens of views that say hello: see [NewToken]. "" admits every view.
	Key secret.Key
	// Log records when views come and go; nil discards it. Messages are never logged.
	Log *slog.Logger
}

// A Hub has the views of a server. Its methods may be called from any goroutine. Use [NewHub].
type Hub struct {
	opts       Options
	queued     atomic.Int64 // bytes that wait for views
	unfinished atomic.Int64 // bytes of messages from views that have not ended

	mu     sync.Mutex // guards the fields below
	closed bool
	views  map[string]*View
	former []string // the IDs of the views that ended last
}

// NewHub returns a hub without views. The caller must Close it.
func NewHub(opts Options) *Hub {
	if opts.Open == nil {
		panic("relay: Open is required")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Hub{opts: opts, views: map[string]*View{}}
}

// Close ends all views and refuses new ones. Calls in progress return.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	views := slices.Collect(maps.Values(h.views))
	h.mu.Unlock()
	for _, v := range views {
		v.End("the server is stopping")
	}
}

// Views returns the number of views.
func (h *Hub) Views() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.views)
}

// Call carries out a call of a view. It waits for messages at most as long as the call says, and
// returns earlier when ctx ends.
func (h *Hub) Call(ctx context.Context, c Call) Reply {
	v, replaced, failure := h.enter(c)
	for _, old := range replaced {
		old.End("its document has connected again")
	}
	if failure != nil {
		return *failure
	}
	defer v.leave()
	if err := v.take(c.Hello, c.First, c.Out); err != nil {
		return v.failed(err)
	}
	if c.Bye {
		v.End("it said goodbye")
		return v.taken(false)
	}
	return v.reply(ctx, c.Ack, min(time.Duration(c.WaitMS)*time.Millisecond, MaxWait), len(c.Out) > 0)
}

// enter finds or creates the view of a call, which the caller must leave, unless the call fails.
// replaced are the views that a new one replaces.
func (h *Hub) enter(c Call) (v *View, replaced []*View, failed *Reply) {
	switch {
	case c.Version != Version:
		return nil, nil, failure(BadVersion, "This view is of another version of the server: load it again.")
	case len(c.View) < minID || len(c.View) > maxID:
		return nil, nil, failure(Refused, "A view has an ID of 16 to 64 random characters.")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.views[c.View]; v != nil {
		v.enter()
		return v, nil, nil
	}
	_, known := h.opts.Key.Open(tokenScope, c.Token)
	switch {
	case c.Hello == nil:
		if c.Bye { // its hello may come later: hosts pass calls on at the same time
			h.remember(c.View)
		}
		return nil, nil, failure(UnknownView, "This view has to say hello first.")
	case h.closed:
		return nil, nil, failure(Refused, "The server is stopping.")
	case slices.Contains(h.former, c.View): // a host has repeated or delayed the call
		return nil, nil, failure(UnknownView, "This view has ended. To connect again, it has to choose another ID.")
	case h.opts.Key != "" && !known:
		return nil, nil, failure(BadToken, "The token is unknown.")
	}
	for _, other := range h.views {
		switch {
		case other.id == c.Was: // its calls may go on: hosts drop views without notice
		case h.opts.Key == "" || other.token != c.Token:
			continue
		case other.isCalling(): // a view on display nearly always has a poll in progress
			return nil, nil, failure(BadToken, "The chat displays this view twice. Use the other one, or try again in a moment.")
		}
		replaced = append(replaced, other)
	}
	if len(h.views)-len(replaced) >= MaxViews {
		return nil, nil, failure(Refused, "Too many views are open.")
	}
	ctx, cancel := context.WithCancel(context.Background())
	v = &View{
		hub: h, id: c.View, token: c.Token, ctx: ctx, cancel: cancel,
		wake: make(chan struct{}, 1), taking: make(chan struct{}, 1), base: 1,
		joined: joiner{parts: map[string]*strings.Builder{}},
	}
	v.lapse = time.AfterFunc(Lapse, v.lapsed)
	v.enter()
	h.views[c.View] = v
	return v, replaced, nil
}

// tokenScope distinguishes tokens of views from what else is sealed with a key.
const tokenScope = "view"

// NewToken returns the token of a document, which its view must present in its hello. A token
// admits one view at a time, so a host may keep a document and mount it again, but not twice at
// once. It is good for a year in every process that has the same key.
func NewToken(k secret.Key) string { return k.Seal(tokenScope, secret.New(), secret.MaxLife) }

func failure(code Code, message string) *Reply {
	return &Reply{Version: Version, Error: code, Message: message}
}

// relieve ends the view that has most of what size counts. The view's mutex is held when it is
// called.
func (h *Hub) relieve(size func(*View) int, reason string) {
	h.mu.Lock()
	var largest *View
	most := 0
	for _, v := range h.views {
		v.mu.Lock()
		if n := size(v); n > most {
			largest, most = v, n
		}
		v.mu.Unlock()
	}
	h.mu.Unlock()
	if largest != nil {
		largest.End(reason)
	}
}

func (h *Hub) remove(v *View) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.views, v.id)
	h.remember(v.id)
}

// remember remembers that a view has ended. The mutex is held when it is called.
func (h *Hub) remember(id string) {
	h.former = append(h.former, id)
	if more := len(h.former) - maxFormer; more > 0 {
		h.former = slices.Delete(h.former, 0, more)
	}
}

// Pieces returns the frames for a message.
func Pieces(channel string, msg []byte) []Frame {
	if len(msg) <= MaxPiece {
		return []Frame{{Channel: channel, Message: msg}}
	}
	var frames []Frame
	for len(msg) > 0 {
		n := min(len(msg), MaxPiece)
		for back := 0; back < utf8.UTFMax-1 && n < len(msg) && !utf8.RuneStart(msg[n]); back++ {
			n-- // not within a character
		}
		frames = append(frames, Frame{Channel: channel, Piece: string(msg[:n]), More: n < len(msg)})
		msg = msg[n:]
	}
	return frames
}

// A joiner puts the pieces of messages together. Pieces of different channels may alternate.
type joiner struct {
	parts map[string]*strings.Builder
	size  int
}

// add returns the message that a frame completes, or nil.
func (j *joiner) add(f Frame) ([]byte, error) {
	if len(f.Channel) > maxChannel {
		return nil, fault.New(fault.Invalid, "the name of a channel has more than %d bytes", maxChannel)
	}
	if f.Message != nil {
		if j.parts[f.Channel] != nil {
			return nil, fault.New(fault.Invalid, "a message on %q interrupts another", f.Channel)
		}
		return f.Message, nil
	}
	if j.size += len(f.Piece); j.size > MaxMessage {
		return nil, fault.New(fault.Exhausted, "a message has more than %d MiB", MaxMessage>>20)
	}
	part := j.parts[f.Channel]
	if part == nil {
		if len(j.parts) >= maxParts {
			return nil, fault.New(fault.Exhausted, "more than %d messages have begun and not ended", maxParts)
		}
		part = &strings.Builder{}
		j.parts[f.Channel] = part
	}
	part.WriteString(f.Piece)
	if f.More {
		return nil, nil
	}
	delete(j.parts, f.Channel)
	j.size -= part.Len()
	msg := []byte(part.String())
	if !json.Valid(msg) {
		return nil, fault.New(fault.Invalid, "the pieces of a message on %q are not JSON", f.Channel)
	}
	return msg, nil
}
