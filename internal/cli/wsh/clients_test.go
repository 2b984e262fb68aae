//go:build linux || darwin

package wsh

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// must is wsh for what succeeds in silence.
func must(t *testing.T, args ...string) (out string) {
	t.Helper()
	out, errs, status := wsh(t, args...)
	if status != 0 || errs != "" {
		t.Fatalf("wsh %q: status %d, %s", args, status, errs)
	}
	return out
}

// Clients have names, by which one of them is detached or leads.
func TestClients(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"stty -echo; trap 'stty size' WINCH; echo ready; while :; do read x; done"}`)
	large := sit(t, 60, 12, recorded(`"$WSH" attach --as large a`))
	large.seesLine("ready")
	small := sit(t, 40, 8, recorded(`"$WSH" attach a`))
	small.seesLine("ready")
	looks := sit(t, 20, 6, recorded(`"$WSH" attach --read-only --as phone a`))
	looks.seesLine("ready")

	lines := strings.Split(must(t, "list", "--clients"), "\n")
	for i, want := range []string{`^a  large +attach  60x12  for \d+s +leads$`, `^a  \S+@\S+ +attach  40x8 +for \d+s$`, `^a  phone +attach  20x6 +for \d+s +only looks$`, `^$`} {
		if ok, err := regexp.MatchString(want, lines[i]); err != nil || !ok {
			t.Errorf("line %d is %q, want %s", i, lines[i], want)
		}
	}
	second := strings.Fields(lines[1])[1]

	events := sit(t, 500, 20, `"$WSH" watch a --json --events client | cat`)
	change := func(change, name string) string { return fmt.Sprintf(`"change":%q,"client":{"name":%q,`, change, name) }
	wait.Until(t, "the change of the leader is an event", func() bool {
		must(t, "lead", "a", "large")
		must(t, "lead", "a", second)
		return strings.Contains(strings.Join(events.history(), "\n"), change("leads", second))
	})
	small.seesLine("8 40")
	if _, errs, status := wsh(t, "lead", "a", "phone"); status != 1 || !strings.Contains(errs, "only looks") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := wsh(t, "lead", "a", "nobody"); status != 1 || !strings.Contains(errs, "wsh list --clients") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := wsh(t, "lead", "a"); status != 2 || !strings.Contains(errs, "large") || !strings.Contains(errs, second) {
		t.Errorf("status %d, %s", status, errs)
	}
	taken := sit(t, 60, 8, recorded(`"$WSH" attach --as large a`))
	taken.sees("already")
	taken.seesLine("status 1")

	must(t, "detach", "a", "--client", second)
	small.seesLine(`[detached from a: wsh attach a]`)
	events.sees(change("detached", second))
	small.seesLine("status 0")
	small.seesLine("settings kept")
	must(t, "lead", "a", "large")
	large.seesLine("12 60")
	wait.Until(t, "two terminals and the watcher are left", func() bool { return strings.Count(must(t, "list", "--clients"), "\n") == 3 })
	if _, errs, status := wsh(t, "detach", "a", "--client", second); status != 1 || !strings.Contains(errs, second) {
		t.Errorf("status %d, %s", status, errs)
	}
	must(t, "detach", "a")
	large.seesLine("status 0")
	looks.seesLine("status 0")
}

// A terminal that watches sees the session, and changes neither it nor its size.
func TestWatch(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"stty -echo; echo ready; while read x; do echo got $x; [ \"$x\" = end ] && exit 3; done"}`)
	works := sit(t, 60, 12, recorded(`"$WSH" attach --as works a`))
	works.seesLine("ready")
	looks := sit(t, 40, 8, recorded(`"$WSH" watch a`))
	looks.seesLine("ready")
	listed := regexp.MustCompile(`(?m)^a  \S+@\S+ +watch +40x8 .*only looks$`)
	wait.Until(t, "the watcher is listed", func() bool { return listed.MatchString(must(t, "list", "--clients")) })
	looks.types("no\r")
	looks.resize(35, 6)
	works.types("yes\r")
	looks.seesLine("got yes")
	works.seesLine("got yes")
	if all := strings.Join(works.lines(), "\n"); strings.Contains(all, "no") || !strings.Contains(must(t, "list"), " 60x12 ") {
		t.Errorf("the session has\n%s\nand the list\n%s", all, must(t, "list"))
	}
	looks.types("\x03")
	looks.seesLine(`[detached from a: wsh attach a]`)
	looks.seesLine("status 0")
	looks.seesLine("settings kept")
	looks.wantPlain()

	second := sit(t, 40, 8, recorded(`"$WSH" watch a`))
	second.seesLine("got yes")
	d.send("a", "end\n")
	second.seesLine("got end")
	second.seesLine("status 0")
	second.seesLine("settings kept")
	works.seesLine("status 3")
}

// Output that is too long to be recorded is not printed, and the command says so, also by its
// status.
func TestRunCut(t *testing.T) {
	t.Parallel()
	if !load.Full() {
		t.Skip("takes some seconds: make load")
	}
	newHost(t)
	out, errs, status := wsh(t, "run", "--json", "--", `head -c 68000000 /dev/zero | tr '\0' x; exit 3`)
	if status != 125 || !strings.Contains(errs, "is not printed: the recording has ended") || !strings.Contains(out, `{"code":3,"output_cut":"the recording has ended`) {
		t.Errorf("status %d, %s, %s", status, out, errs)
	}
	if out := must(t, "run", "--json", "--", "true"); out != `{"code":0}`+"\n" {
		t.Errorf("a short one: %s", out)
	}
}
