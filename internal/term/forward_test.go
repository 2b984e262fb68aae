package term_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// What a program asks of the terminal reaches that of a person who wants it; the clipboard only
// where the person allows that.
func TestForward(t *testing.T) {
	const asks = "\a\x1b]9;body\a\x1b]777;notify;title;body\a\x1b]9;4;1;50\a\x1b]52;c;aGVsbG8=\a\x1b]52;c;?\a"
	bell, note, progress := "vt.Bell{}", `vt.Notification{Title:"title", Body:"body"}`, "vt.Progress{State:0x1, Percent:50}"
	clipboard, none := `vt.Clipboard{Selection:"c", Data:[]uint8{0x68, 0x65, 0x6c, 0x6c, 0x6f}, Query:false}`, "vt.Progress{State:0x0, Percent:0}"
	for name, tt := range map[string]struct {
		o    term.ViewerOptions
		want []string
	}{
		"not wanted":          {term.ViewerOptions{Clipboard: true}, nil},
		"without a clipboard": {term.ViewerOptions{Forward: true}, []string{bell, note, progress, none}},
		"with one":            {term.ViewerOptions{Forward: true, Clipboard: true}, []string{bell, clipboard, note, progress, none}},
		"read only":           {term.ViewerOptions{Forward: true, Client: clients.Options{ReadOnly: true}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, p *script, s *term.Session) {
				r := newReader(t, s, tt.o)
				r.sees("")
				p.say(asks)
				r.sees("")
				p.end(tty.Exit{})
				time.Sleep(time.Second)
				synctest.Wait()
				r.mu.Lock()
				defer r.mu.Unlock()
				slices.Sort(r.asked[:max(len(r.asked)-1, 0)])
				if d := cmp.Diff(tt.want, r.asked); d != "" {
					t.Errorf("the terminal is asked for (-want +got):\n%s", d)
				}
			})
		})
	}
}

// A notification stays one, with its title and its text, whatever they are.
func TestForwardNotifications(t *testing.T) {
	for asks, want := range map[string]vt.Notification{
		"\x1b]777;notify;;4;1;50\a":                    {Body: " 4;1;50"},
		"\x1b]99;;9\a":                                 {Body: " 9"},
		"\x1b]777;notify;;4 tests failed; see above\a": {Body: "4 tests failed; see above"},
		"\x1b]99;i=1:d=0;a;b\a\x1b]99;i=1:p=body;c\a":  {Title: "a,b", Body: "c"},
	} {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			r := newReader(t, s, term.ViewerOptions{Forward: true})
			r.sees("")
			p.say(asks)
			r.sees("")
			r.mu.Lock()
			defer r.mu.Unlock()
			if d := cmp.Diff([]string{fmt.Sprintf("%#v", want)}, r.asked); d != "" {
				t.Errorf("%q (-want +got):\n%s", asks, d)
			}
		})
	}
}

// A terminal that comes later displays the progress of what runs, but not that of a command that
// has ended.
func TestForwardProgressLater(t *testing.T) {
	for _, tt := range []struct{ says, want string }{
		{"\x1b]9;4;1;50\a", "vt.Progress{State:0x1, Percent:50}"},
		{"\x1b]9;4;1;50\a\x1b]9;4;0;0\a", ""},
		{"\x1b]133;A\a$ \x1b]133;B\a\x1b]133;C\a\x1b]9;4;1;50\a\x1b]133;D;130\a", ""},
	} {
		bubble(t, func(t *testing.T, p *script, s *term.Session) {
			p.say(tt.says)
			r := newReader(t, s, term.ViewerOptions{Forward: true})
			r.sees("")
			r.mu.Lock()
			defer r.mu.Unlock()
			if got := strings.Join(r.asked, " "); got != tt.want {
				t.Errorf("after %q, the terminal is asked for %q, want %q", tt.says, got, tt.want)
			}
		})
	}
}

// asks records what is asked of a terminal.
func (r *reader) asks(e vt.Effect) {
	switch e := e.(type) {
	case vt.Clipboard:
		r.copied = append(r.copied, string(e.Data))
		r.asked = append(r.asked, fmt.Sprintf("%#v", e))
	case vt.Bell, vt.Notification, vt.Progress:
		r.asked = append(r.asked, fmt.Sprintf("%#v", e))
	}
}
