package app

import "ui-mcp/internal/fault"

// A State is where the life of an [App] is. What leads from one to another:
//
//	            configure           start
//	UNCONFIGURED ──────> CONFIGURED ──────> RUNNING
//	                         ^  │ configure    │
//	                         └──┴──<───────────┘ configure
type State uint8

const (
	Unconfigured State = iota // there is no base directory yet
	Configured                // the base directory is ready; nothing is served
	Running                   // pages can be opened, scripts run
)

// String is the state as ui_status tells it.
func (s State) String() string {
	return [...]string{Unconfigured: "unconfigured", Configured: "configured", Running: "running"}[s]
}

// needs says why an operation cannot be done that needs the state want, or a later one.
func (s State) needs(want State) error {
	switch {
	case s >= want:
		return nil
	case s == Unconfigured:
		return fault.New(fault.Precondition, "Server not configured: call ui_configure first")
	default:
		return fault.New(fault.Precondition, "Server not started: call ui_start first")
	}
}

// start says why an app in this state cannot be started.
func (s State) start(url string) error {
	if s == Running {
		return fault.New(fault.Precondition, "Server already running: it is at %s", url)
	}
	return s.needs(Configured)
}
