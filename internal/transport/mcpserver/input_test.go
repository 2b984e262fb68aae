package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

func TestDecodeArguments(t *testing.T) {
	in, err := newInput[echoInput]("echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	for _, tt := range []struct {
		raw  string
		want echoInput
	}{
		{`{"text":"a"}`, echoInput{Text: "a"}},
		{`{"text":"a","times":3,"loud":false,"factor":1.5,"tags":["x"],"place":{"row":1}}`,
			echoInput{Text: "a", Times: 3, Loud: &no, Factor: 1.5, Tags: []string{"x"}, Place: &place{1}}},

		// What models get wrong, and what they mean by it.
		{`{"text":"a","times":"42"}`, echoInput{Text: "a", Times: 42}},
		{`{"text":"a","times":" 42 "}`, echoInput{Text: "a", Times: 42}},
		{`{"text":"a","times":3.0}`, echoInput{Text: "a", Times: 3}},
		{`{"text":"a","times":"1e3"}`, echoInput{Text: "a", Times: 1000}},
		{`{"text":"a","factor":"0.5"}`, echoInput{Text: "a", Factor: 0.5}},
		{`{"text":"a","loud":"true"}`, echoInput{Text: "a", Loud: &yes}},
		{`{"text":"a","loud":"False"}`, echoInput{Text: "a", Loud: &no}},
		{`{"text":"a","loud":null,"times":null}`, echoInput{Text: "a"}},
		{`{"text":"a","tags":"[\"x\",\"y\"]"}`, echoInput{Text: "a", Tags: []string{"x", "y"}}},
		{`{"text":"a","place":"{\"row\":2}"}`, echoInput{Text: "a", Place: &place{2}}},
		{`"{\"text\":\"a\"}"`, echoInput{Text: "a"}},

		// A string is a string, whatever is in it.
		{`{"text":"42"}`, echoInput{Text: "42"}},
		{`{"text":"{\"row\":2}"}`, echoInput{Text: `{"row":2}`}},
	} {
		var got echoInput
		if err := in.decode(json.RawMessage(tt.raw), &got); err != nil {
			t.Errorf("%s: %v", tt.raw, err)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.raw, diff)
		}
	}
}

func TestDecodeArgumentsRefuses(t *testing.T) {
	in, err := newInput[echoInput]("echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ raw, want string }{
		{``, `missing argument "text" (its description: what to say)`},
		{`null`, `missing argument "text"`},
		{`{}`, `missing argument "text"`},
		{`{"text":null}`, `missing argument "text"`},
		{`{"Text":"a"}`, `unknown argument "Text": echo takes text, times`},
		{`{"text":"a","times":1.5}`, `argument "times" must be an integer, not a number`},
		{`{"text":"a","times":""}`, `argument "times" must be an integer, not a string`},
		{`{"text":"a","times":"1 2"}`, `argument "times" must be an integer, not a string`},
		{`{"text":"a","times":true}`, `argument "times" must be an integer, not a boolean`},
		{`{"text":"a","times":1e300}`, `argument "times": number`},
		{`{"text":"a","loud":"yes"}`, `argument "loud" must be a boolean, not a string`},
		{`{"text":"a","loud":1}`, `argument "loud" must be a boolean, not a number`},
		{`{"text":"a","tags":"x"}`, `argument "tags" must be an array, not a string`},
		{`{"text":5}`, `argument "text" must be a string, not a number`},
		{`{"text":true}`, `argument "text" must be a string, not a boolean`},
		{`{"text":{}}`, `argument "text" must be a string, not an object`},
		{`{"text":"a","tags":["x",1]}`, `argument "tags[1]" must be a string, not a number`},
		{`{"text":"a","place":{"column":1}}`, `unknown argument "place.column": place takes row`},
		{`{"text":"a","place":{"row":"1"}}`, `argument "place.row" must be an integer, not a string`},
		{`{"text":"a","place":{}}`, `missing argument "place.row"`},
		{`[]`, `arguments must be an object, not an array`},
		{`"text"`, `arguments must be an object, not a string`},
	} {
		var got echoInput
		err := in.decode(json.RawMessage(tt.raw), &got)
		if err == nil || fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.raw, err, tt.want)
		}
	}
}

// Some hosts refuse a tool whose schema has no "properties".
func TestSchemaWithoutArguments(t *testing.T) {
	in, err := newInput[struct{}]("hello", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(in.wire), `{"properties":{},"type":"object"}`; got != want {
		t.Errorf("schema = %s, want %s", got, want)
	}
	for _, raw := range []string{``, `null`, `{}`} {
		if err := in.decode(json.RawMessage(raw), &struct{}{}); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func FuzzDecodeArguments(f *testing.F) {
	for _, s := range []string{`{"text":1,"times":"2"}`, `{"text":"a","place":"{\"row\":2}"}`, `"{}"`, `{"times":1e999}`, `[`} {
		f.Add([]byte(s))
	}
	in, err := newInput[echoInput]("echo", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			return // params are decoded before the arguments in them
		}
		var got echoInput
		if err := in.decode(raw, &got); err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v is of kind %s", raw, err, fault.KindOf(err))
		}
	})
}

// An unknown resource whose URI Go quotes differently from JSON is an error like any other, and
// ends nothing.
func TestUnknownResourceWithControlCharacters(t *testing.T) {
	for _, open := range wires {
		t.Run(open.name, func(t *testing.T) {
			s := newTestServer(quiet())
			s.AddResource(&mcp.Resource{URI: "test://known", Name: "known"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{}, nil
			})
			w := open.open(t, s)
			w.send(t, initialize)
			w.receive(t)
			for _, uri := range []string{`ui://a\u0007`, `ui://a\u0000b\u001b`, `ui://\udead`, `ui://plain`} {
				w.send(t, `{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"`+uri+`"}}`)
				got := w.receive(t)
				if !strings.Contains(got, `"id":9,"error":{"code":-32602`) || !json.Valid([]byte(got)) {
					t.Errorf("%s is answered with %s", uri, got)
				}
			}
			w.send(t, ping)
			if got := w.receive(t); got != pong {
				t.Errorf("afterwards: %s", got)
			}
			w.finish(t)
		})
	}
}

// A response that cannot be encoded becomes an internal error with the same id.
func TestEncodeFailure(t *testing.T) {
	id, err := sdkrpc.MakeID("a")
	if err != nil {
		t.Fatal(err)
	}
	for name, msg := range map[string]*sdkrpc.Response{
		"a result":      {ID: id, Result: json.RawMessage("{")},
		"an error data": {ID: id, Error: &sdkrpc.Error{Code: 1, Message: "x", Data: json.RawMessage(`"\a"`)}},
	} {
		data, err := encode(msg)
		if err != nil || !strings.Contains(string(data), `"id":"a","error":{"code":-32603`) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}
