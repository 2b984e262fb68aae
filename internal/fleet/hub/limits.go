package hub

import "time"

// The limits of a hub. Those of a connection hold for hosts that are not accepted, too.
const (
	// MaxConnections is how many connections there may be, unless told otherwise.
	MaxConnections = 10_000
	// MaxPayload is the length of the longest message, in bytes.
	MaxPayload = 256 << 10
	// MaxPending is how many bytes may wait for a host that reads slowly, before it is cut off.
	MaxPending = 16 << 20
	// MaxSubscriptions is how many subscriptions a connection has, and MaxTokens how many parts the
	// subject of one.
	MaxSubscriptions = 16
	MaxTokens        = 8
	// AuthTimeout is how long a connection may take to prove which key it has, and to begin TLS.
	AuthTimeout = 2 * time.Second
	// WriteDeadline is how long a host may take no bytes, and PingInterval how often it must prove
	// that it is there: after three without an answer, it is cut off.
	WriteDeadline = 10 * time.Second
	PingInterval  = 10 * time.Second
)
