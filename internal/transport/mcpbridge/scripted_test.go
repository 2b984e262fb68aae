package mcpbridge

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/transport/jsonrpc"
)

// A scripted server is the other end of a bridge's connection.
type scripted struct {
	t     *testing.T
	conn  net.Conn
	lines *jsonrpc.LineReader
}

// runScripted starts a bridge, to whose servers the test answers itself.
func runScripted(t *testing.T) (*client, func() *scripted) {
	conns := make(chan net.Conn, 10)
	c := run(t, Options{Connect: func(ctx context.Context) (io.ReadWriteCloser, error) {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { theirs.Close() })
		conns <- theirs
		return ours, nil
	}})
	return c, func() *scripted {
		conn := <-conns
		return &scripted{t, conn, jsonrpc.NewLineReader(conn, maxMessage)}
	}
}

// read returns the method or, of a response, the result of the next message, and its id.
func (s *scripted) read() (what, id string) {
	s.t.Helper()
	line, err := s.lines.Next()
	if err != nil {
		s.t.Fatal(err)
	}
	var m struct {
		ID             json.RawMessage
		Method         string
		Params, Result json.RawMessage
	}
	if err := json.Unmarshal(line, &m); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	if m.Method == "" {
		return string(m.Result), string(m.ID)
	}
	return m.Method, string(m.ID)
}

func (s *scripted) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.conn, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scripted) answer(id, result string) {
	s.t.Helper()
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

func (s *scripted) expect(want string) (id string) {
	s.t.Helper()
	what, id := s.read()
	if what != want {
		s.t.Fatalf("the server got %s, want %s", what, want)
	}
	return id
}

func request(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"name":"x","uri":"test:x"}}`, id, method)
}

// A server that says farewell has not run the calls that it left unanswered: another one does, in
// order, after the handshake and everything that belongs to it.
func TestFarewell(t *testing.T) {
	c, server := runScripted(t)
	c.post(initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, request(1, "resources/subscribe"), request(2, "logging/setLevel"), request(3, "resources/subscribe"))
	one := server()
	one.answer(one.expect("initialize"), `{"capabilities":{"tools":{"listChanged":true}}}`)
	one.expect("notifications/initialized")
	for range 2 {
		_, id := one.read()
		one.answer(id, "{}")
	}
	id := one.expect("resources/subscribe")
	one.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no"}}`, id))
	for range 4 {
		c.next() // the answers
	}
	c.post(request(4, "tools/call"), request(5, "tools/call"), request(6, "ping"))
	for range 3 {
		one.read()
	}
	one.answer("5", `{"content":[{"text":"five"}]}`)
	one.write(Farewell)
	one.conn.Close()
	if m := c.next(); m.ID != 5.0 || m.text() != "five" {
		t.Errorf("answered before the farewell: %+v", m)
	}
	two := server()
	if id = two.expect("initialize"); id == "0" {
		t.Error("the handshake is repeated with the client's id")
	}
	two.answer(id, `{"capabilities":{"tools":{"listChanged":true}}}`)
	two.expect("notifications/initialized")
	two.answer(two.expect("resources/subscribe"), "{}")
	for _, want := range []string{"4 tools/call", "6 ping"} {
		if what, id := two.read(); id+" "+what != want {
			t.Errorf("the second server got %s %s, want %s", id, what, want)
		}
	}
	two.answer("6", "{}")
	two.answer("4", `{"content":[{"text":"four"}]}`)
	for _, want := range []string{"notifications/tools/list_changed", "result", "four"} {
		if got := c.next().text(); got != want {
			t.Errorf("the client got %s, want %s", got, want)
		}
	}
	if left, err := c.finish(); err != nil || len(left) > 0 {
		t.Errorf("at the end: %+v, %v", left, err)
	}
}

// A server that reads nothing holds up calls for a bounded time. One that it has not got does not
// run.
func TestServerReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := runScripted(t)
		start := time.Now()
		c.send(request(1, "tools/call"))
		if m := c.next(); m.ID != 1.0 || !strings.Contains(m.text(), "did not run: the server has read nothing") {
			t.Errorf("the client got %+v", m)
		}
		if took := time.Since(start); took != writeTime {
			t.Errorf("it took %v", took)
		}
	})
}

// Another server that does not answer the handshake holds up calls for a bounded time.
func TestServerIgnoresHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conns := make(chan net.Conn, 2)
		c := run(t, Options{Connect: func(context.Context) (io.ReadWriteCloser, error) {
			near, far := net.Pipe()
			conns <- far
			return near, nil
		}})
		c.post(initialize)
		one := <-conns
		if _, err := jsonrpc.NewLineReader(one, maxMessage).Next(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(one, `{"jsonrpc":"2.0","id":0,"result":{}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		if m := c.next(); m.ID != 0.0 || m.Error != nil {
			t.Fatalf("initialize: %+v", m)
		}
		one.Close()
		synctest.Wait() // the bridge has noticed
		start := time.Now()
		c.post(request(1, "tools/call"))
		two := <-conns
		defer two.Close()
		if _, err := jsonrpc.NewLineReader(two, maxMessage).Next(); err != nil {
			t.Fatal(err)
		}
		if m := c.next(); m.ID != 1.0 || !strings.Contains(m.text(), "did not run: another server") {
			t.Errorf("the client got %+v", m)
		}
		if took := time.Since(start); took != repeatTime {
			t.Errorf("it took %v", took)
		}
	})
}

// A call that may run twice is sent again once when its answer was lost; a call of a tool is not.
func TestLost(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "tools/list"), request(2, "tools/call"), request(3, "tools/call"))
	one := server()
	for range 3 {
		one.read()
	}
	c.post(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	one.expect("notifications/cancelled")
	one.conn.Close()
	if m := c.next(); m.ID != 2.0 || !strings.Contains(m.text(), "whether the call ran is unknown") {
		t.Errorf("the call of a tool: %+v", m)
	}
	two := server()
	two.expect("tools/list")
	two.conn.Close()
	if m := c.next(); m.ID != 1.0 || m.Error == nil {
		t.Errorf("lost twice: %+v", m)
	}
	if left, err := c.finish(); err != nil || len(left) > 0 {
		t.Errorf("at the end: %+v, %v", left, err)
	}
}

// Requests of the server have ids of the bridge's own, in both directions. Those of a server that
// has ended are withdrawn, and answers to them go nowhere. Its notifications are passed on.
func TestQuestions(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "ping"))
	s := server()
	s.expect("ping")
	s.write(`{"jsonrpc":"2.0","id":"a","method":"roots/list"}`)
	s.write(`{"jsonrpc":"2.0","id":7,"method":"roots/list"}`)
	first, second := c.next(), c.next()
	s.write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"enough"}}`)
	if m := c.next(); m.Method != "notifications/cancelled" || m.Params.RequestID != first.ID || first.ID == second.ID {
		t.Errorf("withdrawn: %+v; the questions are %v and %v", m, first.ID, second.ID)
	}
	answer := func(m message, result string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%q}`, m.ID, result)
	}
	c.post(answer(first, "late"), answer(second, "second"), answer(second, "twice"), request(2, "ping"))
	if what, id := s.read(); what != `"second"` || id != "7" {
		t.Errorf("the server got %s for %s", what, id)
	}
	s.expect("ping")
	s.write(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}`)
	if m := c.next(); m.Method != "notifications/progress" || m.Params.Progress != 1 {
		t.Errorf("the notification: %+v", m)
	}
	s.answer("1", "{}")
	s.answer("2", "{}")
	c.next()
	c.next()

	c.post(request(3, "tools/call"))
	s.expect("tools/call")
	s.write(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`)
	lost := c.next()
	s.conn.Close()
	if m := c.next(); m.Method != "notifications/cancelled" || m.Params.RequestID != lost.ID {
		t.Errorf("the question %v is not withdrawn: %+v", lost.ID, m)
	}
	if m := c.next(); m.ID != 3.0 || m.Error == nil {
		t.Errorf("the call: %+v", m)
	}
	c.post(request(4, "ping"))
	s = server()
	s.expect("ping")
	s.write(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`)
	again := c.next()
	if again.Method != "elicitation/create" || again.ID == lost.ID {
		t.Errorf("the question of the next server: %+v, after %+v", again, lost)
	}
	c.post(answer(lost, "it was on its way"), answer(again, "again"))
	if what, id := s.read(); what != `"again"` || id != "1" {
		t.Errorf("the next server got %s for %s", what, id)
	}
}

// Malformed messages of the server are not passed on.
func TestMalformedServer(t *testing.T) {
	c, server := runScripted(t)
	c.post(request(1, "ping"))
	s := server()
	s.expect("ping")
	for _, line := range []string{"nonsense", "[]", `{"id":1,"result":{}}`, "\xff", `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","id":null,"result":{}}`} {
		s.write(line)
	}
	s.answer("1.0", `{"content":[{"text":"good"}]}`)
	if m := c.next(); m.text() != "good" {
		t.Errorf("the client got %+v", m)
	}
}
