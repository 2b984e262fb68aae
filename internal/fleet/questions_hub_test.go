package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// Questions of a worker reach the person of a desk, and nobody else, as long as that is one.
func TestQuestionsAtAHub(t *testing.T) {
	t.Parallel()
	h, at := newHub(t)
	brokers := map[string]*popup.Broker{}
	fleets := map[string]*fleet.Fleet{}
	keyOf := map[string]string{}
	for name, as := range map[string]keys.Entry{"a": desk, "b": worker, "c": worker} {
		broker := persons.Broker(t, popup.Options{})
		o := joining(name, t.TempDir())
		o.Person = newFollower(t, broker, persons.NewPage())
		f := fleet.New(o)
		t.Cleanup(f.Close)
		registry := opcases.Sessions(t, registry.Config{})
		f.Over(terminals.NewLocal(registry, terminals.Host{Name: name, ID: "id-" + name, Questions: questions.New(broker, "id-"+name)}))
		brokers[name], fleets[name] = broker, f
		keyOf[name] = join(t, h, f, at, as)
	}
	listed(t, fleets["a"], "b c")
	sees := func(name, want string) {
		t.Helper()
		wait.Until(t, name+" sees "+want, func() bool {
			var list []string
			for _, a := range brokers[name].Pending() {
				if a.Host != "" {
					list = append(list, a.Host+": "+a.Question.Title)
				}
			}
			return strings.Join(list, ", ") == want
		})
	}
	wait.Until(t, "b is followed", func() bool { return brokers["b"].Reachable(popup.Asked{}) })
	ask := func(title string) string {
		t.Helper()
		return persons.Ask(t, brokers["b"], persons.Deploy(title), popup.AskOptions{})
	}
	id := ask("Deploy?")
	sees("a", "b: Deploy?")
	sees("c", "")
	p := &persons.Answerer{T: t, Broker: brokers["a"], Page: persons.NewPage()}
	p.MustReply("Deploy?", persons.Chosen("yes"))
	if answer := persons.Outcome(t, brokers["b"], id); answer.Value != "yes" || answer.Channel != "a" {
		t.Errorf("%+v", answer)
	}
	ask("And now?")
	sees("a", "b: And now?")
	if err := h.Withdraw(keyOf["a"]); err != nil {
		t.Fatal(err)
	}
	await(t, fleets["a"], at, terminals.Waiting)
	_, err := terminals.OpenQuestions(t.Context(), remoteOf(t, fleets["a"], "b"), terminals.Everything)
	if fault.KindOf(err) != fault.Unreachable {
		t.Errorf("a desk that is withdrawn: %v", err)
	}
}

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

// remoteOf returns the terminals of a host that a server knows.
func remoteOf(t *testing.T, f *fleet.Fleet, name string) terminals.Terminals {
	t.Helper()
	on, err := terminals.OnServer(f.Over(nil), name)
	if err != nil {
		t.Fatal(err)
	}
	return on
}
