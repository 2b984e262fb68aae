package mcppopup

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/popuprpc"
)

// The line of the specification, word for word, among those of MCP.
func TestPlainLines(t *testing.T) {
	b := broker(t, popup.Options{})
	p := &person{make(chan popup.Asked, 10), make(chan string, 10)}
	b.AddChannel(p)
	s := mcpserver.New(mcpserver.Options{Name: "ui-mcp", Version: "0", Logger: slog.New(slog.DiscardHandler)})
	Register(s, Options{Broker: b})
	inR, in := io.Pipe()
	out, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcpserver.Serve(t.Context(), s, &mcpserver.Stdio{
			In: inR, Out: outW, Plain: Plain(popuprpc.New(b, "0")), Log: slog.New(slog.DiscardHandler),
		})
		outW.Close()
	}()
	lines := bufio.NewScanner(out)
	send := func(line string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	receive := func() (m struct {
		ID     any
		Result map[string]any
		Error  *struct {
			Code int
			Data map[string]any
		}
	}) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal("no answer")
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	const line = `{"jsonrpc":"2.0","method":"triggerPopup","params":{"workspacePath":"/path/to/workspace","title":"Confirm","message":"Proceed?","options":[{"label":"Yes","value":"yes"}]},"id":"req1"}`
	send(line)
	if _, err := b.Answer((<-p.asked).ID, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
		t.Fatal(err)
	}
	if m := receive(); m.ID != "req1" || m.Result["selectedValue"] != "yes" || m.Result["_meta"] != nil {
		t.Errorf("answer %s", lines.Bytes())
	}
	send(line)
	if _, err := b.Answer((<-p.asked).ID, question.Reply{Action: question.Decline}, "page"); err != nil {
		t.Fatal(err)
	}
	if m := receive(); m.Error == nil || m.Error.Code != popuprpc.CodeDeclined || m.Error.Data["outcome"] != "declined" {
		t.Errorf("answer %s", lines.Bytes())
	}
	send(`{"jsonrpc":"2.0","id":0,"method":"healthCheck"}`)
	if m := receive(); m.Result["status"] != "ok" {
		t.Errorf("answer %s", lines.Bytes())
	}
	send(`{"jsonrpc":"2.0","id":3,"method":"triggerPopup"}`)
	if m := receive(); m.Error == nil || m.Error.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("answer %s", lines.Bytes())
	}
	// MCP continues as well.
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}`)
	if m := receive(); m.Result["protocolVersion"] != "2025-11-25" {
		t.Errorf("answer %s", lines.Bytes())
	}
	// Requests that stand for themselves need no handshake, and their result gets nothing that is
	// not ours, either.
	send(`{"jsonrpc":"2.0","id":4,"method":"healthCheck","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if m := receive(); m.Result["status"] != "ok" || m.Result["_meta"] != nil {
		t.Errorf("answer %s", lines.Bytes())
	}
	// A client that cancels takes its question back.
	send(line)
	id := (<-p.asked).ID
	send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"req1"}}`)
	if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Outcome != question.Withdrawn {
		t.Errorf("answer %+v, %v", a, err)
	}
	// So does one that goes away, however it has asked. The cancelled call may still end: its id is
	// not free yet.
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	send(strings.Replace(line, "req1", "req2", 1))
	id = (<-p.asked).ID
	send(`{"jsonrpc":"2.0","id":"tool","method":"tools/call","params":{"name":"popup","arguments":{"title":"T","message":"?","options":[{"label":"Yes","value":"yes"}]}}}`)
	for len(b.Pending()) < 2 { // the second one waits for the first
		runtime.Gosched()
	}
	in.Close()
	if a, err := b.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Outcome != question.Withdrawn {
		t.Errorf("answer %+v, %v", a, err)
	}
	for range 2 {
		if m := receive(); m.ID == "req2" && (m.Error == nil || m.Error.Code != popuprpc.CodeWithdrawn) || m.ID == "tool" && m.Result == nil {
			t.Errorf("answer %s", lines.Bytes())
		}
	}
	if n := len(b.Pending()); n != 0 {
		t.Errorf("%d questions are left", n)
	}
	if lines.Scan() {
		t.Errorf("a cancelled call was answered: %s", lines.Bytes())
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
