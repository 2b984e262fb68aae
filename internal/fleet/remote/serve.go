package remote

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

// serve carries out what another host wants of a stream, and answers.
func (l *Link) serve(g *guest, s *served, limit terminals.Grant, first []byte) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(g.streams, s.to.Stream)
	}()
	var sending sync.WaitGroup
	sending.Go(s.run)
	defer sending.Wait()
	gone := context.AfterFunc(s.end.ctx, func() { s.stop(ErrEnded) })
	defer gone()
	out, err := l.answer(g, s, limit, first)
	if cause := context.Cause(s.ctx); cause == errWithdrawn || cause == errTooMuch || cause == errClosed && err != nil {
		err = cause
	}
	if s.write(s.end.ctx, encode(outcome{out, newFailure(err)}), true) == errTooMuch {
		_ = s.write(s.end.ctx, encode(outcome{nil, newFailure(errTooMuch)}), true) // if it fails, nobody listens any more
	}
	<-s.end.ctx.Done() // the other end has it all, or has gone
}

// answer carries out an operation, and returns its answer.
func (l *Link) answer(g *guest, s *served, limit terminals.Grant, first []byte) (json.RawMessage, error) {
	request, err := s.request(first)
	if err != nil {
		return nil, err
	}
	var o opening
	if err := json.Unmarshal(request, &o); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the request of another host")
	}
	by, err := o.By.within(limit)
	if err != nil {
		return nil, err
	}
	switch op := l.byName[o.Op]; {
	case op == nil:
		return nil, fault.With(terminals.HostLacks, fault.New(fault.Invalid, "the host does not know %.60q: it may be older", o.Op))
	case op.Kind != terminals.Stream:
		return l.call(g, s.ctx, op, by, o.In)
	default:
		return nil, s.deliver(l.o.Terminals, op, by, o.In)
	}
}

// request returns what the other host wants, given the first piece of it.
func (s *served) request(first []byte) ([]byte, error) {
	if first[0] == whole {
		return first[1:], nil
	}
	s.part = first[1:]
	s.mu.Lock()
	s.s.Answer(time.Now()) // the rest comes only then
	s.mu.Unlock()
	wake.Up(s.wake)
	request, _, err := s.read(s.ctx)
	return request, err
}

// call carries out an operation that has one answer.
func (l *Link) call(g *guest, ctx context.Context, op *terminals.Operation, by terminals.Grant, input json.RawMessage) (json.RawMessage, error) {
	l.mu.Lock()
	g.calls++
	calls := g.calls
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		g.calls--
	}()
	if calls > MaxCalls {
		return nil, fault.New(fault.Exhausted, "%d operations of your host are under way there: wait for some of them", MaxCalls)
	}
	in, out := op.New()
	if err := json.Unmarshal(input, in); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "the input of %s", op.Name)
	}
	if op.Kind == terminals.Query {
		select {
		case g.queries <- struct{}{}: // an answer that is being made counts nowhere else
			defer func() { <-g.queries }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	err := l.o.Terminals.Do(ctx, by, op, in, out)
	return encode(out), err
}
