package term_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

func TestJob(t *testing.T) {
	bubble(t, func(t *testing.T, p *script, s *term.Session) {
		job := tty.Foreground{PID: 4243, Name: "job", Dir: "/dir"}
		expect := func(want term.Job) {
			t.Helper()
			got, err := s.Job(t.Context())
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
		}
		expect(term.Job{Foreground: job})
		p.say("\x1b]2;title\a\x1b]7;file://far/a%20b\a\x1b]133;A\a$ ")
		here := vt.Directory{Host: "far", Path: "/a b"}
		expect(term.Job{job, "title", here, term.ShellRuns})
		p.say("\x1b]133;B\a")
		expect(term.Job{job, "title", here, term.ShellPrompts})
		p.say("\r\n\x1b]133;A;k=s\a> ")
		expect(term.Job{job, "title", here, term.ShellContinue})
		p.say("\x1b]133;C\a")
		expect(term.Job{job, "title", here, term.ShellRuns})
		p.end(tty.Exit{})
		<-s.Ended()
		expect(term.Job{Title: "title", Reported: here})
	})
	r := scripted(t, nil, newScript())
	defer r.Close()
	s := create(t, r, term.CreateOptions{})
	if err := r.Remove(s); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Job(t.Context()); fault.KindOf(err) != fault.Gone {
		t.Errorf("of a removed session: %v", err)
	}
}
