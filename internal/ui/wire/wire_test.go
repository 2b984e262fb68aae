package wire_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/wire"
)

func TestMessages(t *testing.T) {
	var ops wire.Ops
	ops.Set(7, 0, []byte(`"a"`))
	ops.Mount(7, 1, []byte(`null`))
	ops.List(8, 2, 3, 1, []byte(`[[1,9,[]],10]`))
	body := wire.AppendDefBody(nil, "A.DEFAULT", `<p data-ui="0">"</p>`, []wire.Binding{
		{Element: 0, Kind: "value"},
		{Element: 1, Kind: "attr", Name: "title", Opts: wire.Opts{Edit: true, Replace: true}},
	})
	defs := []wire.Def{{ID: 1, Body: body}, {ID: 2, Body: wire.AppendDefBody(nil, "B", "", nil)}}
	for _, tt := range []struct{ name, got, want string }{
		{"batch", string(wire.AppendBatch(nil, 5, nil, &ops)),
			`{"type":"batch","seq":5,"ops":[["set",7,0,"a"],["mount",7,1,null],["list",8,2,3,1,[[1,9,[]],10]]]}`},
		{"snapshot", string(wire.AppendSnapshot(nil, wire.Snapshot{
			Session: "1", Epoch: "k3", Seq: 4, Defs: defs, Root: []byte(`[1,2,[]]`),
			Problems: []wire.Problem{{ID: 1, Kind: "timer", Message: "late"}},
		})),
			fmt.Sprintf(`{"type":"snapshot","proto":%d,`, wire.Proto) + `"session":"1","epoch":"k3","seq":4,"defs":[` +
				`{"id":1,"key":"A.DEFAULT","html":"<p data-ui=\"0\">\"</p>","bind":[[0,"value",""],[1,"attr","title",{"edit":true,"replace":true}]]},` +
				`{"id":2,"key":"B","html":"","bind":[]}],"root":[1,2,[]],` +
				`"problems":[{"id":1,"kind":"timer","message":"late"}]}`},
		{"empty snapshot", string(wire.AppendSnapshot(nil, wire.Snapshot{Session: "a\"b", Epoch: "e", Seq: 1})),
			fmt.Sprintf(`{"type":"snapshot","proto":%d,`, wire.Proto) + `"session":"a\"b","epoch":"e","seq":1,"defs":[],"root":null}`},
		{"problems", string(wire.AppendProblems(nil, []wire.Problem{
			{ID: 3, Kind: "binding", File: "a.html", Line: 4, Source: `ui-value="x"`, Message: "no", At: []int64{7, 0}},
			{ID: 2, Kind: "viewdef", File: "b.html", Message: "bad"},
		})),
			`{"type":"problems","problems":[` +
				`{"id":3,"kind":"binding","file":"a.html","line":4,"source":"ui-value=\"x\"","message":"no","at":[7,0]},` +
				`{"id":2,"kind":"viewdef","file":"b.html","message":"bad"}]}`},
		{"no problems", string(wire.AppendProblems(nil, nil)), `{"type":"problems","problems":[]}`},
		{"notice", string(wire.AppendNotice(nil, "a")), `{"type":"notice","text":"a"}`},
		{"ack", string(wire.AppendAck(nil, wire.Ack{Ref: 3})), `{"type":"ack","ref":3}`},
		{"ack with error", string(wire.AppendAck(nil, wire.Ack{Ref: 3, Error: "no\n", Stale: []int{0, 2}, Failed: []int{1}})), `{"type":"ack","ref":3,"error":"no\n","stale":[0,2],"failed":[1]}`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, tt.got, tt.want)
		}
		if !json.Valid([]byte(tt.got)) {
			t.Errorf("%s is not JSON", tt.name)
		}
	}
	ops.Reset()
	if got := string(wire.AppendBatch(nil, 6, defs[1:], &ops)); got != `{"type":"batch","seq":6,"defs":[{"id":2,"key":"B","html":"","bind":[]}],"ops":[]}` {
		t.Errorf("after Reset: %s", got)
	}
}

func TestAppendNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", 1: "1", -3: "-3", 1.5: "1.5", 1e15: "1000000000000000", 1 << 53: "9007199254740992",
		1e300: "1e+300", math.Inf(1): `"Infinity"`, math.Inf(-1): `"-Infinity"`, 0.1: "0.1",
	} {
		if got := string(wire.AppendNumber(nil, f)); got != want {
			t.Errorf("%v = %s, want %s", f, got, want)
		}
	}
	if got := string(wire.AppendNumber(nil, math.NaN())); got != `"NaN"` {
		t.Errorf("NaN = %s", got)
	}
}

func TestDecodeClient(t *testing.T) {
	got, err := wire.DecodeClient([]byte(`{"type":"events","ref":5,"seq":17,"events":[[1,0],[2,3,"x"],[2,4,["a",1,true,null]],[2,5,null]]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := wire.ClientMessage{Ref: 5, Seen: 17, Events: []wire.Event{
		{Instance: 1}, {Instance: 2, Slot: 3, Value: "x"}, {Instance: 2, Slot: 4, Value: []any{"a", 1.0, true, nil}}, {Instance: 2, Slot: 5},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, err := wire.DecodeClient([]byte(`{"type":"resync"}`)); err != nil || !got.Resync {
		t.Errorf("resync = %+v, %v", got, err)
	}
	got, err = wire.DecodeClient([]byte(`{"type":"error","message":"x is not defined","file":"/1/","line":12,"source":"script of A.DEFAULT"}`))
	want = wire.ClientMessage{Failure: &wire.Failure{Message: "x is not defined", File: "/1/", Line: 12, Source: "script of A.DEFAULT"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	long := strings.Repeat("é", wire.MaxText)
	if got, err := wire.DecodeClient([]byte(`{"type":"error","line":-1,"message":"` + long + `"}`)); err != nil ||
		len(got.Failure.Message) > wire.MaxText || !strings.HasSuffix(got.Failure.Message, "é…") || got.Failure.Line != 0 {
		t.Errorf("a long error = %+v, %v", got.Failure, err)
	}
	for in, want := range map[string]string{
		`{"type":"error"}`:             "without a message",
		`{"type":"error","message":1}`: "not a message",
		``:                             "not a message", `42`: "not a message", `{"type":"resync"} x`: "after the end",
		`{"type":"x"}`:                                     `unknown message type "x"`,
		`{"type":"events","events":[]}`:                    "without a ref",
		`{"type":"events","ref":1,"events":[[1]]}`:         "elements",
		`{"type":"events","ref":1,"events":[["a",0]]}`:     "event 0",
		`{"type":"events","ref":1,"events":[[0,0]]}`:       "no such binding",
		`{"type":"events","ref":1,"events":[[1,-1]]}`:      "no such binding",
		`{"type":"events","ref":1,"events":[[1,0,{}]]}`:    "neither a scalar",
		`{"type":"events","ref":1,"events":[[1,0,[[1]]]]}`: "neither a scalar",
	} {
		if _, err := wire.DecodeClient([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func FuzzDecodeClient(f *testing.F) {
	f.Add([]byte(`{"type":"events","ref":5,"seq":17,"events":[[1,0],[2,3,"x"]]}`))
	f.Add([]byte(`{"type":"resync"}`))
	f.Add([]byte(`{"type":"error","message":"x","line":1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := wire.DecodeClient(b)
		if err == nil && !m.Resync && m.Ref <= 0 && (m.Failure == nil || m.Failure.Message == "") {
			t.Fatalf("accepted %s", b)
		}
	})
}
