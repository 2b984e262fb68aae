package problem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/problem"
)

func texts(list []problem.Problem) []string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%d %v %v", p.ID, p.Kind, p))
	}
	return out
}

func want(t *testing.T, what string, got []problem.Problem, texts_ ...string) {
	t.Helper()
	if d := cmp.Diff(texts_, texts(got)); d != "" {
		t.Errorf("%s: -want +got:\n%s", what, d)
	}
}

func action(msg string) problem.Problem { return problem.Problem{Kind: problem.Action, Message: msg} }

func binding(msg string) problem.Problem {
	return problem.Problem{File: "a.html", Line: 1, Source: `ui-value="x"`, Message: msg}
}

func TestString(t *testing.T) {
	for _, tt := range []struct {
		p    problem.Problem
		want string
	}{
		{problem.Problem{File: "v.html", Line: 4, Source: `ui-value="f()"`, Message: "app.lua:7: no x"}, `v.html:4: ui-value="f()": app.lua:7: no x`},
		{problem.Problem{File: "app.lua", Line: 7, Message: "app.lua:7: no x"}, "app.lua:7: no x"},
		{problem.Problem{File: "app.lua", Message: "cannot be read"}, "app.lua: cannot be read"},
		{problem.Problem{Message: "late"}, "late"},
		{problem.Problem{Message: "one\n- a.lua:1:\tanother\u2028- third\r"}, "one - a.lua:1: another - third"},
	} {
		if got := tt.p.String(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestAddCountsWhatIsKnown(t *testing.T) {
	var l problem.List
	if !l.Add(action("a"), nil) || !l.Add(action("b"), nil) || l.Add(action("a"), nil) {
		t.Error("a new problem looks like a known one")
	}
	want(t, "the newest first", l.All(), "2 action b", "1 action a")
	v := l.Version()
	l.Clear(func(p *problem.Problem) bool { return p.Message == "c" })
	if l.Version() != v {
		t.Error("nothing was cleared, but the version changed")
	}
	l.Clear(func(p *problem.Problem) bool { return p.Message == "a" })
	if l.Version() == v || len(l.All()) != 1 {
		t.Error("nothing was cleared")
	}
	if !l.Add(action("a"), nil) {
		t.Error("a problem that recurs after it was fixed is not new")
	}
	want(t, "it counts from 1 again", l.All(), "3 action a", "2 action b")
}

func TestFollow(t *testing.T) {
	var l problem.List
	l.Add(action("stays"), nil)
	x, y := binding("x"), binding("y")
	want(t, "fresh", l.Follow(problem.Binding, []problem.Problem{x, y, x}), `2 binding a.html:1: ui-value="x": x`, `3 binding a.html:1: ui-value="x": y`)
	v := l.Version()
	if fresh := l.Follow(problem.Binding, []problem.Problem{x, y}); fresh != nil || l.Version() != v {
		t.Errorf("nothing has changed: fresh %v, version %d after %d", fresh, l.Version(), v)
	}
	y.Instance = 7
	if fresh := l.Follow(problem.Binding, []problem.Problem{x, y}); fresh != nil || l.Version() == v {
		t.Errorf("a count has changed: fresh %v, version %d after %d", fresh, l.Version(), v)
	}
	l.Follow(problem.Binding, []problem.Problem{y})
	want(t, "one is fixed", l.All(), `3 binding a.html:1: ui-value="x": y`, "1 action stays")
	l.Follow(problem.Binding, nil)
	want(t, "both are", l.All(), "1 action stays")
}

// The first problems in the order stay, so that none comes and goes merely because there are too
// many.
func TestFollowMoreThanIsKept(t *testing.T) {
	var l problem.List
	var all []problem.Problem
	for i := range 300 {
		all = append(all, binding(fmt.Sprintf("%03d", i)))
	}
	kept := len(l.Follow(problem.Binding, all))
	if kept == 0 || kept >= 300 {
		t.Fatalf("kept %d of 300", kept)
	}
	if fresh := l.Follow(problem.Binding, all); fresh != nil {
		t.Errorf("%d are new again", len(fresh))
	}
	want(t, "the next one enters when one is fixed", l.Follow(problem.Binding, all[1:]),
		fmt.Sprintf(`%d binding a.html:1: ui-value="x": %03d`, kept+1, kept))
}

func TestBounds(t *testing.T) {
	var l problem.List
	l.Add(problem.Problem{Kind: problem.Reload, Message: "important"}, nil)
	for i := range 1000 {
		for k := problem.Action; k <= problem.Keep; k++ {
			l.Add(problem.Problem{Kind: k, Message: fmt.Sprint(i)}, nil)
		}
		l.Follow(problem.Binding, append(l.All(), binding(fmt.Sprint(i))))
		l.Follow(problem.Viewdef, append(l.All(), binding(fmt.Sprint(i))))
	}
	var many []problem.Problem
	for i := range 1000 {
		many = append(many, binding(fmt.Sprint("m", i)))
		l.Add(problem.Problem{Kind: problem.Reload, Message: fmt.Sprint(i)}, nil)
	}
	l.Follow(problem.Binding, many)
	l.Follow(problem.Viewdef, many)
	if len(l.All()) != 200 {
		t.Errorf("%d problems of every kind are kept, want 200", len(l.All()))
	}
	if n := len(l.Wire()); n != 100 {
		t.Errorf("pages receive %d", n)
	}
	if first := l.Wire()[0]; first.ID != l.All()[0].ID || first.Kind != "viewdef" {
		t.Errorf("the newest for pages is %+v", first)
	}
}

func TestFloodOfOneKindHidesNoOther(t *testing.T) {
	var l problem.List
	l.Add(problem.Problem{Kind: problem.Reload, Message: "important"}, nil)
	for i := range 1000 {
		l.Add(problem.Problem{Kind: problem.Timer, Message: fmt.Sprint(i)}, nil)
	}
	all := l.All()
	if last := all[len(all)-1]; last.Message != "important" {
		t.Errorf("the oldest is %v", last)
	}
	if all[0].Message != "999" {
		t.Errorf("the newest is %v", all[0])
	}
}

func TestForget(t *testing.T) {
	var l problem.List
	p := problem.Problem{Kind: problem.Script, Message: "x is not defined"}
	l.Add(p, "tab 1")
	l.Add(p, "tab 2")
	l.Add(action("of nobody"), nil)
	l.Forget("tab 3")
	l.Forget("tab 1")
	if len(l.All()) != 2 {
		t.Error("the other page has the problem still")
	}
	l.Forget("tab 2")
	want(t, "both pages are gone", l.All(), "2 action of nobody")
}

func TestTakeAndAnnounce(t *testing.T) {
	var l problem.List
	l.Add(action("a"), nil)
	l.Follow(problem.Viewdef, []problem.Problem{{File: "v.html", Message: "odd", Warning: true}})
	if l.Errors() != 1 {
		t.Errorf("%d errors", l.Errors())
	}
	want(t, "an error is announced", l.Announce(), "1 action a")
	want(t, "once", l.Announce())
	want(t, "a result has all, as events are not for every agent", l.Take(100), "2 viewdef v.html: odd", "1 action a")
	want(t, "then it is reported", l.Take(100))

	// A problem that recurs is no news, unless it was fixed in between.
	l.Add(action("a"), nil)
	want(t, "announced before", l.Announce())
	l.Clear(func(p *problem.Problem) bool { return p.Kind == problem.Action })
	l.Add(action("a"), nil)
	want(t, "it has come back", l.Announce(), "3 action a")

	// So is one that the agent got in a result.
	l.Add(action("b"), nil)
	want(t, "given", l.Take(100), "4 action b", "3 action a")
	l.Add(action("b"), nil)
	want(t, "given before", l.Announce())
	l.Clear(func(p *problem.Problem) bool { return p.Message == "b" })
	l.Add(action("b"), nil)
	want(t, "it has come back, too", l.Announce(), "5 action b")
}

// Results list files that cannot be used before everything else.
func TestFilesFirst(t *testing.T) {
	var l problem.List
	l.Add(problem.Problem{Kind: problem.Reload, OfFile: true, Message: "file"}, nil)
	for i := range 30 {
		l.Add(action(fmt.Sprint(i)), nil)
	}
	all := l.Results()
	unreported := l.Report(all[:8])
	if all[0].Message != "file" || len(all) != 21 || len(unreported) != 8 || unreported[0].Message != "file" {
		t.Errorf("all are %v, unreported %v", all, unreported)
	}
	if left := l.Take(100); len(left) != 13 {
		t.Errorf("%d are left", len(left))
	}
}

// Problems that do not fit into a result are left for the next one.
func TestResultsTakeWhatTheyList(t *testing.T) {
	var l problem.List
	for _, m := range []string{"a", "b", "c", "d"} {
		l.Add(action(m), nil)
	}
	want(t, "the newest", l.Take(1), "4 action d")
	all := l.Results()
	unreported := l.Report(all[:2])
	if len(all) != 4 {
		t.Errorf("%d problems are there", len(all))
	}
	want(t, "of the newest two, the agent had one", unreported, "3 action c")
	want(t, "what neither has reported", l.Take(5), "2 action b", "1 action a")
	want(t, "nothing is left", l.Take(5))
	l.GiveBack(unreported)
	l.GiveBack([]problem.Problem{action("fixed")})
	want(t, "what was given back", l.Announce(), "3 action c")
	want(t, "once", l.Announce())
}

func TestAnnounceIsBounded(t *testing.T) {
	var l problem.List
	announced := 0
	for i := range 500 {
		l.Add(action(fmt.Sprint("no. ", i)), nil)
		announced += len(l.Announce())
	}
	if announced == 0 || announced > 20 {
		t.Errorf("%d of 500 errors were announced", announced)
	}
	if rest := l.Take(100); len(rest) == 0 || !strings.Contains(rest[0].Message, "499") {
		t.Errorf("the rest is %v", rest)
	}
	l.Add(action("after the agent has asked"), nil)
	if news := l.Announce(); len(news) != 1 {
		t.Errorf("news = %v", news)
	}
	// The memory of announced problems is bounded, too: the oldest is eventually announced again.
	for i := range 5000 {
		l.Add(action(fmt.Sprint("more ", i)), nil)
		l.Take(100)
	}
	l.Add(action("no. 0"), nil)
	if news := l.Announce(); len(news) != 1 {
		t.Errorf("news = %v", news)
	}
}
