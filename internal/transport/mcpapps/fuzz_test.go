package mcpapps

import (
	"encoding/json"
	"testing"

	"ui-mcp/internal/transport/relay"
)

// A view may say anything. It is answered, or ended, and leaves no page behind.
func FuzzMessages(f *testing.F) {
	for _, seed := range []struct{ hello, channel, msg string }{
		{`{}`, "view", `{"type":"open"}`},
		{`{"tool":"ui_display","input":{"sessionId":2,"name":["x"]},"host":{"width":-1e99,"theme":7}}`, "view", `{"type":"call","input":{"sessionId":"2"},"created":"dev"}`},
		{`{"tool":"popup","created":"x"}`, "question", `{"type":"answer"}`},
		{`{"tool":"wsh_create_session"}`, "view", `{"type":"attach","channel":"term:1","typing":true}`},
		{`null`, "page:1", `{"type":"events","ref":1}`},
		{`{"host":null}`, "view", `{"type":"read","id":1,"operation":"scrollback.get","arguments":{"tail":-1}}`},
		{`{"input":null}`, "view", `{"type":"host","host":{"locale":"\ud800","height":1e308}}`},
		{`{}`, "view", `{"type":"answered","id":-1,"text":"x"}`},
		{`{}`, "view", `{"type":"icon","name":"../x"}`},
	} {
		f.Add(seed.hello, seed.channel, seed.msg)
	}
	f.Fuzz(func(t *testing.T, hello, channel, msg string) {
		if !json.Valid([]byte(hello)) || !json.Valid([]byte(msg)) {
			return // the transport refuses what is not JSON
		}
		h := open(t, "1", "2")
		const id = "0123456789abcdef"
		r := h.hub.Call(t.Context(), relay.Call{
			Version: 1, View: id, Token: relay.NewToken(h.opts.Key), Hello: json.RawMessage(hello),
			First: 1, Out: []relay.Frame{{Channel: channel, Message: json.RawMessage(msg)}},
		})
		if (r.Error != "") != (h.Count() == 0) {
			t.Errorf("the reply is %+v, and there are %d views", r, h.Count())
		}
		h.Close()
		if n := h.sessions["1"].pages() + h.sessions["2"].pages(); n != 0 || len(h.all()) != 0 {
			t.Errorf("%d pages and %d views are left", n, len(h.all()))
		}
	})
}
