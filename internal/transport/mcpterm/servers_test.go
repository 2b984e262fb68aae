package mcpterm_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/terminals"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/mcpterm"
)

const oneServer = `[{"hostname":"build1","address":"ssh://build1","health":"healthy","latency_ms":0.4}]`

// hub is terminals that know a server "build1", which is another recorder.
func hub() (of terminals.Terminals, here, there *recorder) {
	info := map[string]string{"server.info": `{"hostname":"laptop"}`, "servers.list": oneServer, "servers.get": `{"hostname":"build1","address":"ssh://build1","health":"healthy"}`, "servers.add": `{"address":"ssh://build2","health":"connecting"}`}
	here, there = &recorder{answers: info}, &recorder{answers: map[string]string{"session.list": `[{"name":"work","server":"build1"}]`}}
	return opcases.WithServer(here, "build1", there), here, there
}

// What is about other servers is listed when there are some, and costs little then.
func TestToolsOfOtherServers(t *testing.T) {
	list := func(of terminals.Terminals, by terminals.Grant) (tools []*mcp.Tool, size int) {
		t.Helper()
		res, err := connectAs(t, of, by).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		return res.Tools, len(data)
	}
	alone, without := list(&recorder{}, terminals.Everything)
	of, _, _ := hub()
	tools, size := list(of, terminals.Everything)
	const budget = 1 << 10
	if size-without > budget {
		t.Errorf("other servers cost %d bytes, the budget is %d", size-without, budget)
	}
	t.Logf("other servers cost %d bytes", size-without)
	var more []string
	for _, tool := range tools {
		schema, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(alone, func(other *mcp.Tool) bool { return other.Name == tool.Name }); i < 0 {
			more = append(more, tool.Name)
			continue
		}
		if !strings.Contains(string(schema), `"server":{`) {
			t.Errorf("%s takes no server: %s", tool.Name, schema)
		}
	}
	if d := cmp.Diff([]string{"wsh_add_server", "wsh_list_servers", "wsh_remove_server", "wsh_server_status"}, more); d != "" {
		t.Error(d)
	}
	tools, _ = list(of, terminals.Grant{Rights: terminals.Read})
	for _, tool := range tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || tool.Name == "wsh_add_server" {
			t.Errorf("a caller who may only read gets %s", tool.Name)
		}
	}
}

func TestServerTools(t *testing.T) {
	for _, tt := range []struct{ tool, args, asked, want string }{
		{"wsh_list_servers", `{}`, `server.info {}; servers.list {}`, `{"local_hostname":"laptop","servers":` + oneServer + `}`},
		{"wsh_add_server", `{"address":"ssh://build2","token":"t"}`, `servers.add {"address":"ssh://build2","token":"t"}`, `{"success":true,"status":"added","address":"ssh://build2","health":"connecting"}`},
		{"wsh_remove_server", `{"hostname":"build1"}`, `servers.remove {"hostname":"build1"}`, `{"success":true,"status":"removed","hostname":"build1"}`},
		{"wsh_server_status", `{"hostname":"build1"}`, `servers.get {"hostname":"build1"}`, `{"hostname":"build1","address":"ssh://build1","health":"healthy"}`},
	} {
		of, here, _ := hub()
		got := mustCall(t, connect(t, of), tt.tool, tt.args)
		if d := cmp.Diff(tt.asked, strings.Join(here.asked, "; ")); d != "" {
			t.Errorf("%s: -want +got:\n%s", tt.tool, d)
		}
		if d := opcases.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %s", tt.tool, d)
		}
	}
	r := &recorder{errs: map[string]error{"servers.get": terminals.UnknownServer("none")}}
	if _, err := call(t, connect(t, r), "wsh_server_status", `{"hostname":"none"}`); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams {
		t.Errorf("a server that is not known: %v", err)
	}
}

// With the argument server, a call is carried out by that server alone, as TestParameters has it;
// without, the name of a session says where it is. A new session may be on any that fits.
func TestServerArgument(t *testing.T) {
	for args, want := range map[string]string{
		`{"name":"n","server":"any"}`:    `session.create {"name":"n","on":[]}`,
		`{"server":"any:gpu, os=linux"}`: `session.create {"on":["gpu","os=linux"]}`,
	} {
		of, here, there := hub()
		mustCall(t, connect(t, of), "wsh_create_session", args)
		if got := strings.Join(here.asked, "; "); got != want || len(there.asked) > 0 {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	for tool, args := range map[string]string{"wsh_create_session": `{"server":"any","labels":"gpu"}`, "wsh_get_screen": `{"session":"a","server":"any"}`} {
		of, _, _ := hub()
		if _, err := call(t, connect(t, of), tool, args); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams {
			t.Errorf("%s %s: %v", tool, args, err)
		}
	}
	of, here, there := hub()
	c := connect(t, of)
	mustCall(t, c, "wsh_get_screen", `{"session":"build1/work"}`)
	mustCall(t, c, "wsh_get_screen", `{"session":"work","server":""}`)
	mustCall(t, c, "wsh_get_screen", `{"session":"work","server":null}`)
	if want := []string{`screen.get {"session":"build1/work"}`, `screen.get {"session":"work"}`, `screen.get {"session":"work"}`}; !slices.Equal(here.asked, want) || len(there.asked) > 0 {
		t.Errorf("done here: %q, there: %q", here.asked, there.asked)
	}
	for args, want := range map[string]string{`{"session":"a","server":"build3"}`: "there is no server", `{"session":"a","server":5}`: "must be a string", `{"session":"a","server":"build1","x":1}`: `"x"`} {
		if _, err := call(t, c, "wsh_get_screen", args); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// Sessions of other servers are listed with them, and reached by their full names.
func TestSessionsOfOtherServers(t *testing.T) {
	here := &recorder{answers: map[string]string{
		"session.list": `[{"name":"a","server":"laptop"},{"name":"build1/work","server":"build1"}]`, "server.info": `{"hostname":"laptop"}`,
	}}
	there := &recorder{answers: map[string]string{"session.create": `{"name":"new","server":"build1"}`, "session.list": `[{"name":"work","server":"build1"}]`}}
	face := mcpterm.New(mcpterm.Options{
		Terminals: opcases.WithServer(here, "build1", there),
		Grant:     func(context.Context) terminals.Grant { return terminals.Everything },
		Reach:     func(session string) mcpterm.Reach { return mcpterm.Reach{Attach: "wsh attach " + session} },
	})
	c := connectTo(t, face)
	for _, tt := range []struct{ tool, args, want string }{
		{"wsh_list_sessions", `{}`, `[{"name":"a","attach":"wsh attach a"},{"name":"build1/work","server":"build1","attach":"wsh attach build1/work"}]`},
		{"wsh_list_sessions", `{"server":"build1"}`, `[{"name":"work","server":"build1","attach":"wsh attach build1/work"}]`},
		{"wsh_create_session", `{"server":"build1"}`, `{"session":"new","server":"build1","attach":"wsh attach build1/new"}`},
	} {
		if d := opcases.Diff(tt.want, mustCall(t, c, tt.tool, tt.args)); d != "" {
			t.Errorf("%s %s: %s", tt.tool, tt.args, d)
		}
	}
	if got := mustCall(t, c, "wsh_list_sessions", `{}`); strings.Contains(got, "laptop") {
		t.Errorf("a session of this server is listed with it: %s", got)
	}
	here.asked = nil
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "wsh://sessions/build1%2Fwork/screen"}); err != nil || !slices.Equal(here.asked, []string{`screen.get {"session":"build1/work"}`}) {
		t.Errorf("the resource of a screen: %v, %q", err, here.asked)
	}
	// The face's own server has no other names.
	here.answers["session.list"] = `[{"name":"a","server":"laptop"}]`
	c = connectTo(t, mcpterm.New(mcpterm.Options{
		Terminals: opcases.WithServer(here, "laptop", here),
		Grant:     func(context.Context) terminals.Grant { return terminals.Everything },
		Reach:     func(session string) mcpterm.Reach { return mcpterm.Reach{Attach: "wsh attach " + session} },
	}))
	if d := opcases.Diff(`[{"name":"a","attach":"wsh attach a"}]`, mustCall(t, c, "wsh_list_sessions", `{"server":"laptop"}`)); d != "" {
		t.Error(d)
	}
}

// A changing recorder is terminals to which another server can be added.
type changing struct {
	*recorder
	mu *sync.Mutex // held by Do
}

// Do implements [terminals.Terminals].
func (c changing) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch o.Name {
	case "servers.add":
		c.answers["servers.list"] = oneServer
	case "servers.remove":
		c.answers["servers.list"] = `[]`
	}
	return c.recorder.Do(ctx, by, o, in, out)
}

// Open implements [terminals.Terminals]: nothing happens to sessions.
func (c changing) Open(context.Context, terminals.Grant, *terminals.Operation, any) (terminals.Stream, error) {
	return silence{}, nil
}

type silence struct{ terminals.Stream }

func (silence) Receive(ctx context.Context, _ any) error {
	<-ctx.Done()
	return ctx.Err()
}

func (silence) Close() {}

// Clients are notified of other tools when the first other server is added, and when the
// last one is removed, and never before that.
func TestToolsChange(t *testing.T) {
	r := changing{&recorder{answers: map[string]string{}}, new(sync.Mutex)}
	face := mcpterm.New(mcpterm.Options{Terminals: r, Grant: func(context.Context) terminals.Grant { return terminals.Everything }})
	changes := make(chan struct{}, 100)
	c := testkit.InMemory(t, notifyingServerOf(t, face).Server, mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
	}), "")
	if caps := c.InitializeResult().Capabilities.Tools; caps == nil || !caps.ListChanged {
		t.Errorf("the capability is %+v", caps)
	}
	mustCall(t, c, "wsh_list_sessions", `{}`)
	for _, step := range []struct{ tool, args string }{{"wsh_add_server", `{"address":"ssh://build1"}`}, {"wsh_remove_server", `{"hostname":"build1"}`}} {
		select {
		case <-changes:
			t.Errorf("before %s, clients were notified of a change", step.tool)
		default:
		}
		before, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		mustCall(t, c, step.tool, step.args)
		select {
		case <-changes:
		case <-time.After(time.Minute):
			t.Fatalf("after %s, no client was notified", step.tool)
		}
		after, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(before.Tools) == len(after.Tools) {
			t.Errorf("after %s, there are as many tools as before", step.tool)
		}
	}
}
