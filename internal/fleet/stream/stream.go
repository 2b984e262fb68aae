// Package stream carries messages between two ends, each once and in order, over a network that may
// lose, repeat and reorder packets, and that may be away for a while. It limits how many bytes are
// under way, so a fast end does not fill the memory of a slow one or of what lies between.
//
// It is a model: it sends nothing, starts no goroutine and reads no clock. Its owner gives it the
// packets that arrive and the time, and sends the packets that it asks to be sent.
//
// It is a sliding window with cumulative acknowledgements and go-back-N: packets that arrive early
// are dropped and the first missing one is asked for. That suits networks which
// keep the order of a publisher, and lose packets in runs, while a connection is away.
package stream

import (
	"time"

	"ui-mcp/internal/fault"
)

const (
	// MaxMessage is the length of the longest message, in bytes.
	MaxMessage = 64 << 10
	// Window is how many bytes of messages one end takes before its owner has read them. A message
	// counts its bytes and overhead. The last one may exceed it.
	Window = 256 << 10
	// overhead is what a message counts beside its bytes, so that empty ones are limited, too.
	overhead = 64

	// Alive is the longest time between two packets of an end while nothing is to be sent.
	Alive = 5 * time.Second
	// Silence is how long an end may say nothing until the other one takes it for gone.
	Silence = 20 * time.Second
	// ackWithin is how long an acknowledgement may wait for a message that carries it.
	ackWithin = 100 * time.Millisecond
	// resendFrom and resendTo are the shortest and the longest time until what is not acknowledged
	// is sent again, and resendFirst is the time before it is known how long acknowledgements take.
	resendFrom, resendFirst, resendTo = 400 * time.Millisecond, time.Second, 4 * time.Second
)

// A kind says what a packet has beside its acknowledgement.
type kind byte

const (
	status  kind = iota // nothing
	message             // a message
	end                 // the last message: the sender sends none after it
)

// A Stream is one end. It is not safe for concurrent use.
type Stream struct {
	// What this end sends.
	unacked  []sent // the first has number acked+1
	acked    uint64 // number of the last message that the other end has
	toSend   int    // index in unacked of the first message to send now
	sent     uint64 // number of the last message that was ever sent
	used     uint64 // bytes that all messages written so far count
	pending  uint64 // bytes that those in unacked count
	allowed  uint64 // up to which number of bytes the other end takes them
	ended    bool   // the last message was written
	resendIn time.Duration
	resendAt time.Time     // zero: nothing under way
	trip     time.Duration // how long acknowledgements take: an average; 0: unknown
	varies   time.Duration // by how much: an average

	// What it receives.
	received  uint64 // number of the last message in order
	arrived   uint64 // bytes that the messages up to that count
	inbox     [][]byte
	read      uint64    // bytes that the messages which the owner has read count
	announced uint64    // the limit that the other end was told
	finished  bool      // the other end's last message has arrived
	missing   bool      // a message has arrived early: say so
	ackAt     time.Time // when to acknowledge; zero: there is nothing to acknowledge

	heard, spoke time.Time
}

// A sent is a message that the other end may not have.
type sent struct {
	kind kind
	data []byte
	at   time.Time // when it was sent, if only once; otherwise zero
}

// New returns an end of a stream that begins at the given time.
func New(now time.Time) *Stream {
	return &Stream{allowed: Window, announced: Window, resendIn: resendFirst, heard: now, spoke: now}
}

// cost returns what a message counts.
func cost(b []byte) uint64 { return uint64(len(b)) + overhead }

// Write sends a message of at most [MaxMessage] bytes, which must not change any more. It returns
// false, and does nothing, while the other end takes no more, or after [Stream.End].
func (s *Stream) Write(b []byte) bool {
	// The other end may say that it takes any number of bytes. Here, no more are kept than one of
	// these ever takes.
	return s.pending+cost(b) <= Window && s.write(message, b)
}

// End sends a last message. It waits for nothing: only what the other end has not read yet can keep
// it from arriving. Later calls do nothing.
func (s *Stream) End(b []byte) {
	if !s.ended {
		s.allowed = max(s.allowed, s.used+cost(b))
		s.write(end, b)
		s.ended = true
	}
}

func (s *Stream) write(k kind, b []byte) bool {
	if s.ended || s.used+cost(b) > s.allowed {
		return false
	}
	s.used += cost(b)
	s.pending += cost(b)
	s.unacked = append(s.unacked, sent{kind: k, data: b})
	return true
}

// Idle reports whether the other end has all that was written.
func (s *Stream) Idle() bool { return len(s.unacked) == 0 }

// Read returns the next message of the other end, and false if none has arrived.
func (s *Stream) Read() ([]byte, bool) {
	if len(s.inbox) == 0 {
		return nil, false
	}
	b := s.inbox[0]
	s.inbox[0] = nil
	s.inbox = s.inbox[1:]
	s.read += cost(b)
	return b, true
}

// Kept returns how many bytes are kept of what has arrived and was not read, and of what the other
// end may not have. Messages count their overhead.
func (s *Stream) Kept() int { return int(s.arrived - s.read + s.pending) }

// Finished reports whether the last message of the other end has arrived, and was read.
func (s *Stream) Finished() bool { return s.finished && len(s.inbox) == 0 }

// Gone reports whether the other end has been silent for [Silence].
func (s *Stream) Gone(now time.Time) bool { return !now.Before(s.GoneAt()) }

// GoneAt returns the time from which on Gone reports true if nothing arrives until then.
func (s *Stream) GoneAt() time.Time { return s.heard.Add(Silence) }

// Receive takes a packet of the other end, which must not change any more. The error is of kind
// Invalid: the other end is not one of these, and the stream is useless.
func (s *Stream) Receive(packet []byte, now time.Time) error {
	p, err := parse(packet)
	if err != nil {
		return err
	}
	if p.ack > s.acked+uint64(len(s.unacked)) {
		return fault.New(fault.Invalid, "message %d was acknowledged, and was not sent", p.ack)
	}
	s.heard = now
	if p.ack > s.acked {
		n := int(p.ack - s.acked)
		s.measure(s.unacked[n-1].at, now)
		for _, m := range s.unacked[:n] {
			s.pending -= cost(m.data)
		}
		clear(s.unacked[:n])
		s.unacked = s.unacked[n:]
		s.toSend = max(s.toSend-n, 0)
		s.acked = p.ack
		s.resendIn, s.resendAt = s.patience(), time.Time{}
		if s.toSend > 0 {
			s.resendAt = now.Add(s.resendIn)
		}
	}
	s.allowed = max(s.allowed, p.allowed)
	if p.missing && p.ack == s.acked {
		s.toSend = 0
	}
	switch {
	case p.kind == status:
	case p.number == s.received+1 && !s.finished:
		if s.arrived += cost(p.data); p.kind == message && s.arrived > s.announced {
			return fault.New(fault.Invalid, "more was sent than this end takes")
		}
		s.received++
		s.inbox = append(s.inbox, p.data)
		s.finished = p.kind == end
		s.missing = false
		s.acknowledge(now.Add(ackWithin))
	case p.number > s.received+1:
		s.missing = true
		s.acknowledge(now)
	default: // once more: its acknowledgement was lost
		s.acknowledge(now)
	}
	return nil
}

// measure learns how long acknowledgements take from a message that is acknowledged now. Its time
// is zero if it was sent more than once: then nobody knows which packet is acknowledged.
func (s *Stream) measure(sent, now time.Time) {
	if sent.IsZero() {
		return
	}
	took := now.Sub(sent)
	if s.trip == 0 {
		s.trip, s.varies = took, took/2
		return
	}
	s.varies += ((s.trip - took).Abs() - s.varies) / 4
	s.trip += (took - s.trip) / 8
}

// patience returns how long an acknowledgement may take.
func (s *Stream) patience() time.Duration {
	if s.trip == 0 {
		return resendFirst
	}
	return min(max(s.trip+4*s.varies, resendFrom), resendTo)
}

// acknowledge has an acknowledgement sent by the given time.
func (s *Stream) acknowledge(by time.Time) {
	if s.ackAt.IsZero() || by.Before(s.ackAt) {
		s.ackAt = by
	}
}

// Answer has a packet sent now, so that the other end knows that this one is there.
func (s *Stream) Answer(now time.Time) { s.acknowledge(now) }

// Packets returns the packets to send now. The owner calls it after each of the other methods, and
// at the time that [Stream.Wake] returns.
func (s *Stream) Packets(now time.Time) [][]byte {
	if !s.resendAt.IsZero() && !now.Before(s.resendAt) {
		s.toSend = 0
		s.resendIn = min(2*s.resendIn, resendTo)
	}
	var packets [][]byte
	for ; s.toSend < len(s.unacked); s.toSend++ {
		m := &s.unacked[s.toSend]
		if number := s.acked + 1 + uint64(s.toSend); number > s.sent {
			s.sent, m.at = number, now
		} else {
			m.at = time.Time{}
		}
		packets = append(packets, s.packet(packet{kind: m.kind, number: s.acked + 1 + uint64(s.toSend), data: m.data}))
		s.resendAt = now.Add(s.resendIn)
	}
	// The other end learns of room when half of the window is free, so that it need not wait.
	room := s.read + Window
	if len(packets) == 0 && (!s.ackAt.IsZero() && !now.Before(s.ackAt) || room-s.announced >= Window/2 || now.Sub(s.spoke) >= Alive) {
		packets = append(packets, s.packet(packet{kind: status}))
	}
	if len(packets) > 0 {
		s.ackAt, s.spoke = time.Time{}, now
	}
	return packets
}

// Wake returns the time at which [Stream.Packets] will have something to send, or [Stream.Gone]
// reports that the other end is gone, although nothing has happened before.
func (s *Stream) Wake() time.Time {
	t := s.spoke.Add(Alive)
	for _, other := range []time.Time{s.ackAt, s.resendAt, s.GoneAt()} {
		if !other.IsZero() && other.Before(t) {
			t = other
		}
	}
	return t
}

// packet completes a packet with what each has, and writes it.
func (s *Stream) packet(p packet) []byte {
	p.ack, p.allowed, p.missing = s.received, s.read+Window, s.missing
	s.announced = p.allowed
	s.missing = false
	return p.append(make([]byte, 0, 24+len(p.data)))
}
