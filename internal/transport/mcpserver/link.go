package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A link is a connection that carries messages both ways, which the sessions
// of both eras share. It gives each message that comes in to the session it is
// meant for.
type link struct {
	log  *slog.Logger
	eras [2]*era

	// handshakeOnly keeps revisions without a handshake from being offered. It is
	// set before the sessions are connected.
	handshakeOnly bool

	plain      PlainMethods   // set before anything is accepted
	plainCalls sync.WaitGroup // calls of plain methods; the owner waits for them when the link is closed

	calls   *calls
	gone    chan struct{}   // closed by leave: the client sends nothing more
	stopped <-chan struct{} // closed by whoever serves, to give up calls
	ended   chan struct{}   // closed by end: nothing more will come
	readErr error           // why; set before ended is closed

	closeOnce sync.Once
	closed    chan struct{} // closed by close
	onClose   func() error  // or nil

	sendMu sync.Mutex // held during one send
	send   func(message []byte) error
}

// Indexes of link.eras.
const (
	handshake = iota // sessions that begin with "initialize"
	stateless        // requests that say which version they speak
)

// newLink returns a link that sends messages with send, which is called by one
// goroutine at a time. The caller sets onClose where it needs it.
func newLink(log *slog.Logger, stopped <-chan struct{}, send func([]byte) error) *link {
	l := &link{
		log:     log,
		calls:   newCalls(),
		gone:    make(chan struct{}),
		stopped: stopped,
		ended:   make(chan struct{}),
		closed:  make(chan struct{}),
		send:    send,
	}
	for i := range l.eras {
		l.eras[i] = &era{link: l, incoming: make(chan jsonrpc.Message)}
	}
	return l
}

// leave says that the client sends nothing more, though it may still read. It is called once, before end.
func (l *link) leave() { close(l.gone) }

// end says that nothing more will come, because of err. It is called once, by
// whoever calls accept.
func (l *link) end(err error) {
	l.readErr = err
	close(l.ended)
}

// accept deals with one message. What cannot be taken gets a refusal, which is
// the caller's to send. An error means that the link is of no more use.
func (l *link) accept(data []byte) (*refusal, error) {
	msg, no, ignored := decode(data)
	switch {
	case no != nil:
		return no, nil
	case msg == nil:
		l.log.Warn("ignored a response from the client", "why", ignored)
		return nil, nil
	}
	to := l.eras[handshake]
	if req, ok := msg.(*jsonrpc.Request); ok {
		switch {
		case req.IsCall() && l.plain[req.Method] != nil:
			return l.acceptPlain(req), nil
		case req.IsCall():
			if isStateless(req) {
				to = l.eras[stateless]
			}
			if !l.calls.begin(req, to, nil) {
				return refuseInUse(req), nil
			}
		case req.Method == "notifications/cancelled":
			owner, known := l.calls.cancel(req.Params)
			switch {
			case known && owner == nil:
				return nil, nil // no session has the call
			case known:
				to = owner
			}
		}
	}
	select {
	case to.incoming <- msg:
		return nil, nil
	case <-l.stopped:
	case <-l.closed:
	}
	return nil, io.EOF
}

// refuseInUse refuses a call whose id belongs to another that has not been answered. The SDK would not answer at all. Nor may
// the answer carry the id: the client would take it for that of the first call.
func refuseInUse(req *jsonrpc.Request) *refusal {
	return refuse(nil, jsonrpc.CodeInvalidRequest,
		"Invalid Request: the id %v belongs to a call that has not been answered yet", req.ID.Raw())
}

// isStateless reports whether a request speaks a revision without a handshake,
// which it says in every request. Older revisions may be named there too.
func isStateless(req *jsonrpc.Request) bool { return versionOf(req) >= statelessSince }

// statelessSince is the first revision without a handshake.
const statelessSince = "2026-07-28"

// versionOf is the revision that a request says it speaks; "" if it does not.
func versionOf(req *jsonrpc.Request) string {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	// Params that do not even decode are the session's to refuse.
	_ = json.Unmarshal(req.Params, &params)
	return params.Meta.Version
}

// refuse sends a refusal.
func (l *link) refuse(no *refusal) error {
	l.log.Warn("refused a message from the client", "code", no.Error.Code, "why", no.Error.Message)
	data, err := json.Marshal(no)
	if err != nil {
		return fmt.Errorf("encode a refusal: %w", err)
	}
	return l.write(data)
}

// respond sends the answer to a call, unless the client has cancelled that.
func (l *link) respond(resp *jsonrpc.Response) error {
	call := l.calls.take(resp.ID)
	defer l.calls.end(call)
	if call.cancelled {
		return nil
	}
	data, err := jsonrpc.EncodeMessage(resp)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	return l.write(data)
}

// write is the only place that sends. In JSON only strings can hold bytes that
// are no UTF-8, so replacing them leaves it valid.
func (l *link) write(data []byte) error {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	l.sendMu.Lock()
	defer l.sendMu.Unlock()
	return l.send(data)
}

// close ends both sessions. The output stays open, as it is its owner's.
func (l *link) close() error {
	var err error
	l.closeOnce.Do(func() {
		close(l.closed)
		if l.onClose != nil {
			err = l.onClose()
		}
	})
	return err
}
