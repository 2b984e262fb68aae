package clients_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/label"
)

// newSet returns the clients of a session, and the changes that it reports.
func newSet(most int) (*clients.Set, *[]string) {
	var reports []string
	return clients.New(most, func() string { return "s" }, func(id uint64, change clients.Change, about clients.Info) {
		reports = append(reports, fmt.Sprint(id, " ", about.Name, " ", change))
	}), &reports
}

func join(t *testing.T, s *clients.Set, o clients.Options) *clients.Client {
	t.Helper()
	c, err := s.Attach(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func isAsked(c *clients.Client) bool {
	select {
	case <-c.Detached():
		return true
	default:
		return false
	}
}

// Clients of a session have different names.
func TestNames(t *testing.T) {
	s, _ := newSet(100)
	long := strings.Repeat("é", label.MaxName/2)
	for _, tt := range []struct {
		o    clients.Options
		want string
	}{
		{clients.Options{}, "attach-1"},
		{clients.Options{Kind: clients.KindRaw}, "raw-1"},
		{clients.Options{}, "attach-2"},
		{clients.Options{Name: "ann@pts/3"}, "ann@pts/3"},
		{clients.Options{Name: "ann@pts/3"}, "ann@pts/3-2"},
		{clients.Options{Name: "ann@pts/3"}, "ann@pts/3-3"},
		{clients.Options{Name: "phone", Exact: true}, "phone"},
		{clients.Options{Name: long}, long},
		{clients.Options{Name: long}, strings.Repeat("é", label.MaxName/2-1) + "-2"},
	} {
		if got := join(t, s, tt.o).ClientName(); got != tt.want {
			t.Errorf("%+v is %q, want %q", tt.o, got, tt.want)
		}
	}
	if _, err := s.Attach(clients.Options{Name: "phone", Exact: true}); fault.KindOf(err) != fault.Exists || fault.DetailOf(err) != clients.NameTaken {
		t.Errorf("a name that is taken: %v", err)
	}
	for _, name := range []string{"a b", "a\x1b", "\xff", strings.Repeat("a", label.MaxName+1)} {
		if _, err := s.Attach(clients.Options{Name: name}); fault.DetailOf(err) != clients.InvalidName {
			t.Errorf("the name %q: %v", name, err)
		}
	}
}

// Two clients that ask for one name at the same time do not both get it.
func TestNameRace(t *testing.T) {
	s, _ := newSet(100)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := s.Attach(clients.Options{Name: "one"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	names := map[string]bool{}
	for _, c := range s.List(0) {
		names[c.Name] = true
	}
	if len(names) != 20 {
		t.Errorf("names %v", names)
	}
}

// One client is asked to leave, and the others stay; or all, but for observers. At the end of the
// program, all are, and nobody comes any more.
func TestDetach(t *testing.T) {
	s, reports := newSet(4)
	a, b := join(t, s, clients.Options{Name: "a"}), join(t, s, clients.Options{Name: "b"})
	o := join(t, s, clients.Options{Name: "o", Observer: true})
	left := join(t, s, clients.Options{Name: "left"})
	if _, err := s.Attach(clients.Options{}); fault.KindOf(err) != fault.Exhausted {
		t.Errorf("one too many: %v", err)
	}
	left.Close()
	if err := s.Detach("a"); err != nil || !isAsked(a) || a.IsAttached() || isAsked(b) || isAsked(o) || isAsked(left) {
		t.Errorf("a was to leave: %v", err)
	}
	if err := s.Detach("a"); fault.DetailOf(err) != clients.Unknown {
		t.Errorf("one that has left: %v", err)
	}
	if err := s.Detach("o"); fault.KindOf(err) != fault.Precondition || isAsked(o) {
		t.Errorf("an observer: %v", err)
	}
	if err := s.Detach(""); err != nil || !isAsked(b) || isAsked(o) {
		t.Errorf("all were to leave: %v", err)
	}
	if persons := s.Close(); persons || !isAsked(o) {
		t.Errorf("at the end, persons: %v", persons)
	}
	if _, err := s.Attach(clients.Options{}); fault.KindOf(err) != fault.Gone {
		t.Errorf("after the end: %v", err)
	}
	want := []string{"1 a attached", "2 b attached", "3 o attached", "4 left attached", "4 left detached", "1 a detached", "2 b detached"}
	if !slices.Equal(*reports, want) {
		t.Errorf("reports %q", *reports)
	}
}

// A session is alone since the last client or caller has left.
func TestAlone(t *testing.T) {
	s, _ := newSet(1)
	if since, alone := s.AloneSince(); !alone || !since.IsZero() {
		t.Errorf("at first, alone: %v, since %v", alone, since)
	}
	c, leave := join(t, s, clients.Options{}), s.Wait()
	for _, end := range []func(){c.Close, leave} {
		if _, alone := s.AloneSince(); alone {
			t.Error("it is alone")
		}
		end()
	}
	if since, alone := s.AloneSince(); !alone || since.IsZero() {
		t.Errorf("at last, alone: %v, since %v", alone, since)
	}
}
