package wire

import "ui-mcp/internal/term/registry"

// A Lifecycle is a change of a session.
type Lifecycle struct {
	Event  string          `json:"event" jsonschema:"session_created, session_renamed, session_tags_changed, session_state_changed, session_destroyed or session_removed"`
	Params LifecycleParams `json:"params"`
}

// LifecycleParams describe the session after the change.
type LifecycleParams struct {
	Session
	OldName string   `json:"old_name,omitempty" jsonschema:"of a renamed session"`
	NewName string   `json:"new_name,omitempty" jsonschema:"of a renamed session"`
	Added   []string `json:"added,omitzero" jsonschema:"tags"`
	Removed []string `json:"removed,omitzero" jsonschema:"tags"`
}

// lifecycleEvents are the names of changes. To clients of the known server, a session whose program
// has ended is destroyed; here it can still be read until it is removed.
var lifecycleEvents = map[registry.Change]string{
	registry.Created: "session_created", registry.Renamed: "session_renamed", registry.Tagged: "session_tags_changed", registry.Switched: "session_state_changed",
	registry.Ended: "session_destroyed", registry.Removed: "session_removed",
}

// NewLifecycle returns a change of a session of the server with that host name as JSON.
func NewLifecycle(e registry.Event, server string) Lifecycle {
	v := Lifecycle{lifecycleEvents[e.Change], LifecycleParams{Session: NewSession(e.Info, server)}}
	switch e.Change {
	case registry.Renamed:
		v.Params.OldName, v.Params.NewName = e.OldName, e.Info.Name
	case registry.Tagged:
		v.Params.Added, v.Params.Removed = orEmpty(e.Added), orEmpty(e.Removed)
	}
	return v
}
