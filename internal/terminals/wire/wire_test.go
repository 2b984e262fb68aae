package wire_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals/wire"
)

// after returns a screen of 10 columns and 2 rows to which something was written.
func after(t *testing.T, s string) *vt.Snapshot {
	t.Helper()
	v, err := vt.New(vt.Options{Cols: 10, Rows: 2, Scrollback: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	return v.Snapshot()
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestLines(t *testing.T) {
	for _, tt := range []struct{ name, out, styled, plain string }{
		{"empty", "", `[]`, ``},
		{"plain", "ab  ", `[{"text":"ab"}]`, `ab`},
		{"palette", "\x1b[31;104mx\x1b[m y", `[{"text":"x","fg":{"indexed":1},"bg":{"indexed":12}},{"text":" y"}]`, `x y`},
		{"black is a colour", "\x1b[30mx", `[{"text":"x","fg":{"indexed":0}}]`, `x`},
		{"direct colour", "\x1b[38;2;1;0;3mx", `[{"text":"x","fg":{"rgb":{"r":1,"g":0,"b":3}}}]`, `x`},
		{"flags", "\x1b[1;2;3;4;5;7;8;9;53mx", `[{"text":"x","bold":true,"faint":true,"italic":true,"underline":true,"overline":true,"strikethrough":true,"blink":true,"inverse":true,"conceal":true}]`, `x`},
		{"curly", "\x1b[4:3;58;5;9mx", `[{"text":"x","underline":true,"underline_style":"curly","underline_color":{"indexed":9}}]`, `x`},
		{"coloured blanks", "\x1b[41m  ", `[{"text":"  ","bg":{"indexed":1}}]`, ``},
		{"link", "\x1b]8;;http://a/\x1b\\x\x1b]8;;\x1b\\", `[{"text":"x","link":"http://a/"}]`, `x`},
		{"wide", "日本", `[{"text":"日本"}]`, `日本`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := after(t, tt.out)
			if got := encode(t, wire.NewLines(s.Lines[:1], wire.Styled)); got != "["+tt.styled+"]" {
				t.Errorf("styled: %s\nwant    [%s]", got, tt.styled)
			}
			if got := encode(t, wire.NewLines(s.Lines[:1], wire.Plain)); got != encode(t, []string{tt.plain}) {
				t.Errorf("plain: %s", got)
			}
			rows := []cells.Row{cells.FromLine(s.Lines[0])}
			if got := encode(t, wire.NewRows(rows, wire.Styled)); got != "["+tt.styled+"]" {
				t.Errorf("styled, composed: %s\nwant    [%s]", got, tt.styled)
			}
			if got := encode(t, wire.NewRows(rows, wire.Plain)); got != encode(t, []string{tt.plain}) {
				t.Errorf("plain, composed: %s", got)
			}
		})
	}
}

func TestScreen(t *testing.T) {
	for _, tt := range []struct{ name, out, want string }{
		{"normal", "1\r\n2\r\n3\r\n0123456789\x1b]2;t\a", `{"first_line_index":2,"total_lines":4,"lines":["3","0123456789"],"cursor":{"row":1,"col":10,"visible":true,"shape":"block"},"cols":10,"rows":2,"alternate_active":false,"mode":"normal","title":"t"}`},
		{"alternate", "1\r\n2\r\n3\x1b[?1049h\x1b[Hx\x1b[?25l\x1b[6 q", `{"first_line_index":0,"total_lines":2,"lines":["x",""],"cursor":{"row":0,"col":1,"visible":false,"shape":"bar"},"cols":10,"rows":2,"alternate_active":true,"mode":"alt"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got, want map[string]any
			if err := json.Unmarshal([]byte(encode(t, wire.NewScreen(after(t, tt.out), wire.Plain))), &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			if got["epoch"] == 0.0 {
				t.Error("epoch 0")
			}
			delete(got, "epoch")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("screen (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSession(t *testing.T) {
	info := term.Info{Name: "a", ID: "@7", PID: 7, Command: "c", Public: core.Public{State: core.StateLine, Sizing: core.Sizing{Cols: 80, Rows: 24, SizeRule: core.SizeLeader}}, Quiet: 1500 * time.Millisecond}
	want := `{"name":"a","id":"@7","server":"h","pid":7,"command":"c","rows":24,"cols":80,"clients":0,"attached":[],"leader":null,"size_rule":"leader","tags":[],"last_activity_ms":1500,"running":true,"state":"line"}`
	if got := encode(t, wire.NewSession(info, "h")); got != want {
		t.Errorf("running: %s\nwant     %s", got, want)
	}
	info.Leader, info.Clients = "laptop", []clients.Info{
		{Name: "laptop", Kind: clients.KindAttach, Cols: 80, Rows: 24, Leads: true, Since: time.Now(), Typed: time.Now()},
		{Name: "page", Kind: clients.KindWebSocket, ReadOnly: true, Since: time.Now().Add(-time.Hour)},
	}
	got := wire.NewSession(info, "h").Attached
	got[0].AttachedMS, *got[0].LastTypedMS = 0, 0
	if n := got[1].AttachedMS; n < 3_600_000 || n > 3_700_000 {
		t.Errorf("attached %d ms ago, want an hour", n)
	}
	got[1].AttachedMS = 0
	attached := `[{"name":"laptop","kind":"attach","rows":24,"cols":80,"rights":["read","type"],"attached_ms":0,"last_typed_ms":0},{"name":"page","kind":"websocket","rights":["read"],"attached_ms":0}]`
	if got := encode(t, got); got != attached {
		t.Errorf("clients %s\nwant    %s", got, attached)
	}
	if s := wire.NewSession(info, "h"); s.Clients != 2 || *s.Leader != "laptop" {
		t.Errorf("%d clients, of which %q leads", s.Clients, *s.Leader)
	}
	info.Leader, info.Clients = "", nil
	info.Exit, info.State, info.Tags, info.Title = &tty.Exit{Code: 143, Signal: "SIGTERM"}, core.StateEnded, []string{"x"}, "t"
	want = `{"name":"a","id":"@7","server":"h","pid":7,"command":"c","rows":24,"cols":80,"clients":0,"attached":[],"leader":null,"size_rule":"leader","tags":["x"],"last_activity_ms":1500,"title":"t","running":false,"state":"ended","exit":{"code":143,"signal":"SIGTERM"}}`
	if got := encode(t, wire.NewSession(info, "h")); got != want {
		t.Errorf("ended: %s\nwant   %s", got, want)
	}
}

func TestParseFormat(t *testing.T) {
	for s, want := range map[string]wire.Format{"": wire.Styled, "styled": wire.Styled, "plain": wire.Plain} {
		if got, err := wire.ParseFormat(s); err != nil || got != want {
			t.Errorf("ParseFormat(%q) = %q, %v", s, got, err)
		}
	}
	if _, err := wire.ParseFormat("html"); fault.KindOf(err) != fault.Invalid {
		t.Errorf("ParseFormat = %v", err)
	}
}

// Subscribers to input learn that some of it may be lost by the name that the known server uses.
func TestLostInput(t *testing.T) {
	for _, tt := range []struct {
		topics []string
		want   string
	}{
		{[]string{"lines"}, `"type":"lagged","skipped":3`},
		{[]string{"lines", "input"}, `"type":"lagged","skipped":3 "type":"input_lagged","skipped":3`},
	} {
		var got []string
		for _, e := range (wire.Subscription{Topics: tt.topics}).Events(term.Update{Missed: 3}) {
			got = append(got, string(wire.AppendMembers(nil, e)))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%v: %s, want %s", tt.topics, text, tt.want)
		}
	}
}
