package mcppopup

import (
	"context"
	"crypto/sha256"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/mcpserver"
)

// A guarded server has a tool that does something only with permission.
type guarded struct {
	t          *testing.T
	broker     *popup.Broker
	person     *persons.Page // nil: there are no pages
	permission *Permission
	client     *mcp.ClientSession
	done       int
}

type thing struct {
	Thing string `json:"thing"`
}

func openGuarded(t *testing.T, version string, opts *mcp.ClientOptions, withPage bool) *guarded {
	t.Helper()
	b := persons.Broker(t, popup.Options{})
	g := &guarded{t: t, broker: b, permission: NewPermission(b, nil)}
	if withPage {
		g.person = persons.NewPage()
		b.AddChannel(g.person)
	}
	s := mcpserver.New(mcpserver.Options{Name: "s", Version: "0", Logger: slog.New(slog.DiscardHandler)})
	no := mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.No, OpenWorld: mcpserver.No}
	mcpserver.AddTool(s, mcpserver.Tool{Name: "do", Description: "d", Hints: no}, func(ctx context.Context, in thing) (mcpserver.Result, error) {
		if err := g.permission.Ask(ctx, term.Inquiry{About: []byte(in.Thing), Title: "May it?", Message: "It is about:", Quote: in.Thing[:1]}); err != nil {
			return mcpserver.Result{}, err
		}
		g.done++
		return mcpserver.Text("done"), nil
	})
	g.client = testkit.InMemory(t, s.Server, mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, opts), version)
	return g
}

// do calls the tool and returns the text of its result.
func (g *guarded) do(what string) string {
	g.t.Helper()
	res, err := g.client.CallTool(g.t.Context(), &mcp.CallToolParams{Name: "do", Arguments: map[string]any{"thing": what}})
	if err != nil {
		g.t.Fatal(err)
	}
	return res.Content[0].(*mcp.TextContent).Text
}

var versions = map[string]string{"handshake": "2025-11-25", "rounds": ""}

// The person's answer in the client's dialog decides.
func TestPermission(t *testing.T) {
	for era, version := range versions {
		for name, tt := range map[string]struct {
			answer mcp.ElicitResult
			after  time.Duration
			want   string
		}{
			"allowed":            {mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "allow"}}, time.Second, "done"},
			"refused":            {mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "refuse"}}, time.Second, "refused this"},
			"declined":           {mcp.ElicitResult{Action: "decline"}, time.Second, "refused this"},
			"put away":           {mcp.ElicitResult{Action: "cancel"}, time.Second, "has put away the question"},
			"faster than person": {mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "allow"}}, time.Millisecond, "nobody can be asked"},
		} {
			t.Run(era+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					g := openGuarded(t, version, legacy(after(tt.after, &tt.answer)), false)
					if got := g.do("x"); !strings.Contains(got, tt.want) || (g.done == 1) != (tt.want == "done") {
						t.Errorf("%s; done %d times", got, g.done)
					}
				})
			})
		}
	}
}

// Without a dialog the page asks; without that, nobody can.
func TestPermissionInPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", nil, true)
		said := make(chan string, 1)
		go func() { said <- g.do("x") }()
		a := <-g.person.Asked
		if a.Question.Severity != question.Danger || a.Question.Quote != "x" {
			t.Errorf("asked %+v", a.Question)
		}
		if _, err := g.broker.Answer(a.ID, question.Reply{Action: question.Submit, Values: []string{"allow"}}, "page"); err != nil {
			t.Fatal(err)
		}
		if got := <-said; got != "done" {
			t.Error(got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if got := openGuarded(t, "", nil, false).do("x"); !strings.Contains(got, "nobody can be asked") {
			t.Error(got)
		}
	})
}

// Only a person puts a question away. One that its asker has withdrawn was not.
func TestPermissionIsWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", nil, true)
		said := make(chan string, 1)
		go func() { said <- g.do("x") }()
		if err := g.broker.Withdraw((<-g.person.Asked).ID); err != nil {
			t.Fatal(err)
		}
		if got := <-said; !strings.Contains(got, "was withdrawn") || g.done != 0 {
			t.Errorf("%s; done %d times", got, g.done)
		}
	})
}

// A question outlives the call, and the same call gets its answer; another call does not.
func TestPermissionLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", nil, true)
		if got := g.do("x"); !strings.Contains(got, "still open") {
			t.Error(got)
		}
		a := <-g.person.Asked
		if _, err := g.broker.Answer(a.ID, question.Reply{Action: question.Submit, Values: []string{"allow"}}, "page"); err != nil {
			t.Fatal(err)
		}
		<-g.person.Gone
		if got := g.do("xy"); !strings.Contains(got, "still open") { // it looks the same
			t.Errorf("something else: %s, done %d times", got, g.done)
		}
		if err := g.broker.Withdraw((<-g.person.Asked).ID); err != nil {
			t.Fatal(err)
		}
		<-g.person.Gone
		if got := g.do("x"); got != "done" {
			t.Error(got)
		}
		for _, other := range []string{"y", "xx", "x"} { // the answer was used
			if got := g.do(other); !strings.Contains(got, "still open") {
				t.Error(got)
			}
			if err := g.broker.Withdraw((<-g.person.Asked).ID); err != nil {
				t.Fatal(err)
			}
			<-g.person.Gone
		}
		if g.done != 1 {
			t.Errorf("done %d times", g.done)
		}
	})
}

// An answer that nobody has collected does not hold for ever: what was meant then may not be now.
func TestPermissionExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", nil, true)
		for range 2 {
			if got := g.do("x"); !strings.Contains(got, "still open") || g.done > 0 {
				t.Fatalf("%s; done %d times", got, g.done)
			}
			if _, err := g.broker.Answer((<-g.person.Asked).ID, question.Reply{Action: question.Submit, Values: []string{"allow"}}, "page"); err != nil {
				t.Fatal(err)
			}
			<-g.person.Gone
			time.Sleep(permissionTime * time.Second)
		}
		g.do("y") // whatever is void goes
		if n := len(g.permission.tools.open.open); n != 1 {
			t.Errorf("%d questions are kept", n)
		}
	})
}

// A caller that leaves takes its question with it, also if it was waiting for the second time.
func TestPermissionOfOneThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", nil, true)
		i := term.Inquiry{Title: "May it?", Message: "It is about:", Quote: "x"}
		if err := g.permission.Ask(t.Context(), i); fault.KindOf(err) != fault.Timeout {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if err := g.permission.Ask(ctx, i); err == nil || fault.KindOf(err) != fault.Precondition {
			t.Error(err)
		}
		synctest.Wait()
		if open := g.broker.Pending(); len(open) > 0 {
			t.Errorf("still open: %v", open)
		}
	})
}

// A client that calls again brings the answer for what the person was asked, once.
func TestPermissionIsForOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := openGuarded(t, "", legacy(after(time.Second, &mcp.ElicitResult{Action: "accept"})), false)
		again := func(what, state string) (*mcp.CallToolResult, error) {
			return g.client.CallTool(t.Context(), &mcp.CallToolParams{Name: "do", Arguments: map[string]any{"thing": what}, RequestState: state,
				InputResponses: mcp.InputResponseMap{inputKey: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "allow"}}}})
		}
		q, err := question.Request{
			Title: "May it?", Message: "It is about:", Severity: question.Danger, TimeoutSeconds: permissionTime,
			Options: []question.Option{{Label: "Allow", Value: allow}, {Label: "Refuse", Value: refuse}},
		}.Question()
		if err != nil {
			t.Fatal(err)
		}
		about := sha256.Sum256([]byte("x"))
		q.Plain, q.Quote, q.About = true, "x", string(about[:])
		held := persons.NewPage()
		id, err := g.broker.Ask(q, popup.AskOptions{Channels: []popup.Channel{held}})
		if err != nil {
			t.Fatal(err)
		}
		state := g.permission.tools.state(id, q)
		time.Sleep(time.Second) // a person needs that
		for _, other := range []string{"y", "xx"} {
			if _, err := again(other, state); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams {
				t.Errorf("for %s: %v", other, err)
			}
		}
		if res, err := again("x", state); err != nil || res.IsError || g.done != 1 {
			t.Errorf("for the same: %v, %v", res, err)
		}
		if _, err := again("x", state); testkit.CodeOf(err) != jsonrpc.CodeInvalidParams || g.done != 1 {
			t.Errorf("once more: %v; done %d times", err, g.done)
		}
	})
}
