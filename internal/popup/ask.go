package popup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/workspace"
)

// AskOptions say how a question is asked.
type AskOptions struct {
	// Asked says who asks, and what another program calls the question, its ID. If that is here
	// already, only its outcome is wanted. If it was withdrawn, as when the connection between the
	// programs breaks, or nobody saw it, it is asked again. An ID that no server of this version
	// would give is replaced. Questions of different hosts do not wait for each other.
	Asked
	// Channels are the asker's own, such as the dialog of the client that asks.
	Channels []Channel
	// Deliver, unless nil, is given the person's reply, and the broker keeps nothing of it but that
	// there was one: see [question.Answer.Delivered]. It is called at most once, and not for a
	// reply that dismisses or declines. If it returns an error, the question ends as withdrawn, and
	// the person learns the error. Such a question is not stored, because Deliver ends with this
	// process, and stays here, whatever its workspace.
	Deliver func(question.Reply) error
	// Active, unless nil, is called when the person is at the question, which the asker then keeps
	// open. It must not block.
	Active func()
}

// A RoutingError means that no server serves the workspace of a question.
type RoutingError struct {
	Path  string
	Known []string // the workspaces that are served
}

func (e *RoutingError) Error() string {
	return fmt.Sprintf("Routing Failed: no server serves %q; known workspaces: %s", e.Path, strings.Join(e.Known, ", "))
}

// Ask puts a question at the end of its workspace's queue and returns its ID. From then on the
// question waits until it has an outcome, whatever becomes of the asker. If no server serves the
// workspace, the error wraps a [RoutingError]; a full queue is [fault.Exhausted].
func (b *Broker) Ask(q question.Question, opts AskOptions) (id string, err error) {
	workspace, err := b.route(q.Workspace, opts.Deliver != nil)
	if err != nil {
		return "", err
	}
	if b.opts.Files == "" {
		q = q.WithoutFiles(false)
	}
	now := time.Now()
	a := opts.Asked
	a.ID, a.Asker = cmp.Or(knownID(a.ID), newID()), cmp.Or(a.Asker, question.ByProgram)
	a.Workspace, a.Question, a.At, a.Deadline = workspace, q, now, now.Add(q.Timeout)
	k := newAsker(a.ID, opts)
	b.mu.Lock()
	own := b.nameLocked(k.own, opts.Channels)
	b.mu.Unlock()
	return a.ID, b.apply(core.Asked{Asked: a, Own: own, Private: opts.Deliver != nil, Abroad: b.isAbroad(workspace)}, k)
}

// route finds the workspace of a question: one of this server's, or, unless it is to stay here, of
// another program's.
func (b *Broker) route(path string, local bool) (string, error) {
	here := b.workspaces
	if len(here) == 0 {
		here = []string{""} // a server without workspaces takes the questions that no other takes
	}
	if path == "" {
		return here[0], nil
	}
	known, clean := slices.Clone(here), locate(path)
	if !local && !slices.Contains(here, clean) && b.opts.Others != nil {
		known = append(known, b.opts.Others()...)
	}
	found, ok := workspace.Route(known, clean)
	switch {
	case ok:
		return found, nil
	case local:
		return here[0], nil
	}
	slices.Sort(known)
	lost := &RoutingError{Path: path, Known: slices.Compact(known)}
	return "", fault.Wrap(fault.NotFound, lost, "the question reaches nobody")
}

// isAbroad reports whether a workspace is another program's.
func (b *Broker) isAbroad(workspace string) bool {
	return workspace != "" && !slices.Contains(b.workspaces, workspace)
}

// WaitOptions say how a caller waits.
type WaitOptions struct {
	// Block is how long the caller can wait; 0 means until the question is over.
	Block time.Duration
	// Beat, unless nil, is called every [Beat] while the caller waits.
	Beat func(waited time.Duration)
	// Channels are the caller's own, for as long as it waits.
	Channels []Channel
}

// OpenError means that the caller waits no longer and the question stays open: [Broker.Collect]
// gets the answer later, possibly in a later run.
type OpenError struct {
	ID    string
	Cause error // of whose kind it is; nil if the time that the caller can wait is over
}

func (e *OpenError) Error() string {
	if e.Cause != nil {
		return e.Cause.Error()
	}
	return "the question " + e.ID + " is still open"
}

func (e *OpenError) Unwrap() error { return e.Cause }

// Collect returns the answer to a question as soon as there is one. It may be called repeatedly,
// even long after. If ctx ends first, the question stays open and the error is the cause. It is an
// [OpenError] when the time that the caller can wait is over, and when the cause is [fault.Gone] or
// the broker closes, as when the server is stopping. An unknown or forgotten ID is
// [fault.NotFound].
func (b *Broker) Collect(ctx context.Context, id string, opts WaitOptions) (question.Answer, error) {
	_, k, err := b.find(id)
	if err != nil {
		return question.Answer{}, err
	}
	if len(opts.Channels) > 0 {
		defer b.lend(id, k.own, opts.Channels)()
	}
	if opts.Block > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, opts.Block, &OpenError{ID: id})
		defer cancel()
		ctx = limited
	}
	start := time.Now()
	var beats <-chan time.Time
	if opts.Beat != nil {
		ticker := time.NewTicker(Beat)
		defer ticker.Stop()
		beats = ticker.C
	}
	for k.settled.Err() == nil { // an answer counts even if ctx has ended
		select {
		case <-k.settled.Done():
		case <-beats:
			opts.Beat(time.Since(start))
		case <-ctx.Done():
			cause := context.Cause(ctx)
			if fault.KindOf(cause) == fault.Gone {
				cause = &OpenError{id, cause}
			}
			return question.Answer{}, cause
		case <-b.stopped.Done():
			return question.Answer{}, &OpenError{id, core.ErrStopping}
		}
	}
	return k.answer, nil
}

// lend adds channels for the question of an ID, or for all, until end is called.
func (b *Broker) lend(id string, have map[uint64]Channel, channels []Channel) (end func()) {
	b.mu.Lock()
	named := b.nameLocked(have, channels)
	b.mu.Unlock()
	b.change(core.Added{ID: id, Channels: named})
	return func() {
		b.change(core.Removed{ID: id, Channels: named})
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, c := range named {
			delete(have, c.ID)
		}
	}
}

// Await collects for an asker that nobody else waits with. If ctx ends and the error would not be
// an [OpenError], the asker has disconnected: the question is withdrawn, which is then the answer.
func (b *Broker) Await(ctx context.Context, id string, wait WaitOptions) (question.Answer, error) {
	a, err := b.Collect(ctx, id, wait)
	if _, open := errors.AsType[*OpenError](err); err == nil || open || ctx.Err() == nil {
		return a, err
	}
	if err := b.Withdraw(id); err != nil {
		return question.Answer{}, err
	}
	return b.Collect(context.WithoutCancel(ctx), id, WaitOptions{})
}

// AskAndWait asks, and then waits as [Broker.Await] does.
func (b *Broker) AskAndWait(ctx context.Context, q question.Question, ask AskOptions, wait WaitOptions) (question.Answer, error) {
	id, err := b.Ask(q, ask)
	if err != nil {
		return question.Answer{}, err
	}
	return b.Await(ctx, id, wait)
}
