package client

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/transport/wsterm"
)

// questions implements [terminals.QuestionStream].
type questions struct {
	c       *Client
	conn    *ws.Dialed
	ctx     context.Context // ends with the stream
	cancel  context.CancelCauseFunc
	heard   atomic.Bool // something has arrived since the last look
	running sync.WaitGroup
}

// FollowQuestions implements [terminals.Terminals]. The end of the context of Receive ends the
// stream. Its caller receives all the time: pings are answered meanwhile only.
func (c *Client) FollowQuestions(ctx context.Context, by terminals.Grant) (terminals.QuestionStream, error) {
	if err := c.o.Allow(by, terminals.FollowQuestions); err != nil {
		return nil, err
	}
	ctx, end := c.watch(ctx, by)
	defer end()
	conn, err := c.dial(ctx, terminals.FollowQuestions, "", "/questions/ws", nil)
	if err != nil {
		return nil, err
	}
	q := &questions{c: c, conn: conn}
	q.ctx, q.cancel = context.WithCancelCause(c.ctx)
	context.AfterFunc(q.ctx, func() { _ = conn.Close() })
	if c.o.Silent != nil {
		q.running.Go(func() { c.listen(q.ctx, &q.heard, conn.Ping, q.cancel) })
	}
	return q, nil
}

// Receive implements [terminals.QuestionStream].
func (q *questions) Receive(ctx context.Context) (news terminals.QuestionNews, err error) {
	m, err := q.conn.Read(ctx)
	switch {
	case ctx.Err() != nil:
		return news, context.Cause(ctx)
	case err != nil:
		return news, q.c.ended(q.ctx, terminals.FollowQuestions, err)
	case len(m.Data) > q.c.o.Limit(terminals.FollowQuestions):
		return news, fault.New(fault.Exhausted, "the server's message is too long")
	}
	q.heard.Store(true)
	var failed struct{ Error *wsterm.Failure }
	if json.Unmarshal(m.Data, &failed) == nil && failed.Error != nil {
		return news, q.c.o.Failed(terminals.FollowQuestions, errcode.Parse(failed.Error.Status, failed.Error.Code, failed.Error.Message))
	}
	return news, fault.Wrap(fault.Internal, q.c.o.Decode(terminals.FollowQuestions, m.Data, &news), "the server's message is not as expected: its version may differ")
}

// Send implements [terminals.QuestionStream].
func (q *questions) Send(ctx context.Context, in terminals.FromFollower) error {
	b, err := json.Marshal(in)
	if err == nil {
		err = q.conn.Send(ctx, b)
	}
	if err != nil {
		return q.c.broken(ctx, err)
	}
	return nil
}

// Close implements [terminals.QuestionStream].
func (q *questions) Close() {
	q.cancel(errClosed)
	q.running.Wait()
}
