package fleet

import (
	"cmp"
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
)

// lastRefusal is the longest pause before the questions of a host are followed again.
const lastRefusal = time.Minute

// attend asks the person here what is asked on a new host, until that is forgotten. The caller
// holds f.mu.
func (f *Fleet) attend(h *host) {
	if f.opts.Person == nil || h.hub != nil {
		return
	}
	way := f.opts.Person.Way(cmp.Or(h.key, h.address)) // and nothing that the host says of itself
	f.following.Go(func() {
		defer way.Close()
		h.whileReached(h.ctx, lastRefusal, func(ctx context.Context, v hostTerminals, to Remote) {
			if !v.mayAnswer() {
				return
			}
			err := way.Follow(ctx, v.on, func(ctx context.Context) (terminals.QuestionStream, error) {
				return terminals.OpenQuestions(ctx, to, terminals.Grant{Rights: terminals.Answer, From: core.Sender{Name: f.opts.Name}})
			})
			switch fault.DetailOf(err) {
			case terminals.NotAllowed, terminals.Withdrawn, terminals.HostLacks:
				way.End()
			}
		})
	})
}

// mayAnswer reports whether the host lets this server answer what is asked there.
func (h *host) mayAnswer() bool {
	h.fleet.mu.Lock()
	defer h.fleet.mu.Unlock()
	return h.remote != nil && (h.via != nil || h.answers)
}
