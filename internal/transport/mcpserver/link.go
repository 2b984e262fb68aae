package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A link is the pair of streams that the sessions of both eras share. It reads
// lines, answers those that are no message, and gives each message to the
// session it is meant for.
type link struct {
	log     *slog.Logger
	maxLine int
	drain   time.Duration
	eras    [2]*era

	in      io.Reader
	lines   *lineReader
	calls   *calls
	stopped <-chan struct{} // closed by whoever serves, to give up calls
	ended   chan struct{}   // closed by pump when nothing more will come
	readErr error           // why; set before ended is closed

	closeOnce sync.Once
	closed    chan struct{} // closed by close

	writeMu sync.Mutex // held during one Write
	out     io.Writer
}

// Indexes of link.eras.
const (
	handshake = iota // sessions that begin with "initialize"
	stateless        // requests that say which version they speak
)

func newLink(t *Stdio, stopped <-chan struct{}) *link {
	l := &link{
		log:     t.Log,
		maxLine: t.MaxLine,
		drain:   t.Drain,
		in:      t.In,
		calls:   newCalls(),
		stopped: stopped,
		ended:   make(chan struct{}),
		closed:  make(chan struct{}),
		out:     t.Out,
	}
	if l.maxLine == 0 {
		l.maxLine = DefaultMaxLine
	}
	if l.drain == 0 {
		l.drain = DefaultDrain
	}
	l.lines = newLineReader(t.In, l.maxLine)
	for i := range l.eras {
		l.eras[i] = &era{link: l, incoming: make(chan jsonrpc.Message)}
	}
	return l
}

// pump reads until the input ends or the link is closed. It must run in a
// goroutine of its own, since a read of standard input cannot be interrupted.
func (l *link) pump() {
	defer close(l.ended)
	for {
		line, err := l.lines.next()
		switch {
		case errors.Is(err, errLineTooLong):
			err = l.refuse(refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the line is longer than %d bytes", l.maxLine))
		case err == nil:
			err = l.accept(line)
		}
		if err != nil {
			l.readErr = err
			// The SDK gives up the calls in flight when it sees the end.
			l.awaitCalls()
			return
		}
	}
}

// accept deals with one line. An error means that the link is of no more use.
func (l *link) accept(line []byte) error {
	msg, no, ignored := decode(line)
	switch {
	case no != nil:
		return l.refuse(no)
	case msg == nil:
		l.log.Warn("ignored a response from the client", "why", ignored)
		return nil
	}
	to := l.eras[handshake]
	if req, ok := msg.(*jsonrpc.Request); ok {
		switch {
		case req.IsCall():
			if isStateless(req) {
				to = l.eras[stateless]
			}
			if !l.calls.begin(req, to) {
				// The SDK would not answer at all. Nor may the answer carry the
				// id: the client would take it for that of the first call.
				return l.refuse(refuse(nil, jsonrpc.CodeInvalidRequest,
					"Invalid Request: the id %v belongs to a call that has not been answered yet", req.ID.Raw()))
			}
		case req.Method == "notifications/cancelled":
			if owner := l.calls.cancel(req.Params); owner != nil {
				to = owner
			}
		}
	}
	select {
	case to.incoming <- msg:
		return nil
	case <-l.stopped:
	case <-l.closed:
	}
	return io.EOF
}

// isStateless reports whether a request speaks a revision without a handshake,
// which it says in every request. Older revisions may be named there too.
func isStateless(req *jsonrpc.Request) bool {
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	}
	// Params that do not even decode are the session's to refuse.
	_ = json.Unmarshal(req.Params, &params)
	return params.Meta.Version >= "2026-07-28"
}

// awaitCalls returns when every call has been answered, or nobody waits for
// the answers any more.
func (l *link) awaitCalls() {
	timeout := time.NewTimer(l.drain)
	defer timeout.Stop()
	select {
	case <-l.calls.idle():
	case <-l.stopped:
	case <-l.closed:
	case <-timeout.C:
		l.log.Warn("the input ended with calls unanswered", "waited", l.drain)
	}
}

func (l *link) refuse(no *refusal) error {
	l.log.Warn("refused a line from the client", "code", no.Error.Code, "why", no.Error.Message)
	data, err := json.Marshal(no)
	if err != nil {
		return fmt.Errorf("encode a refusal: %w", err)
	}
	return l.writeLine(data)
}

// writeLine is the only place that writes. In JSON only strings can hold bytes
// that are no UTF-8, so replacing them leaves it valid.
func (l *link) writeLine(data []byte) error {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	l.writeMu.Lock()
	defer l.writeMu.Unlock()
	_, err := l.out.Write(append(data, '\n'))
	return err
}

// close ends both sessions. The output stays open, as it is its owner's.
func (l *link) close() error {
	var err error
	l.closeOnce.Do(func() {
		close(l.closed)
		if in, ok := l.in.(io.Closer); ok {
			err = in.Close()
		}
	})
	return err
}
