package fleet_test

import (
	"fmt"
	"slices"
	"testing"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// A server that is reached by an address of its own and at a hub asks in both ways. The first
// answer counts, and what one way asks disappears with it.
func TestQuestionsByTwoWays(t *testing.T) {
	t.Parallel()
	h, at := newHub(t)
	n := newNetwork()
	asks := persons.Broker(t, popup.Options{})
	registry := opcases.Sessions(t, registry.Config{})
	there := terminals.NewLocal(registry, terminals.Host{Name: "b", ID: "id-b", Questions: questions.New(asks, "id-b")})
	b := fleet.New(joining("b", t.TempDir()))
	t.Cleanup(b.Close)
	b.Over(there)
	join(t, h, b, at, worker)
	m := n.start(t, "b", there)
	n.change(func() { m.info.Rights = []string{terminals.Read.String(), terminals.Answer.String()} })

	o := joining("a", t.TempDir())
	broker := persons.Broker(t, popup.Options{})
	o.Dialer, o.Person = n, newFollower(t, broker, persons.NewPage())
	a := fleet.New(o)
	t.Cleanup(a.Close)
	a.Over(newEmpty(t))
	join(t, h, a, at, desk)
	listed(t, a, "b")
	wait.Until(t, "b is followed", func() bool { return asks.Reachable(popup.Asked{}) })
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://b", Hostname: "near"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "mem://b", terminals.Healthy)
	listed(t, a, "b near")

	p := &persons.Answerer{T: t, Broker: broker, Page: persons.NewPage()}
	asked := func(want ...string) {
		t.Helper()
		wait.Until(t, fmt.Sprint("it is asked on ", want), func() bool {
			var hosts []string
			for _, a := range broker.Pending() {
				hosts = append(hosts, a.Host)
			}
			slices.Sort(hosts)
			return slices.Equal(hosts, want)
		})
	}
	answered := func(id string) {
		t.Helper()
		if a, err := asks.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Value != "yes" {
			t.Errorf("%+v, %v", a, err)
		}
		asked()
	}
	id := persons.Ask(t, asks, persons.Deploy("In both ways?"), popup.AskOptions{})
	asked("b", "near")
	p.MustReply("In both ways?", persons.Chosen("yes"))
	answered(id)
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "b")
	id = persons.Ask(t, asks, persons.Deploy("By the hub?"), popup.AskOptions{})
	asked("b")
	p.MustReply("By the hub?", persons.Chosen("yes"))
	answered(id)
}
