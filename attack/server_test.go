//go:build linux

package attack

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
)

// ports returns both ports of a server.
func (s *server) ports() []port {
	return []port{{s.pages, "/1/"}, {s.agent, "/state"}}
}

// questions are attacks by scripts of apps on the questions, which have an origin of their own.
func (s *server) questions() (list []attack) {
	p := s.ports()[0]
	_, number, _ := net.SplitHostPort(p.address())
	upgrade := func(host, origin, more string) func(t *testing.T) {
		return func(t *testing.T) {
			p.raw(t, "GET /popup-ws HTTP/1.1\r\nHost: "+host+":"+number+"\r\n"+origin+more+
				"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", "4")
		}
	}
	app := "Origin: http://127.0.0.1:" + number + "\r\n"
	return []attack{
		{"S22", "questions: the page of an app opens their WebSocket", false, upgrade("127.0.0.1", app, "")},
		{"S22", "questions: … at their own address", false, upgrade("localhost", app, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: websocket\r\n")},
		{"S22", "questions: … from a sandboxed frame", false, upgrade("localhost", "Origin: null\r\n", "")},
		{"S22", "questions: … with the wrong port", false, upgrade("localhost", "Origin: http://localhost:1\r\n", "")},
		{"S22", "questions: their document at the address of the apps", false, func(t *testing.T) {
			if status, body, err := get(t, "GET", s.pages+"/popup", ""); err != nil || status == http.StatusOK {
				t.Errorf("%d %.200q, %v", status, body, err)
			}
		}},
		{"S22", "questions: the token that they once had", false, func(t *testing.T) {
			for _, host := range []string{"127.0.0.1:", "localhost:"} {
				status, body, err := get(t, "GET", s.pages+"/popup-token", "", "Host", host+number, "Sec-Fetch-Site", "same-origin")
				if err != nil || status == http.StatusOK {
					t.Errorf("%s: %d %.200q, %v", host, status, body, err)
				}
			}
		}},
	}
}

// floods returns the attacks on both ports by numbers and by patience.
func (s *server) floods() []attack {
	return append(s.ports()[0].floods("/1/"), s.ports()[1].floods("/mcp")...)
}

// overHTTP returns the other attacks on both ports.
func (s *server) overHTTP() (list []attack) {
	secret := secrets(s.t, s.dir)
	for _, p := range s.ports() {
		list = append(list, p.strangers()...)
		list = append(list, p.traversals(secret)...)
	}
	for _, uri := range []string{"ui://secret-link.md", "ui://link/secret.txt"} {
		list = append(list, attack{"S14", "a link out of resources: " + uri, false, func(t *testing.T) {
			if a := s.call(t, "resources/read", map[string]any{"uri": uri}); a.Error == nil || strings.Contains(string(a.Result), secret) {
				t.Errorf("the answer is %.200s", a.Result)
			}
		}})
	}
	return append(list, attack{"S1", "nothing of another user's arrived", false, func(t *testing.T) {
		if got := s.must(t, "ui_run", map[string]any{"code": "return BROKEN_IN or 'safe'"}); !strings.Contains(got, "safe") {
			t.Errorf("another user ran code: %s", got)
		}
	}})
}

// One server faces all attacks by its client, one after another.
func TestMCP(t *testing.T) {
	load.Long(t, "TestServe has the same messages and files over HTTP")
	beside(t)
	s := startMCP(t)
	s.face(s.messages()...)
	s.face(s.uploads()...)
	s.face(s.files()...)
	s.face(s.scripts()...)
	s.settle()
}

func TestServe(t *testing.T) {
	beside(t)
	s := startServe(t)
	s.face(s.messages()...)
	s.face(s.floods()...)
	s.face(s.overHTTP()...)
	s.face(s.questions()...)
	s.face(s.files()...)
	s.settle()
}

// Each script attacks a server of its own, so that its memory can be measured.
func TestServeScripts(t *testing.T) {
	for i := range scripts {
		if !load.Full() {
			break // TestMCP has the quick ones
		}
		s := startServe(t)
		s.ceiling = scriptCeiling
		s.face(s.scripts()[i])
		s.ends()
	}
}

// SIGTERM ends a server within five seconds, whatever its scripts do.
func TestTerminate(t *testing.T) {
	for name, code := range map[string]string{
		"an endless loop":      `while true do end`,
		"pcall in a loop":      `while true do pcall(function() while true do end end) end`,
		"a process":            `os.execute("sleep 1000")`,
		"a process that stays": `os.execute("trap '' TERM HUP INT; sleep 1000")`,
		"a pattern":            `return ("a"):rep(40):find(("a*"):rep(40) .. "b")`,
		"sorting":              `table.sort({3, 2, 1}, function() while true do end end)`,
		"growing":              `local t = {} while true do t[#t % 100000 + 1] = {} end`,
		"timers":               `for i = 1, 1e4 do session:setInterval(function() while true do end end, 1) end`,
	} {
		if name != "an endless loop" && name != "a process" && !load.Full() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := startServe(t)
			s.answers = func(t *testing.T) {}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			started := make(chan struct{})
			go func() {
				// The connection ends with the server.
				_, _ = s.post(ctx, "tools/call", map[string]any{"name": "ui_run", "arguments": map[string]any{"code": `mcp.pushState({started = true}) ` + code}})
			}()
			go func() {
				defer close(started)
				_, _, _ = get(t, "GET", s.agent+"/wait?timeout=60", "") // the event is there before the code runs
			}()
			<-started
			s.finish("S40", "SIGTERM during "+name, s.ends)
		})
	}
}

// finish makes an attack that ends the process.
func (p *process) finish(claim, name string, run func()) {
	failed, start := p.t.Failed(), time.Now()
	run()
	result := "held"
	if failed != p.t.Failed() {
		result = "FAILED"
	}
	report.add(claim, p.command, name, result, 0, time.Since(start))
}

// A client that never reads makes the server wait, and does no other harm.
func TestClientThatNeverReads(t *testing.T) {
	beside(t)
	s := startMCP(t)
	overHTTP := &server{process: s.process, agent: s.agent}
	s.face(attack{"S38", "a client that never reads", false, func(t *testing.T) {
		var sent sync.WaitGroup
		sent.Go(func() {
			for i := range load.Count(200, 4_000) {
				line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"r%d","method":"tools/call","params":{"name":"ui_run","arguments":{"code":"return ('x'):rep(900000)"}}}`, i)
				if _, err := io.WriteString(s.in, line+"\n"); err != nil {
					return // the server has ended
				}
			}
		})
		s.t.Cleanup(func() { _ = s.cmd.Process.Kill(); sent.Wait() })
		s.answers = func(t *testing.T) {} // its answers come after those that nobody reads
		for range load.Count(20, 200) {
			if _, err := overHTTP.post(t.Context(), "initialize", hello); err != nil {
				t.Fatal(err)
			}
		}
	}})
	s.finish("S40", "SIGTERM while a client does not read", s.ends)
}
