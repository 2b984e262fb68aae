package attachedterm

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
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
func (c *client) keepBar(ctx context.Context, v *terminals.Viewer) {
	changes, err := terminals.Follow.Open(ctx, c.local, c.By, terminals.None{})
	if err != nil {
		return // the viewer has the right that this needs, so the server is ending
	}
	defer changes.Close()
	var b term.Bar
	for ctx.Err() == nil {
		look, cancel := context.WithTimeout(ctx, barTime)
		if list, err := terminals.ListSessions.Do(look, c.local, c.By, terminals.SessionFilter{}); err == nil {
			b.Calls = calls(list, c.Prefix, v.SessionID())
		}
		b.Clock = time.Now().Format("15:04")
		v.SetBar(b)
		_ = wake.After(ctx, barPause) // the loop looks whether it has ended
		_, _ = changes.Next(look)     // whatever it is, all sessions are looked at again
		cancel()
	}
}

// calls returns which sessions need the person, and why, the most urgent first. A failure calls
// only while no person's terminal displays the session.
func calls(list []wire.Session, prefix, except string) []string {
	list = slices.DeleteFunc(list, func(s wire.Session) bool {
		call := s.Call()
		return s.ID == except || call == wire.NoCall || call == wire.Failed && slices.ContainsFunc(s.Attached, isPerson)
	})
	slices.SortStableFunc(list, func(a, b wire.Session) int { return cmp.Compare(b.Call(), a.Call()) })
	texts := make([]string, len(list))
	for i, s := range list {
		texts[i] = prefix + s.Name + " " + s.Call().String()
	}
	return texts
}

// isPerson reports whether a client is the terminal of a person who types there.
func isPerson(c wire.Client) bool {
	kind := clients.Kind(c.Kind)
	return kind == clients.KindAttach || kind == clients.KindPage
}
