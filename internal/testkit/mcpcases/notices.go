package mcpcases

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/wait"
)

// Notices are the notifications that a client has received. The zero value is ready for use.
type Notices struct {
	mu   sync.Mutex // guards the field below
	list []string   // "updated URI" or "PROGRESS/TOTAL MESSAGE"
}

// Options makes a client collect its notifications.
func (n *Notices) Options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			n.add("updated " + req.Params.URI)
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			n.add(fmt.Sprintf("%v/%v %s", req.Params.Progress, req.Params.Total, req.Params.Message))
		},
	}
}

func (n *Notices) add(notice string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, notice)
}

// count returns how many notices begin so.
func (n *Notices) count(start string) (count int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, notice := range n.list {
		if strings.HasPrefix(notice, start) {
			count++
		}
	}
	return count
}

// startWait starts a wait that lasts until its session is killed. The function checks, when enough
// time has passed, that the wait has reported progress.
func (a *agent) startWait(t *testing.T) (check func(*testing.T)) {
	t.Helper()
	const name = "case-wait"
	a.create(t, name, "cat")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p := &mcp.CallToolParams{Name: "wsh_await_quiesce", Arguments: map[string]any{"session": name, "exit": true, "max_wait_ms": 300000}}
		p.SetProgressToken("wait-" + name)
		if res, err := a.CallTool(context.Background(), p); err != nil || !strings.Contains(fmt.Sprint(res.StructuredContent), "ended") {
			t.Errorf("the wait: %v, %v", res, err)
		}
	}()
	return func(t *testing.T) {
		wait.Until(t, "the wait reports progress", func() bool { return a.notices.count("5/300 waiting for the end of session "+name) > 0 })
		do[any](t, a, name, "send_input", `{"keys":["C-d"]}`)
		<-ended
	}
}

var noticeCases = []testCase{
	{name: "Updates of a resource are coalesced", command: "read go; for i in $(seq 100); do echo line $i; sleep 0.01; done; echo finished; cat", run: func(t *testing.T, a *agent, session string) {
		uri := "wsh://sessions/" + session + "/screen"
		if err := a.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		do[any](t, a, session, "send_input", `{"keys":["Enter"]}`)
		do[any](t, a, session, "await_quiesce", `{"wait_for":"finished"}`)
		before := a.notices.count("updated " + uri)
		do[any](t, a, session, "send_input", `{"input":"last"}`)
		wait.Until(t, "the last change is reported", func() bool { return a.notices.count("updated "+uri) > before })
		// One at once, then one in 200 ms, and two more for what happens at the edges.
		if n, most := a.notices.count("updated "+uri), int(time.Since(start)/(200*time.Millisecond))+3; n > most {
			t.Errorf("%d updates in %v, more than %d", n, time.Since(start), most)
		}
		if err := a.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
			t.Error(err)
		}
	}},
	{name: "Names of sessions are completed", command: "cat", run: func(t *testing.T, a *agent, session string) {
		res, err := a.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "wsh://sessions/{name}/screen"},
			Argument: mcp.CompleteParamsArgument{Name: "name", Value: session},
		})
		if err != nil || len(res.Completion.Values) == 0 || res.Completion.Values[0] != session {
			t.Errorf("completions of %s: %+v, %v", session, res, err)
		}
	}},
	// A session runs one command at a time: the next one is typed when the wait for it has ended.
	{name: "A cancelled wait ends", steps: []step{{"run_command", `{"input":"true"}`, ``}}, run: func(t *testing.T, a *agent, session string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ended := make(chan error, 1)
		go func() {
			_, err := a.CallTool(ctx, &mcp.CallToolParams{Name: "wsh_run_command", Arguments: map[string]any{"session": session, "input": "sleep 1000", "max_wait_ms": 300000}})
			ended <- err
		}()
		isBusy := func() bool {
			o := a.call(t, "run_command", session, `{"input":"","max_wait_ms":50}`)
			if o.err != nil {
				t.Error(o.err)
			}
			return strings.Contains(o.text, "another call is running")
		}
		wait.Until(t, "the command is run", isBusy)
		cancel()
		if err := <-ended; err == nil {
			t.Error("a cancelled call has an answer")
		}
		wait.Until(t, "its wait has ended", func() bool { return !isBusy() })
	}},
}
