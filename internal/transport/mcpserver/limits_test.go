package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A client that sends calls without waiting for answers learns when there are too many, and can go
// on when some have been answered.
func TestUnansweredCallsAreBounded(t *testing.T) {
	s := serve(t, newTestServer(quiet()), nil)
	for i := range maxOpen {
		s.send(t, callTool(fmt.Sprint("b", i), "block")+"\n")
	}
	s.send(t, callTool("more", "hello")+"\n")
	if got := s.receive(t); !strings.Contains(got, `"id":"more"`) || !strings.Contains(got, "-32000") || !strings.Contains(got, "this call did not run: 1000 calls") {
		t.Errorf("one call too many: %s", got)
	}
	s.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b7"}}`+"\n")
	for n := 0; ; n++ {
		s.send(t, callTool(fmt.Sprint("h", n), "hello")+"\n")
		got := s.receive(t)
		if strings.Contains(got, `"text":"hello"`) {
			break
		}
		if !strings.Contains(got, "this call did not run") {
			t.Fatalf("after a call has ended: %s", got)
		}
	}
}

// Large calls are bounded together, and one is always accepted.
func TestUnansweredBytesAreBounded(t *testing.T) {
	c := newCalls(new(turns))
	request := func(id string, size int) *sdkrpc.Request {
		name, err := sdkrpc.MakeID(id)
		if err != nil {
			t.Fatal(err)
		}
		return &sdkrpc.Request{ID: name, Method: "m", Params: make([]byte, size)}
	}
	begin := func(id string, size int) (refused bool) {
		refusal, err := c.begin(&call{req: request(id, size), session: &era{}}, &turn{})
		if err != nil {
			t.Fatal(err)
		}
		return refusal != nil
	}
	if begin("a", maxOpenBytes+1) {
		t.Error("a single large call is refused")
	}
	if !begin("b", 1) {
		t.Error("a call beyond the limit is accepted")
	}
	c.end(c.take(request("a", 0).ID))
	if begin("c", maxOpenBytes/2) || begin("d", maxOpenBytes/2) || !begin("e", 1) {
		t.Error("the limit is not what the open calls have together")
	}
}

// While a client leaves answers unread, its calls fail instead of adding to them; nobody else's do.
func TestUnreadAnswersAreBounded(t *testing.T) {
	load.Sequential(t) // 200 MiB; the tests of calls run the same goroutines
	const size, n = 1 << 20, 200
	var ran atomic.Int64
	srv := newTestServer(quiet())
	AddTool(srv, Tool{Name: "much", Hints: harmless, Order: InSession("sessionId", "1")}, func(context.Context, workInput) (Result, error) {
		ran.Add(1)
		return Text(strings.Repeat("x", size)), nil
	})
	s, other := serve(t, srv, nil), serve(t, srv, nil)
	for i := range n {
		s.send(t, workCall("much", i, "1")+"\n")
	}
	other.send(t, workCall("much", 1, "1")+"\n") // it runs after those
	if got := other.receive(t); len(got) < size {
		t.Errorf("another client got %.300s", got)
	}
	other.finish(t)
	ok := int(ran.Load()) - 1
	if limit := maxUnsent / size; ok < limit || ok > limit+10 {
		t.Errorf("%d calls have run", ok)
	}
	s.readsAll(t, n, ok, workCall("much", n, "1"))
}

// readsAll reads the answers to n requests, of which some have run and all others must have failed,
// and then sends another one, which must run.
func (s *session) readsAll(t *testing.T, n, ran int, another string) {
	t.Helper()
	failed := 0
	for range n {
		if got := s.receive(t); strings.Contains(got, "more than 64 MiB of answers wait to be read") {
			failed++
		}
	}
	if ran+failed != n {
		t.Errorf("%d requests ran and %d failed, of %d", ran, failed, n)
	}
	s.send(t, another+"\n")
	if got := s.receive(t); strings.Contains(got, `"error"`) {
		t.Errorf("after reading: %.300s", got)
	}
	s.finish(t)
}

// The same holds for reads of resources that have no order, which nothing else holds up.
func TestUnreadDocumentsAreBounded(t *testing.T) {
	load.Sequential(t) // 200 MiB; the tests of calls run the same goroutines
	const size, n = 1 << 20, 200
	var ran, over atomic.Int64
	srv := newTestServer(quiet())
	srv.AddResource(&mcp.Resource{URI: "test://much", Name: "much"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		ran.Add(1)
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "test://much", Text: strings.Repeat("x", size)}}}, nil
	})
	srv.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			defer over.Add(1)
			return next(ctx, method, req)
		}
	})
	s := serve(t, srv, nil)
	for i := range n {
		s.send(t, readCall(i, "test://much")+"\n")
	}
	wait.Until(t, "all reads have run or failed", func() bool { return over.Load() == n })
	ok := int(ran.Load())
	if limit := maxUnsent / size; ok < limit || ok > limit+1 {
		t.Errorf("%d reads have run", ok)
	}
	s.readsAll(t, n, ok, readCall(n, "test://much"))
}
