package fleet

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
)

// firstRefusal and lastRefusal are the pauses before the questions of a host are followed again.
const firstRefusal, lastRefusal = time.Second, time.Minute

// attend follows the questions of a new host. The caller holds f.mu.
func (f *Fleet) attend(h *host) {
	if f.opts.Person != nil && h.hub == nil {
		f.following.Go(func() { f.followQuestions(h) })
	}
}

// identity is what this server knows the host by: its key, or the address that it was given. What
// the host says of itself has no part in it.
func (h *host) identity() string {
	if h.key != "" {
		return h.key
	}
	return h.address
}

// asking is what followQuestions needs to know of a host.
type asking struct {
	remote Remote // nil: its questions cannot be followed now
	name   string
}

// asks returns what a host is now, and a channel that is closed when that may be different.
func (f *Fleet) asks(h *host) (a asking, changed chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a = asking{h.remote, h.name}
	if h.via == nil && !h.answers {
		a.remote = nil
	}
	return a, h.changed
}

// followQuestions asks the person here what is asked on a host, until the host is forgotten or may
// not ask any more.
func (f *Fleet) followQuestions(h *host) {
	way := f.opts.Person.Way(h.identity())
	defer way.Close()
	pause := firstRefusal
	for h.ctx.Err() == nil {
		a, _ := f.asks(h)
		if a.remote == nil {
			f.await(h.ctx, h, a)
			pause = firstRefusal
			continue
		}
		ctx, cancel := context.WithCancel(h.ctx)
		f.following.Go(func() {
			f.await(ctx, h, a)
			cancel()
		})
		began := time.Now()
		err := way.Follow(ctx, a.name, func(ctx context.Context) (terminals.QuestionStream, error) {
			by := terminals.Grant{Rights: terminals.Answer, From: core.Sender{Name: f.opts.Name}}
			return terminals.OpenQuestions(ctx, a.remote, by)
		})
		same := ctx.Err() == nil
		cancel()
		switch fault.DetailOf(err) {
		case terminals.NotAllowed, terminals.Withdrawn, terminals.HostLacks:
			way.End()
		}
		if !same || time.Since(began) > pause {
			pause = firstRefusal
		}
		if same {
			ctx, cancel := context.WithTimeout(h.ctx, pause)
			f.await(ctx, h, a)
			cancel()
			pause = min(2*pause, lastRefusal)
		}
	}
}

// await waits until a host is another one, or ctx ends.
func (f *Fleet) await(ctx context.Context, h *host, a asking) {
	for {
		now, changed := f.asks(h)
		if now != a {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
