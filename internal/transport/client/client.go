// Package client uses a server of terminals in another process over its HTTP and WebSocket API. Any
// connection carries that: a Unix socket, or TCP with TLS.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/wake"
)

const (
	// maxAnswer bounds an answer, in bytes. 10,000 coloured lines fit.
	maxAnswer = 256 << 20
	// maxHeader bounds the header of an answer, and maxRefusal what is read of a refusal.
	maxHeader, maxRefusal = 64 << 10, 1 << 20
	// askAfter is how long a request may take before the server is asked whether it is there,
	// askEvery the time until it is asked again, and askTime how long it may take to answer.
	askAfter, askEvery, askTime = time.Second, 10 * time.Second, 9 * time.Second
	// idleTime is how long a connection is kept that nothing uses, and maxIdle how many are.
	idleTime, maxIdle = time.Minute, 8
)

// Options say which server to use. Only Dial is required.
type Options struct {
	// Dial opens a connection. Errors from package fault are returned as they are.
	Dial func(context.Context) (net.Conn, error)
	// Host is the server's host and port, and the path below which it answers; "" is localhost.
	Host string
	// Prepare completes a request on behalf of a caller, such as with a token.
	Prepare func(*http.Request, terminals.Grant) error
	// Allow returns an error for what the caller may not do. Otherwise the server decides alone.
	Allow func(terminals.Grant, *terminals.Operation) error
	// Limit returns the length limit of an answer to an operation, in bytes; nil: 256 MiB.
	Limit func(*terminals.Operation) int
	// Decode reads an answer in JSON, or events of a stream; nil reads those as they are.
	Decode func(o *terminals.Operation, answer []byte, out any) error
	// Failed returns what it means that the server reports an error of an operation; nil: that
	// error.
	Failed func(*terminals.Operation, error) error
	// Broken returns what it means that a connection has ended; nil: an error of kind Gone, which
	// is [ErrBroken].
	Broken func(error) error
	// Silent returns the error that the server does not answer any more. Nil: it is not asked while
	// something is under way.
	Silent func() error
}

// A Client carries out operations on another process's terminals. It implements
// [terminals.Terminals] and is safe for concurrent use.
//
// The input of an operation may be a [json.RawMessage] instead of the operation's type. Where out
// points to one, it gets the answer as the server has written it, or {} for none.
type Client struct {
	o    Options
	http prepared
	base string // the URL before the paths of the API

	ctx    context.Context // ends with Close
	cancel context.CancelCauseFunc
}

var _ terminals.Terminals = (*Client)(nil)

// ErrBroken says that a connection has ended.
var ErrBroken = errors.New("the connection to the server has ended")

// New returns a client, which connects when it is used. The caller must close it.
func New(o Options) *Client {
	o.Host = cmp.Or(o.Host, "localhost")
	if o.Allow == nil {
		o.Allow = func(terminals.Grant, *terminals.Operation) error { return nil }
	}
	if o.Limit == nil {
		o.Limit = func(*terminals.Operation) int { return maxAnswer }
	}
	if o.Decode == nil {
		o.Decode = decode
	}
	if o.Failed == nil {
		o.Failed = func(_ *terminals.Operation, err error) error { return err }
	}
	if o.Broken == nil {
		o.Broken = func(err error) error { return fault.Wrap(fault.Gone, fmt.Errorf("%w: %w", ErrBroken, err), "") }
	}
	c := &Client{o: o, base: "http://" + o.Host}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.http = prepared{o.Prepare, &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := o.Dial(ctx)
			if err != nil {
				return nil, notSent{err}
			}
			return conn, nil
		},
		DisableCompression:     true, // what it takes in memory would be unknown
		MaxResponseHeaderBytes: maxHeader, IdleConnTimeout: idleTime, MaxIdleConnsPerHost: maxIdle,
	}}
	return c
}

// notSent is the error of a request that was not sent. What else goes wrong says nothing of whether
// the request was read.
type notSent struct{ error }

// Unwrap is for package errors.
func (e notSent) Unwrap() error { return e.error }

// prepared completes the requests of this package, and follows no redirects: a token is for one
// server.
type prepared struct {
	prepare func(*http.Request, terminals.Grant) error
	*http.Transport
}

// RoundTrip implements [http.RoundTripper].
func (p prepared) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", "wsh")
	if p.prepare != nil {
		if err := p.prepare(r, terminals.FromContext(r.Context())); err != nil {
			return nil, notSent{err}
		}
	}
	return p.Transport.RoundTrip(r)
}

// Close ends what is under way, for the given reason, and all connections.
func (c *Client) Close(cause error) {
	c.cancel(cause)
	c.http.CloseIdleConnections()
}

// Context returns the context that ends with Close, whose reason is the cause.
func (c *Client) Context() context.Context { return c.ctx }

// Done returns a channel that is closed by Close. Err returns its reason.
func (c *Client) Done() <-chan struct{} { return c.ctx.Done() }

// Err returns why the client was closed, or nil.
func (c *Client) Err() error { return context.Cause(c.ctx) }

// Do implements [terminals.Doer]. Errors of the server have the kind and the detail that they have
// there.
func (c *Client) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	if err := c.o.Allow(by, o); err != nil {
		return err
	}
	ctx, end := c.watch(ctx, by)
	defer end(nil)
	if part, ok := out.(*terminals.RecordingPart); ok {
		return c.part(ctx, *in.(*terminals.RecordingQuery), part)
	}
	return c.do(ctx, o, in, out)
}

func (c *Client) do(ctx context.Context, o *terminals.Operation, in, out any) error {
	res, status, err := c.send(ctx, o, in)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	most := c.o.Limit(o)
	content, err := io.ReadAll(io.LimitReader(res.Body, int64(most)+1))
	switch {
	case err != nil:
		return c.broken(ctx, err)
	case len(content) > most:
		return fault.New(fault.Exhausted, "the server's answer is longer than %d MiB: ask for less", most>>20)
	case res.StatusCode != status:
		answer, err := refusal(res, content)
		err = c.o.Failed(o, err)
		if len(answer) > 0 {
			return errors.Join(err, c.answer(o, in, answer, out))
		}
		return err
	}
	return c.answer(o, in, content, out)
}

// part returns a part of a recording, which is a file over HTTP, and its state.
func (c *Client) part(ctx context.Context, in terminals.RecordingQuery, part *terminals.RecordingPart) error {
	var session wire.Session
	if err := c.do(ctx, &terminals.GetSession.Operation, in.Target, &session); err != nil {
		return err
	}
	if session.Recording != nil {
		part.RecordingState = *session.Recording
		in.ID = cmp.Or(in.ID, part.ID)
	}
	res, status, err := c.send(ctx, &terminals.GetRecording.Operation, in)
	if err != nil {
		return err
	}
	if res.StatusCode != status {
		return c.refused(ctx, &terminals.GetRecording.Operation, res)
	}
	defer res.Body.Close()
	if part.Data, err = io.ReadAll(io.LimitReader(res.Body, terminals.MaxPart)); err != nil {
		return c.broken(ctx, err)
	}
	part.Next = in.Offset + uint64(len(part.Data))
	return nil
}

// Get asks for a page beside the API. The caller must close the answer's body.
func (c *Client) Get(ctx context.Context, path string) (*http.Response, error) {
	return c.request(ctx, http.MethodGet, path, nil, false)
}

// send asks for an operation, and returns the answer with the status of success.
func (c *Client) send(ctx context.Context, o *terminals.Operation, in any) (res *http.Response, status int, err error) {
	r, err := httpterm.Encode(o, in)
	if err != nil {
		return nil, 0, err
	}
	res, err = c.request(ctx, r.Method, r.Path, r.Body, r.JSON)
	return res, r.Status, err
}

func (c *Client) request(ctx context.Context, method, path string, body []byte, isJSON bool) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if isJSON {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.RoundTrip(req)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	return res, nil
}

// watch returns a context for what is under way on behalf of a caller, which ends when the client
// is closed, and when the server does not answer any more, as one that is stopped. The caller calls
// end afterwards, with a cause, and may call it again.
func (c *Client) watch(ctx context.Context, by terminals.Grant) (_ context.Context, end func(error)) {
	ctx, cancel := context.WithCancelCause(terminals.NewContext(ctx, by))
	closed := context.AfterFunc(c.ctx, func() { cancel(c.Err()) })
	over := make(chan struct{})
	timer := time.AfterFunc(askAfter, func() {
		defer close(over)
		for c.o.Silent != nil {
			if err := c.Ask(ctx, askTime); err != nil {
				cancel(err)
			}
			if wake.After(ctx, askEvery) != nil {
				return
			}
		}
	})
	stopped := sync.OnceFunc(func() {
		if !timer.Stop() {
			<-over
		}
	})
	return ctx, func(cause error) {
		closed()
		cancel(cause)
		stopped()
	}
}

// Ask returns the error of [Options] if the server does not answer a simple question in time. What
// else is wrong, other requests meet.
func (c *Client) Ask(ctx context.Context, limit time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var about json.RawMessage
	err := c.do(limited, &terminals.GetServer.Operation, terminals.None{}, &about)
	if err == nil || limited.Err() == nil || ctx.Err() != nil {
		return nil
	}
	return c.o.Silent()
}

// answer reads the answer to an operation with an input.
func (c *Client) answer(o *terminals.Operation, in any, content []byte, out any) error {
	switch out := out.(type) {
	case *terminals.None:
		return nil
	case *terminals.Image:
		*out = terminals.Image{ContentType: terminals.PictureType(in), Data: content}
		return nil
	case *json.RawMessage:
		if *out = bytes.TrimSpace(content); len(*out) == 0 {
			*out = json.RawMessage("{}")
		}
		return nil
	}
	return fault.Wrap(fault.Internal, c.o.Decode(o, content, out), "the server's answer is not as expected: its version may differ")
}

// refused returns the error in an answer to an operation, and closes it.
func (c *Client) refused(ctx context.Context, o *terminals.Operation, res *http.Response) error {
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	if err != nil {
		return c.broken(ctx, err)
	}
	_, err = refusal(res, content)
	return c.o.Failed(o, err)
}

func decode(o *terminals.Operation, answer []byte, out any) error {
	if o == &terminals.Watch.Operation {
		return wire.Decode(answer, out, nil)
	}
	return json.Unmarshal(answer, out)
}

// refusal returns the error in an answer, and what it has of the operation's answer.
func refusal(res *http.Response, content []byte) (answer json.RawMessage, _ error) {
	var refused struct {
		Error  struct{ Code, Message string }
		Answer json.RawMessage
	}
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, fault.New(fault.Precondition, "the server sends its clients to another address: use that one")
	case json.Unmarshal(content, &refused) != nil || refused.Error.Message == "":
		return nil, fault.New(fault.Precondition, "the server answers %s: \"wsh version\" compares its version with this one's", res.Status)
	}
	return refused.Answer, errcode.Parse(res.StatusCode, refused.Error.Code, refused.Error.Message)
}

// broken returns the error for a request that got no answer.
func (c *Client) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, ErrBroken) {
		return err
	}
	if early, ok := errors.AsType[notSent](err); ok {
		if known, ok := errors.AsType[*fault.Error](early.error); ok {
			return known
		}
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // its text has the URL, which means nothing to a person
	}
	return c.o.Broken(err)
}
