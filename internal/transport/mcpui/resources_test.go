package mcpui

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpserver"
)

// A shelf has resources that a test can change.
type shelf struct {
	Ops
	documents map[string]string
	changes   chan struct{}

	mu    sync.Mutex // guards the fields below
	state string
	reads int // of state and variables
}

// readings returns how often the state and the variables were read since the last call.
func (s *shelf) readings() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.reads
	s.reads = 0
	return n
}

func (s *shelf) State(context.Context, string) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if s.state == "" {
		return nil, fault.New(fault.Precondition, "Server not started: call ui_start first")
	}
	return json.RawMessage(s.state), nil
}

// Variables has one for the state, so that it is another list whenever that is another one.
func (s *shelf) Variables(_ context.Context, _, known string) (json.RawMessage, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if s.state == known {
		return nil, known, nil
	}
	return json.RawMessage(`[{"id":1}]`), s.state, nil
}

func (s *shelf) set(state string) {
	s.mu.Lock()
	s.state = state
	s.mu.Unlock()
	select {
	case s.changes <- struct{}{}:
	default:
	}
}

func (s *shelf) Changes() <-chan struct{} { return s.changes }

func (s *shelf) Document(name string) ([]byte, error) {
	if text, ok := s.documents[name]; ok {
		return []byte(text), nil
	}
	return nil, fault.New(fault.NotFound, "there is no document %q", name)
}

func (s *shelf) Documents(prefix string, limit int) (names []string) {
	for name := range s.documents {
		if strings.HasPrefix(name, prefix) && len(names) < limit {
			names = append(names, name)
		}
	}
	return names
}

// read connects a client to a shelf.
func (s *shelf) connect(t *testing.T, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	s.changes = make(chan struct{}, 1)
	r := NewResources(s)
	server := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Logger: slog.New(slog.DiscardHandler), Tune: r.Tune})
	r.Register(server)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { r.Notify(ctx, server) })
	cs := testkit.InMemory(t, server.Server, mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, o), "")
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return cs
}

func TestResources(t *testing.T) {
	s := &shelf{state: `{"type":"A"}`, documents: map[string]string{
		"catalog.md": "# P", "cheatsheet.md": "# C", "reference.md": "# R", "viewdefs.md": "# V", "lua.md": "# L", "mcp.md": "# M",
		"patterns/form.md": "# F", "state": "shadow", "a b.lua": "x", "p.png": "\x89PNG", "grüße/日本 語.md": "# G", "50%.md": "# 50", "q?a#b.md": "# Q", "{x}.md": "# X",
	}}
	cs := s.connect(t, nil)
	for uri, want := range map[string]string{
		"ui://state":            `application/json {"type":"A"}`,
		"ui://variables":        `application/json [{"id":1}]`,
		"ui://catalog":          "text/markdown # P",
		"ui://cheatsheet":       "text/markdown # C",
		"ui://reference":        "text/markdown # R",
		"ui://viewdefs":         "text/markdown # V",
		"ui://lua":              "text/markdown # L",
		"ui://mcp":              "text/markdown # M",
		"ui://patterns/form.md": "text/markdown # F",
		"ui://p.png":            "image/png \x89PNG",
		"ui://a b.lua":          "text/x-lua x",
		"ui://a%20b.lua":        "text/x-lua x",
		"ui://grüße/日本 語.md":    "text/markdown # G",
		"ui://gr%C3%BC%C3%9Fe/%e6%97%a5%E6%9C%AC%20語.md": "text/markdown # G",
		"ui://50%.md":   "text/markdown # 50",
		"ui://50%25.md": "text/markdown # 50",
		"ui://q?a#b.md": "text/markdown # Q",
		"ui://{x}.md":   "text/markdown # X",
	} {
		res, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		c := res.Contents[0]
		if got := c.MIMEType + " " + c.Text + string(c.Blob); got != want || c.URI != uri {
			t.Errorf("%s is %s at %s, want %s", uri, got, c.URI, want)
		}
	}
	for _, uri := range []string{"ui://none.md", "ui://../secret", "ui://%2e%2e/secret", "ui://a\a", "ui://none ü.md", "http://example.org/", "ui:///etc/passwd"} {
		_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if we, ok := errors.AsType[*jsonrpc.Error](err); !ok || we.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s: %v", uri, err)
		}
	}
	s.set("")
	if _, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "ui://state"}); err == nil || !strings.Contains(err.Error(), "Server not started") {
		t.Errorf("the state of nothing: %v", err)
	} else if we, ok := errors.AsType[*jsonrpc.Error](err); !ok || we.Code == jsonrpc.CodeInternalError {
		t.Errorf("the state of nothing is an internal error: %v", err)
	}

	list, err := cs.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, r := range list.Resources {
		uris = append(uris, r.URI)
		if r.Description == "" || r.MIMEType == "" || r.Title == "" {
			t.Errorf("%s is described too briefly: %+v", r.URI, r)
		}
	}
	if diff := cmp.Diff([]string{"ui://catalog", "ui://cheatsheet", "ui://lua", "ui://mcp", "ui://reference", "ui://state", "ui://terminals", "ui://variables", "ui://viewdefs", "ui://patterns/form.md"}, uris); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestCompletion(t *testing.T) {
	s := &shelf{documents: map[string]string{"patterns/form.md": "", "patterns/list.md": "", "lua.md": ""}}
	cs := s.connect(t, nil)
	for _, c := range []struct {
		value string
		want  int
	}{{"patterns/f", 1}, {"patterns/", 2}, {"", 3}, {"x", 0}} {
		res, err := cs.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "ui://{+path}"},
			Argument: mcp.CompleteParamsArgument{Name: "path", Value: c.value},
		})
		if err != nil || len(res.Completion.Values) != c.want {
			t.Errorf("%q: %v, %v", c.value, res, err)
		}
	}
}

// Resources are read for subscribers only: once for each change, or twice for many that come at
// once, and no more after the last one has unsubscribed or disconnected. Without a difference,
// nothing is reported.
func TestSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{state: "0"}
		updates := 0
		cs := s.connect(t, &mcp.ClientOptions{ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) {
			updates++
		}})
		change := func(state string, reads, notified int) {
			t.Helper()
			s.readings()
			updates = 0
			s.set(state)
			time.Sleep(time.Hour)
			synctest.Wait()
			if n := s.readings(); n != reads || updates != notified {
				t.Errorf("change to %q: %d reads, %d updates, want %d and %d", state, n, updates, reads, notified)
			}
		}
		subscribe := func(uri string) {
			t.Helper()
			if err := cs.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		unsubscribe := func(uri string) {
			t.Helper()
			if err := cs.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		change("nobody", 0, 0)
		subscribe("ui://reference") // never changes
		change("reference", 0, 0)
		subscribe("ui://state")
		change("one", 1, 1)
		change("one", 1, 0)
		for n := range 50 {
			s.set("burst " + strconv.Itoa(n))
			synctest.Wait()
		}
		change("end", 2, 1) // one read may be under way when more comes
		subscribe("ui://variables")
		change("two", 2, 2)
		unsubscribe("ui://variables")
		change("three", 1, 1)
		unsubscribe("ui://state")
		change("four", 0, 0)
		// It is back to what the client saw last, who cannot know that.
		subscribe("ui://state")
		change("three", 1, 1)
		if err := cs.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		change("five", 0, 0)
	})
}

// Only what calls of the session change waits for them, however it is spelt.
func TestOrderOfReads(t *testing.T) {
	for uri, want := range map[string]mcpserver.Order{
		"ui://state":            ofSession,
		"ui://%73tate":          ofSession,
		"ui://variables":        ofSession,
		"ui://ui-mcp/app.html":  mcpserver.Unordered,
		"ui://reference":        mcpserver.Unordered,
		"ui://patterns/form.md": mcpserver.Unordered,
		"ui://state/x":          mcpserver.Unordered,
		"wsh://sessions":        mcpserver.Unordered,
	} {
		if got := Reads(uri); got != want {
			t.Errorf("the order of %s is %+v, want %+v", uri, got, want)
		}
	}
}
