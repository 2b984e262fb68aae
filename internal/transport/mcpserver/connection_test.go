package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// FuzzConnection sends any bytes and then one good request, with a session on each side that
// answers every call at once. Whatever came before, the request must arrive, and every line of
// output must be a JSON-RPC message.
func FuzzConnection(f *testing.F) {
	for _, s := range []string{
		ping, callTool("a", "b"), "", "\n", "42\n{}\n[]", "{\"id\":\"\xff\"}", "\uFEFF{}", "\x00", `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"m"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, `{"jsonrpc":"2.0","id":"\ud800","method":"m"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, strings.Repeat("[", 300), strings.Repeat("x", 5000),
	} {
		f.Add([]byte(s))
	}
	const last = `{"jsonrpc":"2.0","id":"the last one","method":"ping"}`
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		in := io.MultiReader(bytes.NewReader(input), strings.NewReader("\n"+last))
		c := newConnection(t.Context(), newTestServer(quiet()), quiet(), 2, context.Background(), func(message []byte) error {
			_, err := out.Write(append(message, '\n'))
			return err
		})
		var wg sync.WaitGroup
		for _, e := range c.eras {
			wg.Go(func() { answerAll(t, e) })
		}
		(&Stdio{In: in, Log: quiet(), MaxLine: 4096}).read(c)
		wg.Wait()

		answered := false
		for line := range bytes.Lines(out.Bytes()) {
			var msg struct {
				JSONRPC string
				ID      any
				Error   *struct{ Code int64 }
			}
			if err := json.Unmarshal(line, &msg); err != nil || msg.JSONRPC != "2.0" || !utf8.Valid(line) || !bytes.HasSuffix(line, []byte("\n")) {
				t.Errorf("output %q: %v", line, err)
			}
			if msg.Error != nil && msg.Error.Code >= -32000 {
				t.Errorf("output %q: not a code of JSON-RPC", line)
			}
			answered = answered || msg.ID == "the last one"
		}
		if !answered {
			t.Errorf("the good request was not answered; output: %q", out.Bytes())
		}
	})
}

// answerAll is a session that fails every call, with no code, as the SDK does in some cases.
func answerAll(t *testing.T, e *era) {
	for {
		msg, err := e.Read(t.Context())
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Errorf("Read = %v", err)
			}
			return
		}
		if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
			if err := e.Write(t.Context(), &jsonrpc.Response{ID: req.ID, Error: errors.New("no")}); err != nil {
				t.Errorf("Write = %v", err)
			}
		}
	}
}

// A message may still be on its way in when the client disconnects, since HTTP brings it on a
// connection of its own. Its call must not begin: nobody waits for it any more, and a turn that
// nobody ends would hold up every later call.
func TestMessageAfterClose(t *testing.T) {
	s := newTestServer(quiet())
	c := newConnection(t.Context(), s, quiet(), 2, context.Background(), func([]byte) error { t.Error("something was sent"); return nil })
	c.plain = PlainMethods{"plain": func(context.Context, json.RawMessage) (any, error) {
		t.Error("the method runs")
		return nil, nil
	}}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	for _, message := range []string{`{"jsonrpc":"2.0","id":1,"method":"plain"}`, callTool("a", "b")} {
		if refusal, err := c.accept([]byte(message)); refusal != nil || !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v, %v", message, refusal, err)
		}
	}
	c.calls.plain.Wait()
}

// A connection is closed before the handler of a call has claimed its turn.
func TestCloseBeforeClaim(t *testing.T) {
	q := new(turns)
	c := newCalls(q)
	id, err := jsonrpc.MakeID("1")
	if err != nil {
		t.Fatal(err)
	}
	if refusal, err := c.begin(&call{req: &jsonrpc.Request{ID: id, Method: "tools/call"}, session: &era{}}, &turn{scope: alone}); refusal != nil || err != nil {
		t.Fatal(refusal, err)
	}
	c.abandon()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := q.take(&turn{scope: alone}).wait(ctx); err != nil {
		t.Error("the next call waits for one that will never run")
	}
}
