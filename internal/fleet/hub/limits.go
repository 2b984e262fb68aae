package hub

import "time"

// The limits of a hub. Those of a connection hold for hosts that are not accepted, too.
const (
	// MaxConnections is how many connections there may be, unless told otherwise.
	MaxConnections = 10_000
	// maxPayload is the length of the longest message, in bytes.
	maxPayload = 256 << 10
	// maxPending is how many bytes may wait for a host that reads slowly, before it is cut off.
	maxPending = 16 << 20
	// maxSubscriptions is how many subscriptions a connection has, and maxTokens how many parts the
	// subject of one.
	maxSubscriptions = 16
	maxTokens        = 8
	// authTimeout is how long a connection may take to prove which key it has, and to begin TLS.
	authTimeout = 2 * time.Second
	// writeDeadline is how long a host may take no bytes, and pingInterval how often it must prove
	// that it is there: after three without an answer, it is cut off.
	writeDeadline = 10 * time.Second
	pingInterval  = 10 * time.Second
)
