//go:build hub

package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// Questions of a host of a hub reach the person of another one if both owners have said so, and
// only as long as they do.
func TestQuestionsAtAHub(t *testing.T) {
	h, at := newHub(t)
	brokers := map[string]*popup.Broker{}
	fleets := map[string]*fleet.Fleet{}
	keyOf := map[string]string{}
	for _, name := range []string{"a", "b", "c"} {
		broker, err := popup.New(popup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(broker.Close)
		o := joining(name, t.TempDir())
		o.Person = newFollower(t, broker, &screen{})
		f := fleet.New(o)
		t.Cleanup(f.Close)
		registry := term.NewRegistry(term.Config{})
		t.Cleanup(func() { _ = registry.Close() })
		f.Over(terminals.NewLocal(registry, terminals.Host{Name: name, ID: "id-" + name, Questions: questions.New(broker, "id-"+name)}))
		brokers[name], fleets[name] = broker, f
		keyOf[name] = join(t, h, f, at+"?allow=manage")
	}
	for name, f := range fleets {
		for other := range fleets {
			if other != name {
				await(t, f, other, terminals.Healthy)
			}
		}
	}
	accept := func(on, host, level string) {
		t.Helper()
		if _, err := fleets[on].Accept(t.Context(), terminals.Acceptance{Hostname: keyOf[host], Allow: level}); err != nil {
			t.Fatal(err)
		}
	}
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
	followed := func(want bool) {
		t.Helper()
		wait.Until(t, "b is followed, or not", func() bool { return brokers["b"].Reachable(popup.Asked{}) == want })
	}

	// b lets a answer. That is not enough: a has not accepted b.
	accept("b", "a", "answer")
	accept("c", "b", "look") // c asks b, which does not let it answer
	if s := await(t, fleets["b"], "a", terminals.Healthy); s.Allowed != "answer" {
		t.Errorf("a, as b knows it: %+v", s)
	}
	_, err := linkOf(t, fleets["c"], "b").FollowQuestions(t.Context(), terminals.Everything)
	if fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("c, which b lets manage: %v", err)
	}
	if brokers["b"].Reachable(popup.Asked{}) {
		t.Error("a follows the questions of a host that it has not accepted")
	}
	accept("a", "b", "look")
	followed(true)
	ask := func(title string) string {
		t.Helper()
		return askAt(t, brokers["b"], deploy(title), popup.AskOptions{})
	}
	id := ask("Deploy?")
	sees("a", "b: Deploy?")
	sees("c", "")
	p := &person{t: t, broker: brokers["a"]}
	p.mustReply("Deploy?", chosen("yes"))
	answer, err := brokers["b"].Collect(t.Context(), id, popup.WaitOptions{})
	if err != nil || answer.Value != "yes" || answer.Channel != "a" {
		t.Errorf("%+v, %v", answer, err)
	}

	// b withdraws the level while a question is open; and gives it again.
	ask("And now?")
	sees("a", "b: And now?")
	accept("b", "a", "manage")
	sees("a", "")
	accept("b", "a", "answer")
	sees("a", "b: And now?")
	// a withdraws b.
	if err := fleets["a"].Withdraw(t.Context(), keyOf["b"]); err != nil {
		t.Fatal(err)
	}
	sees("a", "")
	accept("a", "b", "none") // the hub, which a trusts, lets b in: this shuts it out
	sees("a", "")
	accept("a", "b", "type")
	sees("a", "b: And now?")
	// The owner of b answers there.
	if _, err := brokers["b"].Answer(brokers["b"].Pending()[0].ID, question.Reply{Action: question.Decline}, "terminal"); err != nil {
		t.Fatal(err)
	}
	sees("a", "")
}

// A server that is reached by an address of its own and at a hub asks in both ways. The first
// answer counts, and what one way asks disappears with it.
func TestQuestionsByTwoWays(t *testing.T) {
	h, at := newHub(t)
	n := newNetwork()
	asks, err := popup.New(popup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(asks.Close)
	registry := term.NewRegistry(term.Config{})
	t.Cleanup(func() { _ = registry.Close() })
	there := terminals.NewLocal(registry, terminals.Host{Name: "b", ID: "id-b", Questions: questions.New(asks, "id-b")})
	b := fleet.New(joining("b", t.TempDir()))
	t.Cleanup(b.Close)
	b.Over(there)
	keyOfB := join(t, h, b, at)
	m := n.start(t, "b", there)
	n.change(func() { m.info.Rights = []string{terminals.Read.String(), terminals.Answer.String()} })

	o := joining("a", t.TempDir())
	broker, err := popup.New(popup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	o.Dialer, o.Person = n, newFollower(t, broker, &screen{})
	a := fleet.New(o)
	t.Cleanup(a.Close)
	a.Over(newEmpty(t))
	keyOfA := join(t, h, a, at)
	listed(t, a, "b")
	// The person here answers what b asks. b sees nothing here.
	if _, err := a.Accept(t.Context(), terminals.Acceptance{Hostname: keyOfB, Allow: "none"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Accept(t.Context(), terminals.Acceptance{Hostname: keyOfA, Allow: "answer"}); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "b is followed", func() bool { return asks.Reachable(popup.Asked{}) })
	if _, err := a.Add(t.Context(), terminals.NewServer{Address: "mem://b"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "mem://b", terminals.Healthy)
	atHub := withSuffix("b", keyOfB)
	listed(t, a, "b "+atHub)

	p := &person{t: t, broker: broker}
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
	id := askAt(t, asks, deploy("In both ways?"), popup.AskOptions{})
	asked("b", atHub)
	p.mustReply("In both ways?", chosen("yes"))
	answered(id)
	if err := a.Remove(t.Context(), "mem://b"); err != nil {
		t.Fatal(err)
	}
	listed(t, a, "b")
	id = askAt(t, asks, deploy("By the hub?"), popup.AskOptions{})
	asked("b")
	p.mustReply("By the hub?", chosen("yes"))
	answered(id)
}

// linkOf returns the terminals of a host that a server knows.
func linkOf(t *testing.T, f *fleet.Fleet, name string) terminals.Terminals {
	t.Helper()
	on, err := terminals.OnServer(f.Over(nil), name)
	if err != nil {
		t.Fatal(err)
	}
	return on
}
