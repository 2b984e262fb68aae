//go:build linux || darwin

package wsh

import (
	"strings"
	"testing"
)

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
		{"red -n 2 -f color", "\x1b[0;31m2\x1b[0m\n\x1b[0;31m3\x1b[0m\n"},
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
