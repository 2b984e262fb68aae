package core

import "slices"

// Permits are which senders persons have allowed to type, and whom they are being asked about.
type Permits struct {
	Ask     bool     // persons are asked who may type
	Allowed []Sender // to type always; without their addresses, which change
	Asking  uint64   // the [AwaitPermit] about whose sender persons are being asked; 0: none
}

type (
	// AwaitPermit waits until it is known whether a sender may type always, or until persons can be
	// asked about it: about one sender at a time. The answer is a [Turn].
	AwaitPermit struct {
		ID   uint64
		From Sender
	}
	// Permit ends the turn of an answered [AwaitPermit]. With Always, the sender may type always.
	Permit struct {
		ID     uint64
		From   Sender
		Always bool
	}
)

// Turn is the answer to [AwaitPermit]. Unless the sender is Allowed, the caller has to ask persons,
// and then to give a [Permit] or a [Cancel].
type Turn struct{ Allowed bool }

func (in AwaitPermit) apply(s *Session) error {
	in.From.Peer = ""
	return s.wait(&wait{ID: in.ID, Permit: &in})
}

func (in *AwaitPermit) look(s *Session) (verdict, Result, error) {
	p := &s.Permits
	switch {
	case p.Asking != 0:
		return verdict{}, nil, nil
	case slices.Contains(p.Allowed, in.From):
		return verdict{}, Turn{Allowed: true}, nil
	}
	p.Asking = in.ID
	return verdict{}, Turn{}, nil
}

func (in Permit) apply(s *Session) error {
	in.From.Peer = ""
	if in.Always && !slices.Contains(s.Permits.Allowed, in.From) {
		s.Permits.Allowed = append(s.Permits.Allowed, in.From.clone())
	}
	s.endTurn(in.ID)
	return nil
}

// endTurn lets persons be asked about the next sender.
func (s *Session) endTurn(id uint64) {
	if s.Permits.Asking == id {
		s.Permits.Asking = 0
		s.notify()
	}
}
