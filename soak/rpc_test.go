//go:build linux

package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// An agent calls tools over MCP. An error means that the outcome is unknown; whether a tool has
// failed is in the result. The SDK's client is not used, since it may repeat what was sent.
type agent interface {
	call(ctx context.Context, tool string, args map[string]any) (result, error)
}

// A result is what a tool has returned.
type result struct {
	text    string // the first text; others have problems of the page
	isError bool
}

type message struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func (m message) result() (result, error) {
	if m.Error != nil {
		return result{}, fmt.Errorf("error %d: %s", m.Error.Code, m.Error.Message)
	}
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) == 0 {
		return result{}, fmt.Errorf("a malformed result: %.200s", m.Result)
	}
	return result{r.Content[0].Text, r.IsError}, nil
}

const protocolVersion = "2025-11-25"

var hello = map[string]any{
	"protocolVersion": protocolVersion, "capabilities": map[string]any{},
	"clientInfo": map[string]any{"name": "soak", "version": "0"},
}

func request(id int, method string, params any) []byte {
	m := map[string]any{"jsonrpc": "2.0", "method": method}
	if id > 0 {
		m["id"] = id
	}
	if params != nil {
		m["params"] = params
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a mistake of a test
	}
	return append(b, '\n')
}

// overHTTP is an agent that speaks MCP over HTTP. It is for one goroutine.
type overHTTP struct {
	url    string // of the endpoint
	client *http.Client
	id     string // of the session; "" before the first call
}

// errNoSession means that the server does not know the session of MCP any more. It did nothing.
var errNoSession = errors.New("no such session")

func (a *overHTTP) post(ctx context.Context, id int, method string, params any) (m message, err error) {
	req, err := http.NewRequestWithContext(ctx, "POST", a.url, bytes.NewReader(request(id, method, params)))
	if err != nil {
		return m, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if a.id != "" {
		req.Header.Set("Mcp-Session-Id", a.id)
		req.Header.Set("Mcp-Protocol-Version", protocolVersion)
	}
	res, err := a.client.Do(req)
	if err != nil {
		return m, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotFound && a.id != "" {
		return m, errNoSession
	}
	if s := res.Header.Get("Mcp-Session-Id"); s != "" {
		a.id = s
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || id == 0 {
		return m, err
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		for line := range strings.Lines(string(body)) {
			text, ok := strings.CutPrefix(line, "data:")
			if ok && json.Unmarshal([]byte(text), &m) == nil && string(m.ID) == strconv.Itoa(id) {
				return m, nil
			}
		}
	} else if json.Unmarshal(body, &m) == nil && string(m.ID) == strconv.Itoa(id) {
		return m, nil
	}
	return message{}, fmt.Errorf("%s: %.200q", res.Status, body)
}

func (a *overHTTP) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	for {
		if a.id == "" {
			if _, err := a.post(ctx, 1, "initialize", hello); err != nil {
				return result{}, err
			}
			if _, err := a.post(ctx, 0, "notifications/initialized", nil); err != nil {
				a.id = ""
				return result{}, err
			}
		}
		m, err := a.post(ctx, 2, "tools/call", map[string]any{"name": tool, "arguments": args})
		if err == errNoSession {
			a.id = ""
			continue
		}
		if err != nil {
			return result{}, err
		}
		return m.result()
	}
}

// overPipes is an agent on the standard streams of a process. It is safe for concurrent use.
type overPipes struct {
	in     io.Writer
	report func(format string, args ...any) // gets answers that nobody has asked for
	done   chan struct{}                    // closed when no more answers come

	mu      sync.Mutex // guards the fields below, and writes
	last    int
	waiting map[int]chan message
}

// newOverPipes initializes a client of a process.
func newOverPipes(ctx context.Context, in io.Writer, out *bufio.Reader, report func(format string, args ...any)) (*overPipes, error) {
	a := &overPipes{in: in, report: report, done: make(chan struct{}), waiting: map[int]chan message{}}
	go a.read(out)
	if _, err := a.do(ctx, "initialize", hello); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, err := in.Write(request(0, "notifications/initialized", nil))
	return a, err
}

func (a *overPipes) read(out *bufio.Reader) {
	defer close(a.done)
	for {
		line, err := out.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		id, err := strconv.Atoi(string(m.ID))
		if err != nil || m.Method != "" {
			continue
		}
		a.mu.Lock()
		waiting := a.waiting[id]
		delete(a.waiting, id)
		a.mu.Unlock()
		if waiting == nil {
			a.report("request %d was answered twice: %.300s", id, line)
		} else {
			waiting <- m
		}
	}
}

func (a *overPipes) do(ctx context.Context, method string, params any) (message, error) {
	answer := make(chan message, 1)
	a.mu.Lock()
	a.last++
	a.waiting[a.last] = answer
	_, err := a.in.Write(request(a.last, method, params))
	a.mu.Unlock()
	if err != nil {
		return message{}, err
	}
	select {
	case m := <-answer:
		return m, nil
	case <-a.done:
		select {
		case m := <-answer:
			return m, nil
		default:
			return message{}, io.ErrUnexpectedEOF
		}
	case <-ctx.Done():
		return message{}, ctx.Err()
	}
}

func (a *overPipes) call(ctx context.Context, tool string, args map[string]any) (result, error) {
	m, err := a.do(ctx, "tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return result{}, err
	}
	return m.result()
}
