//go:build linux || darwin

package wsh

import (
	"slices"
	"testing"

	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/wait"
)

// The bell, notifications and links of a program reach the person's terminal, and its clipboard
// when the person allows that.
func TestForward(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"while read x; do printf '\\033]52;c;aGVsbG8=\\a\\033]9;built\\a\\a\\033]8;;http://example.org\\alink\\033]8;;\\a %s\\n' $x; done"}`)
	for _, flag := range []string{"", "--clipboard"} {
		p := sit(t, 40, 8, recorded(`"$WSH" attach `+flag+` a`))
		p.types("said" + flag + "\r")
		p.seesLine("link said" + flag)
		wait.Until(t, "the terminal is asked for everything", func() bool {
			var bell, note, clip bool
			p.look(func(*vt.Terminal) {
				for _, e := range p.asked {
					switch e := e.(type) {
					case vt.Bell:
						bell = true
					case vt.Notification:
						note = e.Body == "built"
					case vt.Clipboard:
						clip = string(e.Data) == "hello"
					}
				}
			})
			return bell && note && clip == (flag != "")
		})
		links := slices.ContainsFunc(p.snapshot().Lines, func(l vt.Line) bool {
			return slices.ContainsFunc(l.Spans, func(s vt.Span) bool { return s.Link == "http://example.org" })
		})
		if !links {
			t.Error("the terminal has no link")
		}
		p.types("\x1c\x1c")
		p.seesLine("status 0")
	}
}
