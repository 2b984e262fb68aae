package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, data, wrong string
		id                string
	}{
		{"a call", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}`, "", "1"},
		{"with white space", " \t{\"jsonrpc\" : \"2.0\" , \"id\" : \"x\" , \"method\":\"m\"}\n", "", `"x"`},
		{"a null id", `{"jsonrpc":"2.0","id":null,"method":"m"}`, "", "null"},
		{"a notification", `{"jsonrpc":"2.0","method":"m"}`, "", ""},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":null}`, "", "1"},
		{"nothing", ``, "Parse error", ""},
		{"half", `{"jsonrpc"`, "Parse error", ""},
		{"two", `{} {}`, "Parse error", ""},
		{"not UTF-8", "\"\xff\"", "not valid UTF-8", ""},
		{"a batch", ` [{"jsonrpc":"2.0","id":1,"method":"m"}]`, "batches are not supported", ""},
		{"half a batch", `[`, "Parse error", ""},
		{"a number", `7`, "an object, not a number", ""},
		{"an id of another type", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, `"id" must be`, ""},
		{"no version", `{"id":1,"method":"m"}`, `"jsonrpc" must be`, "1"},
		{"no method", `{"jsonrpc":"2.0","id":1}`, `"method" is missing`, "1"},
		{"a method of another type", `{"jsonrpc":"2.0","id":1,"method":7}`, `"method" must be`, "1"},
		{"an empty method", `{"jsonrpc":"2.0","id":1,"method":""}`, `"method" must not be empty`, "1"},
		{"a null method", `{"jsonrpc":"2.0","id":1,"method":null}`, `"method" must be`, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := Parse([]byte(test.data))
			err := m.Invalid
			if got := string(m.ID); got != test.id {
				t.Errorf("id = %s, want %s", got, test.id)
			}
			if test.wrong == "" && err != nil || test.wrong != "" && (err == nil || !strings.Contains(err.Message, test.wrong)) {
				t.Errorf("error = %v, want %q", err, test.wrong)
			}
		})
	}
}

func TestResponses(t *testing.T) {
	tests := []struct {
		name string
		r    *Response
		want string
	}{
		{"a result", Result(json.RawMessage(`"a"`), map[string]string{"b": "<b>"}), `{"jsonrpc":"2.0","id":"a","result":{"b":"<b>"}}`},
		{"nothing as the result", Result(json.RawMessage("1"), nil), `{"jsonrpc":"2.0","id":1,"result":null}`},
		{"a failure", Failure(nil, Errorf(CodeParse, "no %d", 1)), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no 1"}}`},
		{"with data", Failure(nil, &Error{Code: 1, Message: "no", Data: json.RawMessage("[1]")}), `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no","data":[1]}}`},
		{"data that is not JSON", Failure(json.RawMessage("1"), &Error{Code: -32602, Message: "no", Data: json.RawMessage(`{"uri":"a\x07"}`)}),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}`},
		{"a result that has no form", Result(json.RawMessage("1"), func() {}), `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the result cannot be encoded: json: unsupported type: func()"}}`},
		{"bytes that are not UTF-8", Result(nil, json.RawMessage("\"\xff\"")), `{"jsonrpc":"2.0","id":null,"result":"` + "\uFFFD" + `"}`},
	}
	for _, test := range tests {
		if got := string(test.r.Encode()); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestRequestIsParsedAgain(t *testing.T) {
	data, err := Marshal(Request{ID: "a", Method: "m", Params: map[string]int{"n": 1}})
	if err != nil {
		t.Fatal(err)
	}
	if m := Parse(data); m.Invalid != nil || m.Method != "m" || string(m.ID) != `"a"` || string(m.Params) != `{"n":1}` {
		t.Errorf("%s is parsed as %+v", data, m)
	}
}

// Any input can be answered, and the answer is one line of JSON with the id that was sent.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"m"}`, `[]`, `[[]]`, `{"id":"\ud800"}`, "{\"id\":\"\xff\"}", `{"id":1e400}`, "\x00", `{"jsonrpc":"2.0","id" : 1 ,"error":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := Parse(data)
		answer := Failure(m.ID, m.Invalid).Encode()
		if m.Invalid == nil {
			answer = Result(m.ID, m.Params).Encode()
		}
		if !json.Valid(answer) || !utf8.Valid(answer) || bytes.ContainsRune(answer, '\n') {
			t.Errorf("the answer is %q", answer)
		}
		if m.Invalid == nil && !m.IsResponse && m.Method == "" {
			t.Error("a valid request without a method")
		}
	})
}
