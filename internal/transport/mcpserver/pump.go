package mcpserver

import (
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A pump reads lines from a stream and puts the messages in them on a link.
type pump struct {
	*link
	lines *lineReader
	drain time.Duration
}

func newPump(t *Stdio, stopped <-chan struct{}) *pump {
	maxLine, drain := t.MaxLine, t.Drain
	if maxLine == 0 {
		maxLine = DefaultMaxLine
	}
	if drain == 0 {
		drain = DefaultDrain
	}
	l := newLink(t.Log, stopped, func(message []byte) error {
		_, err := t.Out.Write(append(message, '\n'))
		return err
	})
	l.plain = t.Plain
	if in, ok := t.In.(io.Closer); ok {
		l.onClose = in.Close
	}
	return &pump{link: l, lines: newLineReader(t.In, maxLine), drain: drain}
}

// run reads until the input ends or the link is closed. It must run in a
// goroutine of its own, since a read of standard input cannot be interrupted.
func (p *pump) run() {
	for {
		line, err := p.lines.next()
		var no *refusal
		switch {
		case errors.Is(err, errLineTooLong):
			no, err = refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: the line is longer than %d bytes", p.lines.max), nil
		case err == nil:
			no, err = p.accept(line)
		}
		if no != nil {
			err = p.refuse(no)
		}
		if err != nil {
			// The SDK gives up the calls in flight when it sees the end.
			p.leave()
			p.awaitCalls()
			p.end(err)
			return
		}
	}
}

// awaitCalls returns when every call has been answered, or nobody waits for
// the answers any more.
func (p *pump) awaitCalls() {
	timeout := time.NewTimer(p.drain)
	defer timeout.Stop()
	select {
	case <-p.calls.idle():
	case <-p.stopped:
	case <-p.closed:
	case <-timeout.C:
		p.log.Warn("the input ended with calls unanswered", "waited", p.drain)
	}
}
