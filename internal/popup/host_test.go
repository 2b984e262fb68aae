package popup

import (
	"testing"
	"testing/synctest"
	"time"

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
