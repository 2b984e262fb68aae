package client

import (
	"context"
	"encoding/json"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/wsterm"
)

// questions implements [terminals.Stream]. The end of the context of Receive ends it. Its caller
// receives all the time: pings are answered meanwhile only.
type questions struct{ *watched }

func (c *Client) followQuestions(ctx context.Context) (terminals.Stream, error) {
	conn, err := c.dial(ctx, &terminals.FollowQuestions.Operation, "", httpio.QuestionsPath, nil)
	if err != nil {
		return nil, err
	}
	return questions{c.watched(conn)}, nil
}

// Receive implements [terminals.Stream].
func (q questions) Receive(ctx context.Context, news any) error {
	o := &terminals.FollowQuestions.Operation
	m, err := q.conn.Read(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return q.c.ended(q.ctx, o, err)
	case len(m.Data) > q.c.o.Limit(o):
		return fault.New(fault.Exhausted, "the server's message is too long")
	}
	q.heard.Store(true)
	var failed struct{ Error *wsterm.Failure }
	if json.Unmarshal(m.Data, &failed) == nil && failed.Error != nil {
		return q.c.o.Failed(o, errcode.Parse(failed.Error.Status, failed.Error.Code, failed.Error.Message))
	}
	return fault.Wrap(fault.Internal, q.c.o.Decode(o, m.Data, news), "the server's message is not as expected: its version may differ")
}

// Send implements [terminals.Stream].
func (q questions) Send(ctx context.Context, in any) error {
	b, err := json.Marshal(in)
	if err == nil {
		err = q.conn.Send(ctx, b)
	}
	if err != nil {
		return q.c.broken(ctx, err)
	}
	return nil
}

// Name and SessionID implement [terminals.Stream].
func (questions) Name() string      { return "" }
func (questions) SessionID() string { return "" }

// Close implements [terminals.Stream].
func (q questions) Close() { _ = q.watched.Close() }
