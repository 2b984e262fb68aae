package attachedterm

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

const (
	// barTime is how long a bar shows what it shows at most: the time goes on, and a command that
	// fails at once changes no state.
	barTime = 5 * time.Second
	// barPause is the least time between two looks at the sessions.
	barPause = 200 * time.Millisecond
)

// keepBar tells the viewer's bar which of the other sessions need the person, and the time, until
// ctx ends or the connection's sessions do.
func (c *client) keepBar(ctx context.Context, v terminals.Viewer) {
	changes, err := c.Terminals.Follow(ctx, c.By)
	if err != nil {
		return // the viewer has the right that this needs, so the server is ending
	}
	defer changes.Close()
	var b term.Bar
	for ctx.Err() == nil {
		look, cancel := context.WithTimeout(ctx, barTime)
		if list, err := terminals.ListSessions.Do(look, c.Terminals, c.By, terminals.SessionFilter{}); err == nil {
			b.Calls = calls(list, v.SessionID())
		}
		b.Clock = time.Now().Format("15:04")
		v.SetBar(b)
		select {
		case <-time.After(barPause):
		case <-ctx.Done():
		}
		_, _, _ = changes.Next(look) // whatever it is, all sessions are looked at again
		cancel()
	}
}

// calls returns which sessions need the person, and why, the most urgent first. A failure calls
// only while no person's terminal displays the session.
func calls(list []wire.Session, except string) []string {
	type call struct {
		rank int
		text string
	}
	var found []call
	for _, s := range list {
		failed := s.Exit != nil && s.Exit.Code != 0
		if c := s.LastCommand; s.State == string(term.StatePrompt) && c != nil && !c.Running && c.ExitCode != nil {
			failed = *c.ExitCode != 0
		}
		switch {
		case s.ID == except:
		case s.PersonAsked, s.State == string(term.StateSecret):
			found = append(found, call{0, s.Name + " asks"})
		case s.State == string(term.StateLine):
			found = append(found, call{1, s.Name + " waits"})
		case failed && !slices.ContainsFunc(s.Attached, isPerson):
			found = append(found, call{2, s.Name + " failed"})
		}
	}
	slices.SortStableFunc(found, func(a, b call) int { return cmp.Compare(a.rank, b.rank) })
	texts := make([]string, len(found))
	for i, c := range found {
		texts[i] = c.text
	}
	return texts
}

// isPerson reports whether a client is the terminal of a person who types there.
func isPerson(c wire.Client) bool {
	kind := term.ClientKind(c.Kind)
	return kind == term.ClientAttach || kind == term.ClientPage
}
