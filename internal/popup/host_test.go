package popup

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// A question that another host asks holds up no other one, and is not passed on.
func TestQuestionsOfOtherHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, hosts := newFakeChannel("page", Page, Possible), newFakeChannel("hosts", Elsewhere, Possible)
		b := open(t, Options{}, page, hosts)
		for _, host := range []string{"build1", "build1", "build2", ""} {
			if _, err := b.Ask(deploy(t, nil), AskOptions{Host: host}); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		shown := map[string]int{}
		for range len(page.displayed) {
			shown[(<-page.displayed).Host]++
		}
		if len(shown) != 3 || shown["build1"] != 1 || shown["build2"] != 1 || shown[""] != 1 {
			t.Errorf("the page shows %v", shown)
		}
		if len(hosts.displayed) != 1 || (<-hosts.displayed).Host != "" {
			t.Error("other hosts are to show what this one asks, and nothing else")
		}
	})
}

// Other hosts show a question beside the page, and alone; when they are gone, it waits.
func TestElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page, hosts := newFakeChannel("page", Page, Absent), newFakeChannel("hosts", Elsewhere, Possible)
		b := open(t, Options{}, page, hosts)
		id := ask(t, b, deploy(t, func(s *question.Spec) { s.Channel = "terminal" }))
		<-hosts.displayed
		hosts.presence = Absent
		hosts.end <- ErrLost
		time.Sleep(time.Minute)
		if len(b.Pending()) != 1 {
			t.Fatalf("over: %+v", wait(t, b, id))
		}
		page.presence, hosts.presence = Possible, Possible
		b.Recheck()
		<-page.displayed
		<-hosts.displayed
		if _, err := b.Answer(id, choose("yes"), "laptop"); err != nil {
			t.Fatal(err)
		}
		<-page.taken
		if a := wait(t, b, id); a.Value != "yes" || a.Channel != "laptop" {
			t.Errorf("%+v", a)
		}
	})
}

// What another host has asked and withdrawn costs little memory, however long it goes on with that
// and under however many names. Neither does it displace what others have asked.
func TestHostsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
		b := open(t, Options{}, page)
		large := deploy(t, func(s *question.Spec) {
			s.Images = []question.Image{{Src: "data:image/png;base64," + strings.Repeat("A", 1<<10)}}
		})
		over := func(host string) string {
			id, err := b.Ask(large, AskOptions{Host: host, Deliver: func(question.Reply) error { return nil }})
			if err != nil {
				t.Fatal(err)
			}
			<-page.displayed
			if err := b.Withdraw(id); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			return id
		}
		first, last := over("build"), ""
		for range maxOfHost + 1 {
			last = over("evil")
		}
		past := b.History(MaxHistory)
		if len(past) != maxOfHost+1 {
			t.Errorf("of two hosts, the history has %d", len(past))
		}
		for _, p := range past {
			if q := p.Question; len(q.Images) > 0 || q.Message != "" || q.Quote != "" || len(q.Options) > 0 || q.Title != large.Title || p.Answer.Outcome != question.Withdrawn {
				t.Fatalf("the history has %+v", p)
			}
		}
		for _, id := range []string{first, last} {
			if a := wait(t, b, id); a.Outcome != question.Withdrawn {
				t.Errorf("a question of the newest of its host ended as %+v", a)
			}
			if _, err := b.Answer(id, choose("yes"), "page"); fault.KindOf(err) != fault.Exists {
				t.Errorf("a late answer: %v", err)
			}
		}
		for i := range MaxHistory {
			over(fmt.Sprint("host", i))
		}
		if past, entries, queues := len(b.History(10*MaxHistory)), len(b.entries), len(b.queues); past != MaxHistory || entries != past || queues != 0 {
			t.Errorf("of many hosts, there are %d in the history, %d questions and %d queues", past, entries, queues)
		}
	})
}

// A question for terminals is also for those on other hosts, whatever pages there are here; only a
// terminal here keeps it from a page.
func TestForTerminals(t *testing.T) {
	for name, tt := range map[string]struct {
		terminal Presence
		page     int // how often it is displayed on the page
	}{"with one here": {Possible, 0}, "without": {Absent, 1}} {
		for _, first := range []Presence{Possible, Absent} {
			synctest.Test(t, func(t *testing.T) {
				page, terminal, hosts := newFakeChannel("page", Page, first), newFakeChannel("terminal", Terminal, tt.terminal), newFakeChannel("hosts", Elsewhere, Possible)
				b := open(t, Options{}, page, terminal, hosts)
				ask(t, b, deploy(t, func(s *question.Spec) { s.Channel = "terminal" }))
				synctest.Wait()
				page.presence = Possible
				b.Recheck()
				synctest.Wait()
				if len(page.displayed) != tt.page || len(terminal.displayed) != 1-tt.page || len(hosts.displayed) != 1 {
					t.Errorf("%s: displayed on the page %d times, at terminals %d, on other hosts %d", name, len(page.displayed), len(terminal.displayed), len(hosts.displayed))
				}
			})
		}
	}
}
