package lookback_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/vt"
)

// A person's own keys do what the usual ones do, but not while an expression is typed.
func TestSettings(t *testing.T) {
	l := newLooker(t, 40, 5, strings.Repeat("line\r\n", 20)+"last")
	s, err := lookback.NewSettings([]string{"e=j", "C-T=Up", "j=none", "==k", "S-F1=q", "/=Space", "/=/"}, []string{"match=black on #ff8000", "status=white on blue", "status=red"})
	if err != nil {
		t.Fatal(err)
	}
	l.Use(s)
	if want := (vt.Style{FG: vt.Indexed(1)}); s.Status() != want {
		t.Errorf("the status is %+v", s.Status())
	}
	for _, tt := range []struct{ keys, want string }{
		{"g", "1/21"}, {"e", "2/21"}, {"2e", "4/21"}, {"j", "no such key"}, {"\x14", "3/21"}, {"=", "2/21"},
		{"/las=t\x15last\r", "21/21"}, // an expression has its own keys
	} {
		l.types(tt.keys)
		l.status(tt.want)
	}
	for _, wrong := range []string{"", "e", "=j", "e=", "e=z", "ab=j", "C-=j", "S-e=j", "\x01=j", "é\xff=j", "e=C-"} {
		if _, _, err := lookback.ParseKey(wrong); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the key %q: %v", wrong, err)
		}
	}
	for _, wrong := range []string{"", "match", "other=red", "match=nocolour", "match=red on nocolour"} {
		if err := lookback.ParseColors(wrong); fault.KindOf(err) != fault.Invalid {
			t.Errorf("the colours %q: %v", wrong, err)
		}
	}
}
