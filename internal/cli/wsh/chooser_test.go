//go:build linux || darwin

package wsh

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

// rowOf returns the row of a session in the list that the person sees, or "". A bar, which names
// the session too, says how to leave.
func (p *person) rowOf(name string) string {
	for _, line := range p.lines()[1:] {
		if fields := strings.Fields(line); len(fields) > 1 && strings.Contains(line, " "+name+" ") && !strings.Contains(line, "leaves") {
			return strings.TrimRight(line, " ")
		}
	}
	return ""
}

// A person goes from one session to another and back within one terminal. What they type ahead
// reaches the session that they have chosen, and what they type into the list reaches none.
func TestChooseSession(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{"", "--alt-screen", "--detach-key ctrl-]"} {
		t.Run(flags, func(t *testing.T) {
			t.Parallel()
			d := newHost(t)
			d.create(`{"name":"one","rows":8,"cols":60,"command":"printf 'first\\n'; cat"}`)
			d.create(`{"name":"two","rows":8,"cols":60,"command":"printf 'second\\n'; cat"}`)
			d.create(`{"name":"żółć-日本","rows":8,"cols":60,"command":"cat"}`)
			p := sit(t, 60, 8, recorded(`"$WSH" attach `+flags+` one`))
			key := "\x1c"
			if strings.Contains(flags, "ctrl-]") {
				key = "\x1d"
			}
			same := func(session string) { t.Helper(); d.same(p, session) }
			text := func(lines []string) string { return strings.TrimSpace(strings.Join(lines, "\n")) }
			if flags == "--alt-screen" { // then only the text is the same
				same = func(session string) {
					t.Helper()
					wait.Until(t, "the terminal to display "+session, func() bool { return text(p.lines()) == text(d.lines(session)) })
				}
			}
			p.seesLine("first")
			p.types(key + "s")
			p.sees("Esc goes back")
			wait.Until(t, "the sessions to be listed", func() bool {
				return p.lines()[0] == fmt.Sprintf("%-58s3", " Sessions") && strings.HasPrefix(p.rowOf("one"), " 1 * one ") && strings.HasPrefix(p.rowOf("two"), " 2   two ") && strings.HasPrefix(p.rowOf("żółć-日本"), " 3   żółć-日本 ")
			})
			p.types("\x1b")
			same("one")

			p.types(key + "stwo\rahead\r") // at once: the list is not even there
			p.seesLine("second")
			p.sees("ahead\nahead")
			same("two")
			p.types(key + "L")
			p.seesLine("first")
			same("one")
			p.types(key + "Lback\r")
			p.sees("back\nback")
			same("two")
			p.types(key + "s")
			p.sees("Esc goes back")
			wait.Until(t, "the list", func() bool { return p.rowOf("one") != "" })
			p.types("1") // its digit
			p.seesLine("first")
			same("one")

			for _, c := range []struct{ keys, session string }{{"s\x1b[B\r", "two"}, {"s/日\r", "żółć-日本"}, {"sq", "żółć-日本"}, {"s\x03", "żółć-日本"}, {"?q", "żółć-日本"}} {
				p.types(key)
				for i, k := range strings.SplitAfterN(c.keys, "", 2) {
					p.types(k)
					if i == 0 {
						p.sees("goes back")
						wait.Until(t, "the list", func() bool { return k == "?" || p.rowOf("two") != "" })
					}
				}
				same(c.session)
			}
			p.types(key + "s" + key + key)
			p.sees("[detached from żółć-日本")
			p.sees("settings kept")
			all := text(slices.Concat(d.lines("one"), d.lines("two"), d.lines("żółć-日本")))
			if strings.ContainsAny(strings.NewReplacer("first", "", "second", "", "ahead", "", "back", "").Replace(all), "sq?/日tw123") {
				t.Errorf("what was typed for the list reached a session:\n%s", all)
			}
			if flags == "" {
				all := strings.Join(p.history(), "\n")
				if strings.Contains(all, "goes back") || strings.Contains(all, "Sessions") || !strings.Contains(all, "second") {
					t.Errorf("the terminal keeps\n%s", all)
				}
			}
			p.wantPlain()
		})
	}
}

// lines returns the text of a session's screen.
func (d *host) lines(session string) []string {
	d.t.Helper()
	status, body := d.ask("GET", "/sessions/"+session+"/screen?format=plain", "")
	var screen struct{ Lines []string }
	if err := json.Unmarshal([]byte(body), &screen); err != nil || status != http.StatusOK {
		d.t.Fatalf("the screen of %s: %d %s", session, status, body)
	}
	return screen.Lines
}

// Output that comes while the person chooses is neither lost from the screen nor from the
// terminal's own scrollback, and what the program makes of the terminal holds again afterwards.
func TestChooseDuringOutput(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"one","rows":8,"cols":60,"command":"stty -echo; printf 'ready\\n'; read x; seq 12; read x; printf '\\033[?1049h\\033[?1000;1006h\\033[?25lwhole'; read x; printf '\\033[?1049l\\033[?1000l\\033[?25hend\\n'; read x"}`)
	p := sit(t, 60, 8, recorded(`"$WSH" attach one`))
	p.seesLine("ready")
	choose := func(meanwhile func()) {
		t.Helper()
		p.types("\x1cs")
		wait.Until(t, "the list", func() bool { return strings.HasPrefix(p.rowOf("one"), " 1 * one ") })
		meanwhile()
		wait.Until(t, "the list, also after a resize", func() bool { return p.rowOf("one") != "" })
		p.types("\x1b")
		d.same(p, "one")
	}
	shows := func(text string) func() {
		return func() {
			d.send("one", "\r")
			wait.Until(t, "the session to display "+text, func() bool { return strings.Contains(strings.Join(d.lines("one"), "\n"), text) })
		}
	}
	choose(func() {})
	choose(shows("12"))
	if all := strings.Join(p.history(), "\n"); !strings.Contains(all, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12") || strings.Contains(all, "Sessions") {
		t.Errorf("the terminal keeps\n%s", all)
	}
	choose(shows("whole"))
	choose(func() { p.resize(40, 6); p.resize(50, 7) })
	choose(shows("end"))
	p.types("\x1c\x1c")
	p.sees("[detached from one")
	p.sees("settings kept") // only then does cat read
	p.wantPlain()
}

// The list follows what happens to the sessions, and says why one cannot be opened.
func TestListIsLive(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"7","rows":8,"cols":70,"command":"cat"}`)
	p := sit(t, 70, 8, recorded(`"$WSH" attach --status hint 7`))
	p.sees("leaves")
	p.types("\x1cs")
	wait.Until(t, "the only session", func() bool { return strings.HasPrefix(p.rowOf("7"), " 7 * 7 ") })
	d.create(`{"name":"build","rows":8,"cols":70,"tags":["ci"],"command":"printf 'Password: '; stty -echo; read x; stty echo; cat"}`)
	wait.Until(t, "the new session", func() bool { return strings.HasPrefix(p.rowOf("build"), " 1   build  asks ") })
	if status, answer := d.ask("PATCH", "/sessions/build", `{"name":"release"}`); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	wait.Until(t, "its new name", func() bool { return strings.HasPrefix(p.rowOf("release"), " 1   release ") })
	p.types("\x1b[B")
	d.send("release", "secret\r")
	wait.Until(t, "its state", func() bool { return strings.Contains(p.rowOf("release"), " release  waits ") })
	p.types("zz")
	p.sees("No session matches.")
	p.types("\r") // opens nothing
	p.types("\x15ci")
	wait.Until(t, "the only match", func() bool { return p.rowOf("7") == "" && p.rowOf("release") != "" })
	p.sees("1 of 2")
	p.resize(30, 5)
	p.sees("Search: ci")
	p.resize(12, 3)
	p.sees("\n /ci") // the word has no room: it is gone once the client has drawn
	p.resize(8, 2)
	p.sees("/ci")
	p.resize(5, 1)
	p.resize(70, 8)
	p.sees("1 of 2")
	if status, body := d.ask("DELETE", "/sessions/release", ""); status != http.StatusNoContent {
		t.Fatal(status, body)
	}
	p.sees("No session matches.")
	p.types("\x1b")
	d.same(p, "7")
	p.types("x\r")
	p.sees("x\nx")
	p.types("\x1cL")
	p.sees("no other session yet")
	if status, answer := d.ask("PATCH", "/sessions/7", `{"name":"seven"}`); status != http.StatusOK {
		t.Fatal(status, answer)
	}
	wait.Until(t, "the name that the session has", func() bool { return p.rowOf("seven") != "" })
	p.types("\x1c$")
	p.sees("Rename seven to: seven")
	p.types("\x1c?")
	p.sees("Keys")
	p.types("\x1cd")
	p.sees("[detached from seven")
}

// A person renames the session. A name that it cannot have leaves them in the line.
func TestRenameAttached(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"one","rows":8,"cols":60,"command":"cat"}`)
	d.create(`{"name":"two","rows":8,"cols":60,"command":"cat"}`)
	p := sit(t, 60, 8, recorded(`"$WSH" attach --status hint one`))
	p.sees("leaves")
	p.types("\x1c$")
	p.sees("Rename one to: one")
	p.types("\x15two\r")
	p.sees(`"two"`)
	p.sees("Rename one to: two")
	p.types("\x7f/\r")
	p.sees("letters, digits")
	p.types("\x15żółć-日本\rahead\r")
	p.sees("ahead\nahead")
	d.same(p, "żółć-日本")
	p.types("\x1c$x")
	p.sees("to: żółć-日本x")
	p.types("\x1b")
	d.same(p, "żółć-日本")
	p.types("still\r")
	p.sees("still\nstill")
	p.types("\x1c\x1c")
	p.sees("[detached from żółć-日本: wsh attach 'żółć-日本']")

	look := sit(t, 60, 8, recorded(`"$WSH" attach --status hint --read-only two`))
	look.sees("leaves")
	look.types("typed")
	look.types("\x1c?")
	look.sees("Keys")
	look.types("\x1b")
	look.sees("you may only look here") // still
	look.types("\x1c$")
	look.sees("cannot rename")
	look.types("\x1c\x1c")
	look.sees("[detached from two")
}

// The session of a person who is choosing may end: they choose another one, or leave as usual.
func TestChooseAfterEnd(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"exits", "is killed"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			d := newHost(t)
			end := func(name string) {
				if way == "exits" {
					d.send(name, "\r")
				} else if status, body := d.ask("DELETE", "/sessions/"+name, ""); status != http.StatusNoContent {
					t.Fatal(status, body)
				}
			}
			for _, name := range []string{"one", "two"} {
				d.create(`{"name":"` + name + `","rows":8,"cols":60,"command":"stty -echo; echo I am ` + name + `; read x; echo over; exit 3"}`)
			}
			p := sit(t, 60, 8, recorded(`"$WSH" attach one`))
			p.seesLine("I am one")
			p.types("\x1cs")
			wait.Until(t, "the list", func() bool { return p.rowOf("two") != "" })
			end("one")
			p.sees("The session one has ended")
			p.types("\x1b[B\r")
			p.seesLine("I am two")
			p.types("\x1cs")
			wait.Until(t, "the list", func() bool { return p.rowOf("two") != "" })
			end("two")
			p.sees("The session two has ended")
			p.types("\x1b")
			if way == "exits" {
				p.sees("over")
				p.sees("status 3")
			}
			p.sees("settings kept")
			p.wantPlain()
		})
	}
}

// The server may go while the person chooses.
func TestChooseWithoutServer(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"one","rows":8,"cols":60,"command":"cat"}`)
	p := sit(t, 60, 8, recorded(`"$WSH" attach --status hint one`))
	p.sees("leaves")
	p.types("\x1cs")
	wait.Until(t, "the list", func() bool { return p.rowOf("one") != "" })
	if status, answer := d.ask("POST", "/server/stop", ""); status != http.StatusNoContent {
		t.Fatal(status, answer)
	}
	p.sees("settings kept")
	p.wantPlain()
}

// A terminal is restored when its client is asked to end while the person chooses.
func TestChooseInterrupted(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			d := newHost(t)
			d.create(`{"name":"one","rows":8,"cols":60,"command":"printf 'first\\n'; cat"}`)
			p := sit(t, 60, 8, `echo above; before=$(stty -g); "$WSH" attach one; while [ "$(stty -g)" != "$before" ]; do :; done; echo; echo restored; cat`)
			p.seesLine("first")
			p.types("\x1cs")
			wait.Until(t, "the list", func() bool { return p.rowOf("one") != "" })
			p.kill(signal)
			p.seesLine("restored")
			wait.Until(t, "the modes are restored", func() bool { return !p.snapshot().AltScreen() && p.snapshot().Cursor.Visible })
			p.wantPlain()
			if all := strings.Join(p.history(), "\n"); !strings.Contains(all, "first") || strings.Contains(all, "Sessions") {
				t.Errorf("the terminal keeps\n%s", all)
			}
		})
	}
}
