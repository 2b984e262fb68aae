package term

import (
	"cmp"
	"context"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/pattern"
)

// SearchOptions define a search of the history and the primary screen.
type SearchOptions struct {
	// Text or Expression is what to find: see [pattern.Literal] and [pattern.Compile].
	Text, Expression string
	IgnoreCase       bool
	// From is the number of the first line to search; lines that are no longer kept are skipped.
	From uint64
	// Limit is how many matches are returned at most; 0 means DefaultFound. It is at most MaxFound.
	Limit int
	// Newest returns the last matches instead of the first.
	Newest bool
}

// A Search is the result of a search.
type Search struct {
	Found []lookback.Found // from the oldest to the newest
	// Next is the number of the line to continue from: after the last match if there may be more,
	// else after the last line.
	Next, Layout uint64
}

// The limits of searches.
const (
	DefaultFound = 100
	MaxFound     = 1000
)

// Search finds the lines of the history and the primary screen that match: see [lookback.Finder].
// It works for ended sessions, too.
func (s *Session) Search(ctx context.Context, o SearchOptions) (Search, error) {
	find, what := pattern.Compile, o.Expression
	if o.Text != "" {
		find, what = pattern.Literal, o.Text
	}
	expression, err := find(what, o.IgnoreCase)
	if err != nil {
		return Search{}, err
	}
	if o.Limit < 0 {
		return Search{}, fault.New(fault.Invalid, "%d matches cannot be returned", o.Limit)
	}
	f := lookback.Finder{Pattern: expression, Limit: min(cmp.Or(o.Limit, DefaultFound), MaxFound), Newest: o.Newest, Next: o.From}
	for over := false; !over; {
		over, err = read(ctx, s, func(st *state) (bool, error) { return f.Step(st.term) })
		if err != nil {
			return Search{}, err
		}
	}
	return Search{f.Found, f.Next, f.Layout}, nil
}
