package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// An outcome is what has become of a command on one machine, or of a wait for one session.
type outcome struct {
	Server     string     `json:"server,omitempty"`
	Session    string     `json:"session,omitempty"`
	Outcome    string     `json:"outcome"`        // in a word or two; "unknown" if nobody has seen it
	Exit       *wire.Exit `json:"exit,omitempty"` // left out: how it ended is not known, or it runs
	DurationMS int64      `json:"duration_ms,omitempty"`
	LastLine   string     `json:"last_line,omitempty"`
	LastSeen   string     `json:"last_seen,omitempty"` // of an unknown outcome: the last state that was seen
	Error      string     `json:"error,omitempty"`

	name string // of the session, or of the one to be created
	late bool   // the time to wait was over
}

const (
	unknown = "unknown" // it may have happened or not
	started = "started"
	late    = "late"
)

// ended takes note of how a program has ended.
func (o *outcome) ended(exit wire.Exit) {
	o.Exit = &exit
	if o.Outcome = fmt.Sprintf("exit %d", exit.Code); exit.Signal != "" {
		o.Outcome = exit.Signal
	}
}

// fail takes note of an error, after which the outcome is a word, or unknown: what was asked of a
// machine that has not answered may have been done.
func (o *outcome) fail(word string, err error) {
	if o.Outcome, o.Error = word, err.Error(); fault.DetailOf(err) == terminals.HostSilent {
		o.Outcome = unknown
	}
}

// lost is fail for something that went on when the error came. It looks up what was seen last.
func (o *outcome) lost(ctx context.Context, r *caller.Remote, err error) {
	o.fail(unknown, err)
	list, err := caller.SessionsOf(ctx, r)
	if err != nil {
		return
	}
	i := slices.IndexFunc(list, func(s wire.Session) bool { return s.Name == o.Session })
	switch {
	case i < 0:
	case list[i].LastKnownMS != nil:
		o.LastSeen = fmt.Sprintf("%s %s ago", caller.StateOf(list[i]), caller.Ago(*list[i].LastKnownMS))
	default:
		o.LastSeen = caller.StateOf(list[i]) + " now" // it is back
	}
}

// failed reports whether it has not succeeded, as far as is known.
func (o *outcome) failed() bool {
	return o.Error != "" && !o.late || o.Exit != nil && o.Exit.Code != 0
}

// all calls f for each outcome at the same time.
func all(list []*outcome, f func(*outcome)) {
	var running sync.WaitGroup
	for _, o := range list {
		running.Go(func() { f(o) })
	}
	running.Wait()
}

// label is what a line begins with: the machine, or the session if that was to be waited for.
func (o *outcome) label() string {
	if o.Server != "" {
		return o.Server
	}
	return o.name
}

// printOutcomes prints a line for each outcome. Names of sessions on machines are printed if they
// are of use afterwards.
func printOutcomes(e caller.Env, list []*outcome, json bool) error {
	if json {
		return e.PrintJSON(list)
	}
	t := caller.Table{Shortened: 3, Coloured: 1, Colour: colourOfOutcome}
	for _, o := range list {
		took, last := "-", safetext.Visible(o.LastLine)
		if o.DurationMS > 0 {
			took = (time.Duration(o.DurationMS) * time.Millisecond).Round(100 * time.Millisecond).String()
		}
		switch {
		case o.LastSeen != "":
			last = fmt.Sprintf("%s; last seen: %s", safetext.Visible(o.Error), safetext.Visible(o.LastSeen))
		case o.Error != "":
			last = safetext.Visible(o.Error)
		case o.Session != "" && o.Server != "":
			last = strings.TrimSpace(safetext.Visible(o.Session) + "  " + last)
		}
		t.Add(safetext.Visible(o.label()), o.Outcome, took, last)
	}
	return t.Print(e)
}

// colourOfOutcome colours what has not succeeded.
func colourOfOutcome(outcome string) string {
	switch {
	case outcome == unknown || outcome == late:
		return "33"
	case strings.HasPrefix(outcome, "exit ") && outcome != "exit 0", strings.HasPrefix(outcome, "SIG"), outcome == notRun, outcome == "failed":
		return "31"
	}
	return ""
}

// statusOf returns the error for the status: 1 if one has failed or is not known, or else 124 if
// one was late.
func statusOf(list []*outcome) error {
	switch {
	case slices.ContainsFunc(list, (*outcome).failed):
		return &commandline.StatusError{Status: commandline.ExitFailure}
	case slices.ContainsFunc(list, func(o *outcome) bool { return o.late }):
		return &commandline.StatusError{Status: exitLate}
	}
	return nil
}
