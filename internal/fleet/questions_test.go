package fleet_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/terminals"
)

// When a host withdraws the right to answer, its questions are taken away; given again, they come
// back.
func TestRightWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a")
		b.ask(t, "Deploy?", popup.AskOptions{})
		p.Want("b: Deploy?")
		b.allow(terminals.Read)
		p.Want("")
		b.allow(terminals.AllRights)
		time.Sleep(2 * time.Minute)
		p.Want("b: Deploy?")
		if err := p.fleet.Remove(t.Context(), "b"); err != nil {
			t.Fatal(err)
		}
		p.Want("")
	})
}

// A server that knows no other hosts has no goroutine for their questions.
func TestNoHostsNoQuestions(t *testing.T) {
	b := persons.Broker(t, popup.Options{})
	before := goleak.IgnoreCurrent()
	f := fleet.New(fleet.Options{
		Name: "a", ID: "id-a", Dialer: newNetwork(), Log: slog.New(slog.DiscardHandler),
		Person: newFollower(t, b),
	})
	t.Cleanup(f.Close)
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
}

// A host that gives no right to answer, or that is older, is not asked.
func TestNoRightToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		n.change(func() { n.hosts["mem://b"].info.Rights = []string{terminals.Read.String()} })
		newPerson(t, n, "a")
		time.Sleep(time.Hour)
		if len(b.streams) > 0 {
			t.Error("its questions are followed")
		}
	})
}

// A question has the name that its host has now.
func TestRenamedWhileAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		b := n.startAsking(t, "b")
		p := newPerson(t, n, "a")
		id := b.ask(t, "Deploy?", popup.AskOptions{})
		p.Want("b: Deploy?")
		n.change(func() { n.hosts["mem://b"].info.Hostname = "other" })
		time.Sleep(2 * time.Minute)
		p.Want("other: Deploy?")
		p.MustReply("Deploy?", persons.Chosen("yes"))
		if a := b.outcome(t, id); a.Value != "yes" {
			t.Errorf("%+v", a)
		}
	})
}
