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
			all, batch, err := Parse([]byte(test.data))
			if err == nil && len(all) == 1 {
				err = all[0].Invalid
				if got := string(all[0].ID); got != test.id {
					t.Errorf("id = %s, want %s", got, test.id)
				}
			}
			if batch {
				t.Error("it is no batch")
			}
			if test.wrong == "" && err != nil || test.wrong != "" && (err == nil || !strings.Contains(err.Message, test.wrong)) {
				t.Errorf("error = %v, want %q", err, test.wrong)
			}
		})
	}
}

func TestParseBatch(t *testing.T) {
	all, batch, err := Parse([]byte(` [{"jsonrpc":"2.0","id":1,"method":"m"}, 7, [], {"jsonrpc":"2.0","method":"n"}]`))
	if err != nil || !batch || len(all) != 4 {
		t.Fatalf("Parse = %d messages, %v, %v", len(all), batch, err)
	}
	for i, wrong := range []bool{false, true, true, false} {
		if got := all[i].Invalid != nil; got != wrong {
			t.Errorf("message %d: %v", i, all[i].Invalid)
		}
	}
	if all[0].IsNotification() || !all[3].IsNotification() {
		t.Error("calls and notifications are confused")
	}
	if _, batch, err := Parse([]byte("[")); batch || err == nil {
		t.Errorf("half a batch: %v, %v", batch, err)
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
	all, _, perr := Parse(data)
	if perr != nil || all[0].Invalid != nil || all[0].Method != "m" || string(all[0].ID) != `"a"` || string(all[0].Params) != `{"n":1}` {
		t.Errorf("%s is parsed as %+v, %v", data, all, perr)
	}
}

// Any input can be answered, and the answer is one line of JSON with the id that was sent.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"jsonrpc":"2.0","id":1,"method":"m"}`, `[]`, `[[]]`, `{"id":"\ud800"}`, "{\"id\":\"\xff\"}", `{"id":1e400}`, "\x00", `{"jsonrpc":"2.0","id" : 1 ,"error":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, batch, err := Parse(data)
		if err != nil && (len(all) > 0 || batch) {
			t.Errorf("both messages and %v", err)
		}
		if !batch && err == nil && len(all) != 1 {
			t.Errorf("%d messages", len(all))
		}
		for _, m := range all {
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
		}
	})
}
