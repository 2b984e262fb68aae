package term

import (
	"context"
	"math/rand/v2"
	"slices"

	"ui-mcp/internal/term/vt"
)

// maxMoments is how many moments of screens that callers have read are kept for each session.
const maxMoments = 256

// firstEpoch is the epoch of a new session's screen. It is random: a client may have an epoch of
// another session, which had the same name or ended with an earlier server, and what has changed
// since then is everything. The numbers of JavaScript hold all that can follow.
func firstEpoch() uint64 { return rand.Uint64N(1 << 48) }

// moments are the moments of the newest screens that callers have read, oldest first, so that they
// can ask for the changes since one of them by its epoch alone.
type moments []vt.Moment

func (m *moments) add(at vt.Moment) {
	switch n := len(*m); {
	case n > 0 && (*m)[n-1].Epoch == at.Epoch:
		return
	case n == maxMoments:
		*m = slices.Delete(*m, 0, 1)
	}
	*m = append(*m, at)
}

// find returns the moment of an epoch, or the zero Moment.
func (m moments) find(epoch uint64) vt.Moment {
	for _, at := range m {
		if at.Epoch == epoch {
			return at
		}
	}
	return vt.Moment{}
}

// snapshot returns the screen for a caller, who may ask for the changes since.
func (st *state) snapshot() *vt.Snapshot {
	s := st.term.Snapshot()
	st.moments.add(s.Moment())
	return s
}

// Changes returns the screen, and what has changed since the screen of an epoch that a caller has
// read. Every row counts as changed if that was too long ago. It works for ended sessions, too.
func (s *Session) Changes(ctx context.Context, epoch uint64) (*vt.Snapshot, vt.Diff, error) {
	var diff vt.Diff
	screen, err := read(ctx, s, func(st *state) (*vt.Snapshot, error) {
		screen := st.snapshot()
		diff = screen.Since(st.moments.find(epoch))
		diff.From = epoch
		return screen, nil
	})
	return screen, diff, err
}
