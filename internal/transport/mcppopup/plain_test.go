package mcppopup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/transport/popuprpc"
)

// The line of the specification, word for word, and its outcomes. Nothing is added to results,
// whatever era of MCP a request names.
func TestPlainLines(t *testing.T) {
	b := persons.Broker(t, popup.Options{})
	p := persons.NewPage()
	b.AddChannel(p)
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Logger: slog.New(slog.DiscardHandler)})
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.Serve(t.Context(), s, &mcpserver.Stdio{
			In: inR, Out: outW, Plain: Plain(popuprpc.New(b, "0")), Log: slog.New(slog.DiscardHandler),
		})
		outW.Close()
	}()
	const line = `{"jsonrpc":"2.0","method":"triggerPopup","params":{"workspacePath":"/path/to/workspace","title":"Confirm","message":"Proceed?","options":[{"label":"Yes","value":"yes"}]},"id":"req1"}`
	const stateless = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	answers := bufio.NewScanner(out)
	for _, tt := range []struct {
		line  string
		reply question.Action // of the person; "" where nobody is asked
		want  string          // a part of the answer
	}{
		{line, question.Submit, `"id":"req1","result":{"selectedValue":"yes",`},
		{line, question.Decline, fmt.Sprintf(`"id":"req1","error":{"code":%d,`, popuprpc.CodeDeclined)},
		{line, question.Decline, `"data":{"outcome":"declined",`},
		{`{"jsonrpc":"2.0","id":0,"method":"healthCheck"}`, "", `"id":0,"result":{"status":"ok",`},
		{`{"jsonrpc":"2.0","id":4,"method":"healthCheck","params":{` + stateless + `}}`, "", `"id":4,"result":{"status":"ok",`},
		{`{"jsonrpc":"2.0","id":3,"method":"triggerPopup"}`, "", fmt.Sprintf(`"id":3,"error":{"code":%d,`, jsonrpc.CodeInvalidParams)},
	} {
		if _, err := io.WriteString(in, tt.line+"\n"); err != nil {
			t.Fatal(err)
		}
		if tt.reply != "" {
			r := question.Reply{Action: tt.reply}
			if tt.reply == question.Submit {
				r.Values = []string{"yes"}
			}
			if _, err := b.Answer((<-p.Asked).ID, r, "page"); err != nil {
				t.Fatal(err)
			}
		}
		if !answers.Scan() || !strings.Contains(answers.Text(), tt.want) || strings.Contains(answers.Text(), "_meta") {
			t.Errorf("%s: %s, want %s", tt.line, answers.Text(), tt.want)
		}
	}
	in.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A client gets what the person has decided, and a refusal if nobody did.
func TestPermissionPrompt(t *testing.T) {
	b := persons.Broker(t, popup.Options{Workspaces: []string{"/w"}})
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Logger: slog.New(slog.DiscardHandler)})
	RegisterPrompt(s, b, "/w")
	client := testkit.InMemory(t, s.Server, mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "0"}, nil), "")
	ask := func() string {
		res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "permission_prompt", Arguments: map[string]any{
			"tool_name": "Bash", "input": map[string]any{"command": "make", "n": 9007199254740993}, "tool_use_id": "1",
		}})
		if err != nil || res.IsError {
			t.Fatalf("%+v, %v", res, err)
		}
		return res.Content[0].(*mcp.TextContent).Text
	}
	if got := ask(); !strings.HasPrefix(got, `{"behavior":"deny","message":"Nobody could be asked`) {
		t.Errorf("nobody is there: %s", got)
	}
	p := persons.NewPage()
	defer b.AddChannel(p)()
	for _, tt := range []struct {
		reply question.Reply
		want  string
	}{
		{question.Reply{Action: question.Submit, Values: []string{"allow"}}, `{"behavior":"allow","updatedInput":{"command":"make","n":9007199254740993}}`},
		{question.Reply{Action: question.Submit, Values: []string{"deny"}}, `{"behavior":"deny","message":"The person does not allow this."}`},
		{question.Reply{Action: question.Dismiss}, `{"behavior":"deny","message":"The person has not decided: dismissed."}`},
	} {
		got := make(chan string)
		go func() { got <- ask() }()
		asked := <-p.Asked
		if q := asked.Question; q.Title != "May claude-code use Bash?" || q.Quote != "command: make\nn: 9007199254740993" || q.Message != "In /w" {
			t.Errorf("asks %+v", q)
		}
		if _, err := b.Answer(asked.ID, tt.reply, "page"); err != nil {
			t.Fatal(err)
		}
		if said := <-got; said != tt.want {
			t.Errorf("%s, want %s", said, tt.want)
		}
		<-p.Gone
	}
}

// A views is a client's views, which display nothing.
type views struct{ asked chan popup.Asked }

func (v *views) Name() string            { return "chat" }
func (v *views) Kind() core.Kind         { return core.Chat }
func (v *views) Presence() core.Presence { return core.Possible }

func (v *views) Show(ctx context.Context, a popup.Asked) error {
	v.asked <- a
	select {
	case <-time.After(8 * time.Second):
		return popup.ErrNotShown
	case <-ctx.Done():
		return nil
	}
}

// A question goes to the view of a client that has declared views. When that displays nothing, the
// question goes on, and views of the client are not tried again until another has joined.
func TestClientThatDisplaysNoViews(t *testing.T) {
	declared := &mcp.ClientCapabilities{}
	declared.AddExtension(mcpview.Extension, map[string]any{"mimeTypes": []string{mcpview.MIMEType}})
	for name, tt := range map[string]struct {
		caps *mcp.ClientCapabilities
		want int // questions that views were asked
	}{
		"declared":     {declared, 1},
		"not declared": {&mcp.ClientCapabilities{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := &views{make(chan popup.Asked, 10)}
				var joined atomic.Int64 // views that have joined; a question that is shown reads it beside the test
				joined.Store(7)
				r := open(t, &mcp.ClientOptions{Capabilities: tt.caps}, func(o *Options) { o.Chat, o.Views = v, joined.Load })
				for range 2 { // views that are not tried again
					answer := r.ask(map[string]any{"title": "T", "message": "M", "options": []string{"A"}, "channel": "chat"})
					a := <-r.person.Asked // by the page
					if err := r.broker.Withdraw(a.ID); err != nil {
						t.Error(err)
					}
					<-answer
				}
				if n := len(v.asked); n != tt.want {
					t.Errorf("views were asked %d questions, want %d", n, tt.want)
				}
				joined.Add(1) // late, as where the person must approve the calls of views
				answer := r.ask(map[string]any{"title": "T", "message": "M", "options": []string{"A"}, "channel": "chat"})
				a := <-r.person.Asked
				if err := r.broker.Withdraw(a.ID); err != nil {
					t.Error(err)
				}
				<-answer
				if n := len(v.asked); n != 2*tt.want {
					t.Errorf("after a view has joined, views were asked %d questions, want %d", n, 2*tt.want)
				}
			})
		})
	}
}
