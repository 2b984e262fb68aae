package httpui_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/install"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpui"
)

// Lua pushes many thousand events while agents come and go, some of them in the middle of a
// request. A client that goes stops sending, which is what the server sees of it, but still reads
// what had been sent already, so that every event can be accounted for: it arrived exactly once,
// and in order, or was counted as dropped because the queue was full.
func TestEventStorm(t *testing.T) {
	const batch, clients = 500, 8
	total := load.Count(20_000, 100_000)
	var addr string
	a, err := app.New(app.Options{
		Dir:        filepath.Join(t.TempDir(), ".claude", "ui"),
		Source:     install.Source{Files: bundle.Files, Client: fstest.MapFS{"main.js": {Data: []byte("0")}}, Readme: uimcp.Readme},
		LuaTimeout: time.Minute, Log: slog.New(slog.DiscardHandler),
		ServePages: func(_ *app.App, l net.Listener) (func(context.Context) error, error) {
			return func(context.Context) error { return l.Close() }, nil
		},
		ServeAgent: func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			addr = l.Addr().String()
			return httpserve.Serve(l, httpui.NewMCP(httpui.MCPOptions{App: a}), httpserve.Options{Log: slog.New(slog.DiscardHandler)}).Close, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}

	var mu sync.Mutex
	var got [][]int
	pushed := make(chan struct{})
	var wg sync.WaitGroup
	for c := range clients {
		r := rand.New(rand.NewPCG(1, uint64(c)))
		wg.Go(func() {
			for {
				select {
				case <-pushed:
					return
				default:
				}
				leave := time.Duration(-1)
				if r.IntN(2) == 0 {
					leave = time.Duration(r.IntN(3000)) * time.Microsecond
				}
				ids, err := poll(addr, leave)
				if err != nil {
					t.Error(err)
					return
				}
				if len(ids) > 0 {
					mu.Lock()
					got = append(got, ids)
					mu.Unlock()
				}
			}
		})
	}
	for n := 0; n < total; n += batch {
		if _, err := a.Run(t.Context(), app.DefaultSession, fmt.Sprintf("for i = %d, %d do mcp.pushState({id = i}) end", n, n+batch-1)); err != nil {
			t.Fatal(err)
		}
	}
	close(pushed)
	wg.Wait()
	for { // what is left
		ids, err := poll(addr, -1)
		if err != nil {
			t.Fatal(err)
		}
		if ids == nil {
			break
		}
		got = append(got, ids)
	}

	slices.SortFunc(got, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	arrived, last := 0, -1
	for _, ids := range got {
		for _, id := range ids {
			if id <= last {
				t.Fatalf("event %d came after %d", id, last)
			}
			last = id
			arrived++
		}
	}
	st := a.Status(t.Context())
	if dropped := int(st.EventsDropped); arrived+dropped != total || st.Events != 0 {
		t.Errorf("%d events arrived, %d were dropped, %d wait: together not %d", arrived, dropped, st.Events, total)
	}
	t.Logf("%d answers with events; %d arrived, %d dropped", len(got), arrived, st.EventsDropped)
}

// poll asks for events, and goes after leave unless that is negative. It returns those that
// arrived, or nil.
func poll(addr string, leave time.Duration) ([]int, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "GET /wait?timeout=1 HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", addr); err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok && leave >= 0 {
		gone := time.AfterFunc(leave, func() { _ = tcp.CloseWrite() })
		defer gone.Stop()
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, nil // it had gone before there was an answer
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode == http.StatusNoContent {
		return nil, err
	}
	var events []struct{ ID int }
	if err := json.Unmarshal(body, &events); err != nil {
		return nil, fmt.Errorf("%s: %w in %q", res.Status, err, body)
	}
	var ids []int
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids, nil
}
