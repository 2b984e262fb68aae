package termask_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/testkit/wait"
)

// A question is on the page and on two attached terminals, and is answered on the page and at a
// terminal at once: one of the answers reaches the program, and the other one goes nowhere.
func TestAnsweredTwice(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Secrets)
	first, second := h.session(""), h.session("")
	sits, watches := sit(t, first), sit(t, second)
	s := h.run(`read -rs -p "Password: " p; echo "got $p"; read -rs -p "Another: " p; echo "also $p"; exec sleep 1000`)
	a := h.asked()
	sits.sees("Password:")
	watches.sees("Password:")
	sits.types("\t", "▏")
	sits.press("terminal")
	sits.sees(strings.Repeat("•", len("terminal")))
	answered := make(chan error, 1)
	go func() { answered <- h.answer(a, typed("page")) }()
	sits.press("\r")
	err := <-answered
	if err != nil && fault.KindOf(err) != fault.Exists {
		t.Fatal(err)
	}
	h.sees(s, "got "+map[bool]string{true: "page", false: "terminal"}[err == nil])
	// The program asks for something else, which nobody has answered.
	next := h.asked()
	if !strings.Contains(next.Question.Quote, "Another:") {
		t.Errorf("question %+v", next.Question)
	}
	watches.sees("Another:")
	must(t, h.answer(next, typed("last")))
	h.sees(s, "also last")
	wait.Until(t, "the question is gone", func() bool { return !watches.displays("Another:") })
	for _, below := range []*term.Session{first, second} {
		if list, err := below.Typed(t.Context(), 0, 10); err != nil || len(list) > 0 {
			t.Errorf("typed into a session below: %+v, %v", list, err)
		}
	}
}

// Without a rule to ask, nobody is asked.
func TestOff(t *testing.T) {
	t.Parallel()
	h := open(t, termask.Off)
	s := h.run(`read -rs -p "Password: " p; echo "got $p"; exec sleep 1000`)
	h.sees(s, "Password:")
	wait.Pause(2 * wait.Reading)
	if pending := h.broker.Pending(); len(pending) > 0 || s.Info().PersonAsked {
		t.Errorf("the person is asked: %+v", pending)
	}
}
