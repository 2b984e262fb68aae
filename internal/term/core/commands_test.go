package core

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/tty"
)

// Commands are reported when they begin and when they end, with a status if the mark of their end
// has one.
func TestCommands(t *testing.T) {
	t.Parallel()
	for marks, want := range map[string]string{
		"A1 B1":                         "",
		"A1 B1 C1":                      "1 begins",
		"A1 B1 C1 C1":                   "1 begins",
		"A1 B1 C1 D1=3":                 "1 begins; 1 ends, 3",
		"A1 B1 C1 D1 A2 B2":             "1 begins; 1 ends",
		"A1 B1 C1 A2 B2":                "1 begins; 1 ends",
		"A1 B1 D1=3":                    "",
		"A1 B1 C1 C2":                   "1 begins; 1 ends; 2 begins",
		"A1 B1 C1 D1=0 A2 B2 C2 D2=4":   "1 begins; 1 ends, 0; 2 begins; 2 ends, 4",
		"A B C D=1 A B C":               "", // of anything
		"A1 B1 C1 D1=0 A2 B2 D20 A3 B3": "1 begins; 1 ends, 0",
	} {
		s := newStory(t)
		commands := 0
		var got []string
		for _, in := range markList(marks) {
			s.now = s.now.Add(time.Second)
			actions, err := s.session.Apply(in, &s.f, s.now)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range actions {
				c, ok := a.(Commanded)
				if !ok {
					continue
				}
				text := fmt.Sprintf("%d begins", c.Command.N)
				if c.Command.Ended {
					commands++
					text = fmt.Sprintf("%d ends", c.Command.N)
					if c.Command.Duration != time.Second {
						t.Errorf("%q: %v", marks, c.Command.Duration)
					}
				}
				if code := c.Command.ExitCode; code != nil {
					text += fmt.Sprintf(", %d", *code)
				}
				got = append(got, text)
			}
		}
		if text := strings.Join(got, "; "); text != want || s.session.Follower.Commands != commands {
			t.Errorf("%q: %s, %d have ended", marks, text, s.session.Follower.Commands)
		}
	}
}

func markList(text string) []Input {
	list := marks(text)
	return list[:len(list)-1] // without the output
}

func TestGone(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]tty.Exit{"exited with status 3": {Code: 3}, "ended by SIGKILL": {Code: 137, Signal: "SIGKILL"}} {
		if err := Gone("s", e); !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
