package mcppopup

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/mcpserver"
)

// A client gets what the person has decided, and a refusal if nobody did.
func TestPermissionPrompt(t *testing.T) {
	b := broker(t, popup.Options{Workspaces: []string{"/w"}})
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Logger: slog.New(slog.DiscardHandler)})
	RegisterPrompt(s, b, "/w")
	ct, st := mcp.NewInMemoryTransports()
	ss, err := s.Connect(t.Context(), st, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ss.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "claude-code", Version: "0"}, nil).Connect(t.Context(), ct, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
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
	p := &person{make(chan popup.Asked, 10), make(chan string, 10)}
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
		asked := <-p.asked
		if q := asked.Question; q.Title != "May claude-code use Bash?" || q.Quote != "command: make\nn: 9007199254740993" || q.Message != "In /w" {
			t.Errorf("asks %+v", q)
		}
		if _, err := b.Answer(asked.ID, tt.reply, "page"); err != nil {
			t.Fatal(err)
		}
		if said := <-got; said != tt.want {
			t.Errorf("%s, want %s", said, tt.want)
		}
		<-p.taken
	}
}
