//go:build hub

package fleet_test

import (
	"strings"
	"testing"
	"time"

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
		o.Person = fleet.Person{Broker: broker, Channels: []popup.Channel{&screen{}}}
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
	_, err := terminals.ListQuestions.Do(t.Context(), linkOf(t, fleets["c"], "b"), terminals.Everything, terminals.QuestionQuery{})
	if fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("c, which b lets manage: %v", err)
	}
	_, err = terminals.AskQuestion.Do(t.Context(), linkOf(t, fleets["a"], "b"), terminals.Everything, terminals.NewQuestion{Question: deploy("Forged?").Posed(time.Hour)})
	if fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("no host asks on another one: %v", err)
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
	accept("a", "b", "type")
	sees("a", "b: And now?")
	// The owner of b answers there.
	if _, err := brokers["b"].Answer(brokers["b"].Pending()[0].ID, question.Reply{Action: question.Decline}, "terminal"); err != nil {
		t.Fatal(err)
	}
	sees("a", "")
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
