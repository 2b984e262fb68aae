package mcpbridge

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"

	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/sse"
)

// post sends a message. onSent is called when the server has it.
func (b *bridge) post(ctx context.Context, l *link, message []byte, set func(http.Header), onSent func()) (*http.Response, error) {
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// The client tries again on another connection if it could write nothing to the first.
		GetConn: func(string) { sent.Store(false) },
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil { // else the server cannot have read the whole message
				sent.Store(true)
				onSent()
			}
		},
	})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.server.URL, bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, "+sse.ContentType)
	set(req.Header)
	res, err := l.server.Client.Do(req)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !sent.Load():
		return nil, fmt.Errorf("%w: %w", errUndelivered, err)
	}
	return nil, fmt.Errorf("%w (%w)", errLost, err)
}

// messages calls f with each message of a response. A response without messages whose status is an
// error is a [statusError].
func (b *bridge) messages(res *http.Response, f func(*jsonrpc.Message)) error {
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(kind) == sse.ContentType {
		_, err := b.events(res.Body, f)
		return err
	}
	limit := int64(maxMessage)
	if res.StatusCode >= http.StatusMultipleChoices {
		limit = maxProblem
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err != nil {
		return fmt.Errorf("%w (%w)", errLost, err)
	}
	if int64(len(body)) > limit {
		return fmt.Errorf("the server has sent a message longer than %d bytes", limit)
	}
	m, why := parse(body)
	switch {
	case m != nil:
		f(m)
		return nil
	case res.StatusCode >= http.StatusMultipleChoices:
		return &statusError{res.StatusCode, strings.ToValidUTF8(strings.TrimSpace(string(body)), "\uFFFD")}
	case len(body) == 0:
		return nil
	}
	return fmt.Errorf("the server has sent a malformed answer: %s", why)
}

// events calls f with each message of a stream, and returns the id of the last event.
func (b *bridge) events(body io.Reader, f func(*jsonrpc.Message)) (last string, err error) {
	events := sse.NewReader(body, maxMessage)
	for {
		e, err := events.Next()
		if err != nil {
			return last, fmt.Errorf("%w (%w)", errLost, err)
		}
		if e.ID != "" {
			last = e.ID
		}
		if len(e.Data) == 0 {
			continue // it has only an id
		}
		m, why := parse(e.Data)
		if m == nil {
			b.o.Log.Warn("ignored a malformed message from the server", "why", why)
			continue
		}
		f(m)
	}
}

// parse reads a message of the server. Errors may come without an id. For anything that is not a
// message, m is nil and why says so.
func parse(data []byte) (m *jsonrpc.Message, why string) {
	all, batch, err := jsonrpc.Parse(data)
	switch {
	case err != nil:
		return nil, err.Message
	case batch:
		return nil, "it is a batch"
	case all[0].Invalid != nil:
		return nil, all[0].Invalid.Message
	}
	return &all[0], ""
}
