// Package hub is a server of NATS through which hosts reach each other: it carries their messages,
// and lets in those whose keys are accepted. It knows nothing of terminals.
//
// The server itself is built in only with the tag "hub", since it adds half of the size of the
// program; what clients of it need, and the settings for another server of NATS, always are.
package hub

import (
	"time"

	"ui-mcp/internal/fleet/keys"
)

// A Status is what a hub says about itself.
type Status struct {
	Address string   `json:"address"`
	TLS     bool     `json:"tls"`
	Members []Member `json:"members"`
	Asking  []Asker  `json:"asking"`
	// Unlisted is how often hosts have asked that are not listed, since too many ask.
	Unlisted int `json:"unlisted"`
}

// A Member is a host that is accepted.
type Member struct {
	keys.Entry
	Connected bool `json:"connected"`
	// Twice says that several programs have used the key within the last minutes, each of which has
	// cut off the other.
	Twice bool `json:"twice"`
}

// An Asker is a host that has proved that it has its key, which is not accepted.
type Asker struct {
	Key     string    `json:"key"`
	Name    string    `json:"name"` // which it claims
	Address string    `json:"address"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	// Older says that an older version has accepted it, which knew no roles. It has not asked since
	// this hub started.
	Older bool `json:"older,omitempty"`
}
