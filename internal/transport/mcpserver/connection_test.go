package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
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
		c := newConnection(t.Context(), newTestServer(quiet()), quiet(), context.Background(), func(message []byte) error {
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
	c := newConnection(t.Context(), s, quiet(), context.Background(), func([]byte) error { t.Error("something was sent"); return nil })
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
	q := newTurns()
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

// request decodes a request that has an id.
func request(t testing.TB, message string) *jsonrpc.Request {
	t.Helper()
	msg, err := jsonrpc.DecodeMessage([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	return msg.(*jsonrpc.Request)
}

func TestCorrected(t *testing.T) {
	r := newResponse(httptest.NewRecorder(), request(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`), false)
	defer r.finish(nil)
	for name, tt := range map[string]struct {
		data, want string
		failed     bool
	}{
		"a result": {`{"jsonrpc":"2.0","id":1,"result":{"x":1}}`, "", false},
		"a result that holds what looks like an error": {`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"error":{"code":0,"message":"handling 'it'"}}}}`, "", false},
		"an error that is fine":                        {`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such thing","data":{"uri":"x"}}}`, "", true},
		"an error without a code": {`{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"early"}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"early: send \"initialize\" first, or name the protocol version in params._meta"}}`, true},
		"an event": {"event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"handling 'tools/call': a *mcp.Type"}}` + "\n\n",
			"event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: \"name\" must be a string"}}` + "\n\n", true},
		"a text that quotes a piece of a message": {`bad: "error":{`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.data
			}
			got, failed := r.corrected([]byte(tt.data))
			if string(got) != tt.want || failed != tt.failed {
				t.Errorf("got %s, failed %v; want %s, %v", got, failed, tt.want, tt.failed)
			}
		})
	}
}

func FuzzCorrected(f *testing.F) {
	for _, s := range []string{`{"error":{`, `}"error":{`, `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"x"}}`, `data: {"error":{"code":1}}`, `{"error":null,"result":{"error":{}}}`} {
		f.Add([]byte(s))
	}
	req := request(f, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &response{req: req}
		got, failed := r.corrected(data)
		if !failed && !bytes.Equal(got, data) {
			t.Fatalf("%q became %q", data, got)
		}
		// The bytes around the message stay, and a message remains a message.
		start, end := bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}')+1
		if !failed {
			return
		}
		if !bytes.HasPrefix(got, data[:start]) || !bytes.HasSuffix(got, data[end:]) {
			t.Fatalf("%q became %q", data, got)
		}
		if message := got[start : len(got)-len(data[end:])]; !json.Valid(message) {
			t.Fatalf("%q became %q", data, got)
		}
	})
}
