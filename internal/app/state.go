package app

import "ui-mcp/internal/fault"

// A State is a state of the life cycle of an [App]:
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

// String is the state as ui_status reports it.
func (s State) String() string {
	return [...]string{Unconfigured: "unconfigured", Configured: "configured", Running: "running"}[s]
}

// require returns the error of an operation that needs the state want or a later one, or nil. The
// first line of each error is fixed: agents act on it. What follows is a hint.
func (s State) require(want State) error {
	switch {
	case s >= want:
		return nil
	case s == Unconfigured:
		return fault.New(fault.Precondition, "Server not configured\ncall ui_configure first")
	default:
		return fault.New(fault.Precondition, "Server not started\ncall ui_start first")
	}
}

// Configured returns the error "Server not configured" until there is a base directory.
func (a *App) Configured() error {
	state, _, _ := a.now()
	return state.require(Configured)
}

// checkStart returns why an app in this state cannot be started, or nil. url is the address of a
// running app.
func (s State) checkStart(url string) error {
	if s == Running {
		return fault.New(fault.Precondition, "Server already running\nit is at %s", url)
	}
	return s.require(Configured)
}
