package core

import (
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// newAsking returns the story of a session whose program asks for a PIN.
func newAsking(t *testing.T) *story {
	s := newStory(t)
	running(s)
	s.f = facts{TheMode: tty.ModeSecret, Reading: tty.Reads, Job: tty.Foreground{PID: 8, Name: "pin"}, Text: "PIN:", TheScreen: Screen{Cursor: vt.Position{Line: 1, Col: 4}}}
	s.says("")
	s.wait(settleTime)
	return s
}

// awaitRequest returns the next request, which counts after the pause.
func (s *story) awaitRequest(id uint64) Request {
	s.t.Helper()
	s.then(0, AwaitRequest{ID: id})
	if s.wait(requestPause - time.Millisecond); s.answers[id].Result != nil {
		s.t.Fatalf("asked too early: %+v", s.answers[id])
	}
	s.wait(time.Millisecond)
	r, ok := s.answers[id].Result.(Request)
	if !ok {
		s.t.Fatalf("%+v", s.answers[id])
	}
	return r
}

// The pause of a request begins again when the program asks for something else, and not when
// something else happens.
func TestPauseOfARequest(t *testing.T) {
	t.Parallel()
	s := newAsking(t)
	s.then(0, AwaitRequest{ID: 1})
	s.then(requestPause/2, Settle{})
	if s.wait(requestPause/2 - 1); s.answer(1) != nil {
		t.Fatal("asked too early")
	}
	if s.wait(1); s.answer(1) == nil {
		t.Error("asked too late")
	}
	s.then(0, AwaitRequest{ID: 2})
	s.f.Text = "TAN:"
	s.then(requestPause/2, Settle{})
	if s.wait(requestPause - 1); s.answer(2) != nil {
		t.Fatal("asked for another text too early")
	}
	s.wait(1)
	r, ok := s.answer(2).(Request)
	if !ok || r.Key.Text != "TAN:" {
		t.Errorf("%+v", s.answer(2))
	}
	s.then(0, Settle{r.Key})
	s.then(0, AwaitRequest{ID: 3})
	if s.wait(time.Hour); s.answer(3) != nil {
		t.Errorf("left to others: %+v", s.answer(3))
	}
}

// An answer that the program's input has no room for leaves the request as it was.
func TestReply(t *testing.T) {
	t.Parallel()
	s := newAsking(t)
	reply := Reply{Key: s.awaitRequest(1).Key, Text: "1"}
	s.f.Full = true
	if _, err := s.session.Apply(reply, &s.f, s.now); fault.KindOf(err) != fault.Exhausted || len(s.session.Ledger.Entries) > 0 {
		t.Errorf("with no room: %v", err)
	}
	s.f.Full = false
	s.then(0, reply)
	if last := s.session.Ledger.After(0); !last[len(last)-1].Secret {
		t.Errorf("the ledger: %+v", last)
	}
}

// An agent drives a session if it has entered the line that runs. Requests name such lines.
func TestDriver(t *testing.T) {
	t.Parallel()
	agent, person, program := Sender{Kind: SenderMCP}, Sender{Kind: SenderAttach}, Sender{Kind: SenderHTTP}
	typed := func(from Sender, text string) Input { return Type{From: from, Kind: InputText, Bytes: []byte(text)} }
	for name, tt := range map[string]struct {
		list   []Input
		driver Sender
		line   string
	}{
		"a line":                    {[]Input{Run{ID: 1, From: agent, Line: "make"}}, agent, "make"},
		"a line of a program":       {[]Input{Run{ID: 1, From: program, Line: "make"}}, program, ""},
		"typed":                     {[]Input{typed(agent, "make\r")}, agent, ""},
		"typed by a person":         {[]Input{typed(person, "make\r")}, person, ""},
		"half a line":               {[]Input{typed(person, "make\r"), Output{}, Mark{vt.Mark{Kind: vt.MarkEnd, N: 1, Keyed: true}}, typed(agent, "x")}, person, ""},
		"typed for a command":       {[]Input{typed(person, "cat\r"), Mark{vt.Mark{Kind: vt.MarkOutput, N: 1, Keyed: true}}, typed(agent, "x\r")}, person, ""},
		"half a line for a command": {[]Input{typed(person, "cat\r"), Mark{vt.Mark{Kind: vt.MarkOutput, N: 1, Keyed: true}}, typed(agent, "x")}, person, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			s.session.Creator = Sender{}
			prompted(s)
			for _, in := range tt.list {
				s.then(0, in)
			}
			if s.offered != "" {
				takes(s)
			}
			r := s.session.Requests
			if r.Driver != tt.driver || r.Line != tt.line || s.session.isDriven() != (tt.driver == agent) {
				t.Errorf("%+v", r)
			}
		})
	}
}
