//go:build linux

package attack

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// messages are malformed, or more than anybody needs. want is the code of the answer's error, or 0
// for a result.
var messages = []struct {
	name, line string
	want       int
}{
	{"not JSON", `not json at all`, -32700},
	{"half of a message", `{"jsonrpc":"2.0","id":1,`, -32700},
	{"bytes that are no UTF-8", "\xff\xfe\x00", -32700},
	{"a string that is no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", 1},
	{"a number", `42`, -32600},
	{"nothing but an object", `{}`, -32600},
	{"null", `null`, -32600},
	{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, -32600},
	{"an empty batch", `[]`, -32600},
	{"deep arrays", strings.Repeat("[", 1_000_000), -32700},
	{"deep objects", strings.Repeat(`{"a":`, 500_000) + "1" + strings.Repeat("}", 500_000), -32700},
	{"deep params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, -32700},
	{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32600},
	{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
	{"an id that is a list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600},
	{"an id that is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600},
	{"an id that is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, 1},
	{"an id beyond all numbers", `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`, 1},
	{"a long id", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 1<<20) + `","method":"ping"}`, 0},
	{"members that come twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"ping"}`, 1},
	{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, -32601},
	{"a method that is a number", `{"jsonrpc":"2.0","id":1,"method":1}`, 1},
	{"a long method", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("m", 1<<20) + `"}`, -32601},
	{"an unknown tool with NUL", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\u0000\u0007"}}`, -32602},
	{"arguments that are a list", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_run","arguments":[1]}}`, -32602},
	{"arguments that are deep", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_run","arguments":{"code":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}}}`, -32600}, // no message at all
	{"a session with a path", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_run","arguments":{"code":"return 1","sessionId":"../../etc"}}}`, -32602},
	{"a resource with control characters", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://a\u0007"}}`, -32602},
	{"a resource with a lone surrogate", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://\ud800"}}`, -32602},
	{"a resource above its folder", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://../config.json"}}`, -32602},
	{"a resource above its folder, escaped", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://%2e%2e/%2e%2e/etc/passwd"}}`, -32602},
	{"a resource with an absolute path", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui:///etc/passwd"}}`, -32602},
	{"a resource with bad escapes", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://%zz%"}}`, -32602},
	{"a resource with a long name", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://` + strings.Repeat("a/", 500_000) + `"}}`, -32602},
	{"a resource of another scheme", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`, -32602},
	{"a resource without a URI", `{"jsonrpc":"2.0","id":1,"method":"resources/read"}`, -32602},
	{"an upload to a path", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_upload_viewdef","arguments":{"type":"../../X","content":"<template></template>"}}}`, -32602},
	{"an answer that nobody asked for", `{"jsonrpc":"2.0","id":12345,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0},
	{"cancelling what is not there", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99999}}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, 0},
	{"a line of 40 MiB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 40<<20) + `"}}`, 1},
}

// anyError says that either an error or a result is fine, as long as there is an answer.
const anyError = 1

func (s *server) messages() (list []attack) {
	for i, m := range messages {
		list = append(list, attack{"S37", "JSON-RPC: " + m.name, i%3 > 0, func(t *testing.T) {
			if s.send != nil {
				s.send(t, m.line)
				a := s.receive(t)
				if m.want != anyError && a.code() != m.want && !(m.want == -32602 && a.code() == -32002) {
					t.Errorf("answered with %d %.200v, want %d", a.code(), a.Error, m.want)
				}
				return
			}
			for line := range strings.SplitSeq(m.line, "\n") {
				for _, path := range []string{"/mcp", "/message"} {
					status, body, err := get(t, "POST", s.agent+path, line, "Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Session-Id", s.session)
					if err == nil && status >= 500 {
						t.Errorf("%s: %d %.200q", path, status, body)
					}
				}
			}
		}})
	}
	if s.send == nil {
		return list
	}
	return append(list,
		attack{"S37", "JSON-RPC: one id for a hundred calls", false, func(t *testing.T) {
			for range 100 {
				s.send(t, `{"jsonrpc":"2.0","id":"same","method":"ping"}`)
			}
			for range 100 {
				s.receive(t)
			}
		}},
		attack{"S38", "JSON-RPC: ten thousand calls at once", true, func(t *testing.T) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range 10_000 {
					s.receive(t)
				}
			}()
			for i := range 10_000 {
				s.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"n%d","method":"tools/list"}`, i))
			}
			<-done
		}},
		attack{"S38", "JSON-RPC: subscriptions without end", true, func(t *testing.T) {
			for i := range 10_000 {
				s.call(t, "resources/subscribe", map[string]any{"uri": fmt.Sprintf("ui://x%d", i)})
			}
		}},
	)
}

// uploads are view definitions that lead elsewhere.
func (s *server) uploads() []attack {
	try := func(args map[string]any) func(t *testing.T) {
		return func(t *testing.T) {
			a := s.call(t, "tools/call", map[string]any{"name": "ui_upload_viewdef", "arguments": args})
			if text, isError := a.text(); !isError {
				data, _ := json.Marshal(args)
				t.Errorf("%.100s is taken: %.100q", data, text)
			}
		}
	}
	html := "<template><p></p></template>"
	return []attack{
		{"S14", "upload: a type with a path", false, try(map[string]any{"type": "../../../Evil", "content": html})},
		{"S14", "upload: a namespace with a path", false, try(map[string]any{"type": "X", "namespace": "../../evil", "content": html})},
		{"S14", "upload: a type with NUL", true, try(map[string]any{"type": "X\x00", "content": html})},
		{"S14", "upload: a long type", true, try(map[string]any{"type": strings.Repeat("X", 10_000), "content": html})},
		{"S14", "upload: without a template", true, try(map[string]any{"type": "X", "content": strings.Repeat("x", 1<<20)})},
	}
}
