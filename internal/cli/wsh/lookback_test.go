//go:build linux || darwin

package wsh

import (
	"strings"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

// A person looks back in the history with keys, while the program writes on.
func TestLookBack(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","rows":8,"cols":40,"command":"seq 100; echo done; while read x; do echo got $x; done"}`)
	p := sit(t, 40, 8, recorded(`"$WSH" attach --scrollback none a`))
	p.seesLine("done")
	p.types("\x1c[gk")
	p.seesLine("1\n2\n3\n4\n5\n6\n7")
	p.sees("1/102")
	p.types("/^42$\r")
	p.sees("42\n43")
	d.send("a", "more\n")
	p.sees("42/102 +2")
	p.types("q")
	d.same(p, "a")
	p.seesLine("got more")

	// On the alternate screen of a terminal, the wheel does it, too.
	wheel := sit(t, 40, 8, recorded(`"$WSH" attach --alt-screen a`))
	wheel.seesLine("got more")
	wheel.types("\x1b[<64;1;1M")
	wheel.sees("q leave")
	wheel.types("q")
	wait.Until(t, "the person has left", func() bool { return !strings.Contains(strings.Join(wheel.lines(), "\n"), "q leave") })
	wheel.types("\x1c\x1c")
	wheel.seesLine("settings kept")
	wheel.wantPlain()

	// Full-screen programs have the text before them above their screen.
	d.create(`{"name":"b","rows":8,"cols":40,"command":"seq 30; printf '\\033[?1049h\\033[Hfull'; read x; printf '\\033[?1049l'; read x; exit 3"}`)
	p.types("\x1c\x1c")
	p.seesLine("status 0")
	p.seesLine("settings kept")
	p.wantPlain()
	p = sit(t, 40, 8, recorded(`"$WSH" attach --detach-key ctrl-b b`))
	p.sees("full")
	p.types("\x02[g")
	p.seesLine("1\n2\n3")
	p.types("\r") // leaves
	p.sees("full")
	p.types("\x02[g")
	p.seesLine("1\n2\n3")
	d.send("b", "\n") // the program leaves its screen meanwhile
	wait.Until(t, "the terminal is on its primary screen", func() bool { return !p.snapshot().AltScreen() })
	p.seesLine("1\n2\n3")
	d.send("b", "\n")
	p.seesLine("status 3")
	p.seesLine("settings kept")
	p.wantPlain()
	if text := strings.Join(p.history(), "\n"); strings.Count(text, "above") != 1 {
		t.Errorf("the terminal has %q", text)
	}
}

// The last lines are those before the blank rest of the screen, however large that is.
func TestLastLines(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for name, command := range map[string]string{"few": "seq 5; printf '\\n \\n'; echo last", "many": "seq 12000; echo last", "none": "true", "red": "printf '\\033[31m1\\n2\\n3\\033[m\\n'"} {
		d.create(`{"name":"` + name + `","rows":50,"cols":80,"command":"` + strings.ReplaceAll(command, `\`, `\\`) + `"}`)
		must(t, "wait", name, "--exit")
	}
	for _, tt := range []struct{ args, want string }{
		{"few -n 3", "\n\nlast\n"},
		{"few -n 4", "5\n\n\nlast\n"},
		{"few -n 100", "1\n2\n3\n4\n5\n\n\nlast\n"},
		{"few", "1\n2\n3\n4\n5\n\n\nlast\n"},
		{"few -n 0", ""},
		{"many -n 2", "12000\nlast\n"},
		{"none -n 3", ""},
		{"red -n 2 -f color", "\x1b[31m2\x1b[m\n\x1b[31m3\x1b[m\n"},
	} {
		if out := must(t, append([]string{"scrollback"}, strings.Fields(tt.args)...)...); strings.ReplaceAll(out, "\n \n", "\n\n") != tt.want {
			t.Errorf("wsh scrollback %s: %q, want %q", tt.args, out, tt.want)
		}
	}
	if out := must(t, "scrollback", "many", "-n", "10020"); strings.Count(out, "\n") != 10020 || !strings.HasPrefix(out, "1982\n") {
		t.Errorf("of 10,020 lines, %d are printed, from %.10q on", strings.Count(out, "\n"), out)
	}
	if out := must(t, "scrollback", "few", "-n", "1", "--json"); !strings.Contains(out, `"lines":["last"]`) {
		t.Errorf("as JSON: %s", out)
	}
}
