package ui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/variable"
)

// An Inspection selects which part of a session's display to report. The zero Inspection selects
// all of it, in about [DefaultTokens].
type Inspection struct {
	Path   string // see [variable.OutlineOptions]
	Depth  int    // how many views and rows deep; 0 is as deep as fits
	Tokens int    // roughly how long the text may be; 0 means DefaultTokens
}

const (
	// DefaultTokens is the greatest length of an inspection's text, in tokens of a language model.
	DefaultTokens = 1_500
	minTokens     = 100
	maxTokens     = 25_000
	tokenBytes    = 4 // of an average token

	// revealed is the greatest number of windowed lists on a path.
	revealed = 20
	// inspected is the greatest number of problems in an inspection.
	inspected = 8
	// longest is the greatest length of one of them, in bytes.
	longest = 300
)

// Inspect describes what a person sees, as text, from the server's own tree: no page need be
// connected.
func (s *Session) Inspect(ctx context.Context, what Inspection) (string, error) {
	switch {
	case what.Tokens == 0:
		what.Tokens = DefaultTokens
	case what.Tokens < minTokens || what.Tokens > maxTokens:
		return "", fault.New(fault.Invalid, "max_tokens must be from %d to %d, not %d", minTokens, maxTokens, what.Tokens)
	}
	if what.Depth < 0 {
		return "", fault.New(fault.Invalid, "depth must be 0 or more, not %d", what.Depth)
	}
	return at(ctx, s, what.Path, func() (string, []problem.Problem, error) { return s.st.inspect(what) })
}

// at returns what look does when everything on the path is mounted: each transaction mounts the
// next row on it that pages do not hold. look also returns the problems that it reports.
func at[T any](ctx context.Context, s *Session, path string, look func() (T, []problem.Problem, error)) (T, error) {
	for n := 0; ; n++ {
		again := false
		var wrong error
		got, err := ask(ctx, s, func(*Tx) error { return nil }, func() (got T, unreported []problem.Problem) {
			defer s.st.announce()
			if again = n < revealed && s.st.tree.Reveal(path, n == 0); !again {
				got, unreported, wrong = look()
			}
			return got, unreported
		})
		if err = cmp.Or(err, wrong); err != nil || !again {
			return got, err
		}
	}
}

// inspect also returns the problems in the text that the agent did not get before.
func (st *state) inspect(what Inspection) (text string, unreported []problem.Problem, err error) {
	head := fmt.Sprintf("session %s, %s\n", st.id, counted(st.pages(), "page"))
	list := st.problems.list.Results()
	if what.Path != "" { // its problems come first
		below := st.tree.Below(what.Path)
		rank := map[bool]int{false: 1}
		slices.SortStableFunc(list, func(a, b problem.Problem) int {
			return rank[below(a.File, a.Source)] - rank[below(b.File, b.Source)]
		})
	}
	tail, shown := listed(list)
	unreported = st.problems.list.Report(shown) // so there is no need to announce them
	disarm := st.vm.Arm()                       // the app's own __tostring may run
	defer disarm()
	budget := max(what.Tokens*tokenBytes-len(head)-len(tail), minTokens)
	if text, err = st.tree.Outline(variable.OutlineOptions{Path: what.Path, Depth: what.Depth, Budget: budget, Name: st.newReference, Seen: st.seq}); err != nil {
		st.problems.list.GiveBack(unreported)
		return "", nil, err
	}
	return head + text + tail, unreported, nil
}

// listed returns problems as text, or "", and those among them that the text shows.
func listed(list []problem.Problem) (text string, shown []problem.Problem) {
	if len(list) == 0 {
		return "", nil
	}
	shown = list[:min(len(list), inspected)]
	var b strings.Builder
	b.WriteString(counted(len(list), "problem") + ":\n")
	for _, p := range shown {
		b.WriteString("- " + safetext.Clip(p.String(), longest) + "\n")
	}
	if more := len(list) - len(shown); more > 0 {
		fmt.Fprintf(&b, "… %d more\n", more)
	}
	return b.String(), shown
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Area returns what a path of an [Inspection] leads to on pages, and the number of the batch that
// they must have applied to display it. Path "" is everything.
func (s *Session) Area(ctx context.Context, path string) (area finding.Area, seq int64, err error) {
	area, err = at(ctx, s, path, func() (finding.Area, []problem.Problem, error) {
		area, err := s.st.tree.AreaOf(path)
		seq = s.st.seq
		return area, nil, err
	})
	return area, seq, err
}

// Places returns where elements are written. Those that do not exist any more have no place.
func (s *Session) Places(ctx context.Context, of []finding.Element) ([]finding.Place, error) {
	return read(ctx, s, func() []finding.Place {
		places := make([]finding.Place, len(of))
		for i, e := range of {
			if e.Template == "" {
				places[i], _ = s.st.tree.PlaceOf(e)
				continue
			}
			for _, tmpl := range s.st.tree.Templates() {
				if tmpl.Key == e.Template && s.st.tree.Displays(tmpl) {
					places[i].File = tmpl.File
				}
			}
		}
		return places
	})
}

// ChangesOf returns how many changes of the display, in one run of the session, came before a
// version of [Session.Variables].
func ChangesOf(version string) int64 {
	_, rest, _ := strings.Cut(version, ".")
	count, _, _ := strings.Cut(rest, ".")
	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		return 0 // the version is not ours
	}
	return n
}

// Variables lists the session's variables, parents before their children, as a JSON array of
// [variable.Variable]. version identifies the state that the list describes. If known is the
// version of the caller's list and nothing has changed since, list is nil. Values are as they were
// last read.
func (s *Session) Variables(ctx context.Context, known string) (list json.RawMessage, version string, err error) {
	type result struct {
		list    []variable.Variable
		version string
	}
	r, err := read(ctx, s, func() (r result) {
		r.version = fmt.Sprintf("%s.%d.%d", s.st.epoch, s.st.seq, s.st.problems.list.Version())
		if r.version != known {
			r.list = s.st.tree.Variables()
		}
		return r
	})
	if err != nil || r.list == nil {
		return nil, r.version, err
	}
	// Not on the session's goroutine: there may be many.
	if list, err = json.Marshal(r.list); err != nil {
		return nil, "", fault.Wrap(fault.Internal, err, "variables of session %s", s.id)
	}
	return list, r.version, nil
}
