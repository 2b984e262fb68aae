//go:build linux || darwin

package wsh

import (
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

// With status = "line", a terminal's last row has the session, which others need the person, and
// the time. The session gets the other rows: nothing that it writes reaches the bar.
func TestStatusLine(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"żółć-日本","rows":8,"cols":70,"command":"stty -echo; read x; stty size; read x; seq 30; printf '\\033[1;99r\\033[99;1H\\nforged'; read x; printf '\\033[?1049h\\033[2J\\033[H'; stty size; read x; printf '\\033[?1049lbye\\n'; read x"}`)
	p := sit(t, 70, 8, recorded(`"$WSH" attach --status line żółć-日本`))
	bar := func(pattern string) {
		t.Helper()
		whole := regexp.MustCompile("^" + pattern + "$")
		wait.Until(t, "the bar to be "+pattern, func() bool {
			lines := p.lines()
			return whole.MatchString(strings.TrimRight(lines[len(lines)-1], " "))
		})
	}
	bar(` żółć-日本  Ctrl\+\\ twice leaves  wsh help keys +\d\d:\d\d`)
	p.types("x\r")
	p.sees("7 70")
	p.types("\r")
	wait.Until(t, "the row above the bar to have what was written below it", func() bool { return p.lines()[6] == "forged" })
	bar(` żółć-日本 +\d\d:\d\d`)
	p.types("\r")
	wait.Until(t, "the alternate screen", func() bool { return p.lines()[0] == "7 70" && p.lines()[1] == "" })
	bar(` żółć-日本 +\d\d:\d\d`)

	d.create(`{"name":"api","rows":8,"cols":70,"command":"printf 'Password: '; stty -echo; read x; stty echo; sleep 1000"}`)
	bar(` żółć-日本 +api asks  \d\d:\d\d`)
	d.create(`{"name":"build","rows":8,"cols":70,"command":"exit 3"}`)
	bar(` żółć-日本 +api asks, build failed  \d\d:\d\d`)
	p.resize(20, 5)
	bar(` żółć-日本 +2!`)
	p.resize(10, 5)
	bar(` żółć- 2!`)
	p.resize(70, 3) // too few rows
	wait.Until(t, "the bar to go", func() bool { return !strings.Contains(strings.Join(p.lines(), "\n"), "api asks") })
	p.resize(70, 12)
	bar(` żółć-日本 +api asks, build failed  \d\d:\d\d`)
	d.send("api", "secret\r")
	bar(` żółć-日本 +build failed  \d\d:\d\d`)

	p.types("\x1ca") // what agents do has the row
	bar(`.*typed.*`)
	p.types("\x1ca")
	bar(` żółć-日本 +build failed  \d\d:\d\d`)
	p.types("\r")
	p.sees("bye")
	p.types("\x1c\x1c")
	p.sees("[detached from")
	all := strings.Join(append(p.history(), p.lines()...), "\n")
	if strings.Contains(all, "build failed") || !strings.Contains(all, "bye") {
		t.Errorf("after detaching, the terminal has\n%s", all)
	}
}

// The row below the session does not stay on the terminal when the program has ended.
func TestRowBelowGoes(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for name, tt := range map[string]struct{ flag, row string }{
		"bar":   {"--status line", "twice leaves"},
		"agent": {"--status none --show-agent", "no program has typed"},
	} {
		d.create(`{"name":"` + name + `","rows":8,"cols":60,"command":"printf 'ready\\n'; read x; echo last"}`)
		p := sit(t, 60, 8, recorded(`"$WSH" attach `+tt.flag+" "+name))
		p.sees(tt.row)
		p.types("\r")
		p.sees("status 0")
		all := strings.Join(append(p.history(), p.lines()...), "\n")
		if strings.Contains(all, tt.row) || strings.Contains(all, "at the prompt") || !strings.Contains(all, "last") {
			t.Errorf("%s: in the end the terminal has\n%s", tt.flag, all)
		}
	}
}
