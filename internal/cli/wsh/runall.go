package wsh

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// A machineRun is what has become of a command on one machine.
type machineRun struct {
	Server     string     `json:"server"`
	Session    string     `json:"session,omitempty"`
	Exit       *wire.Exit `json:"exit,omitempty"` // left out: how it ended is not known, or it runs
	DurationMS int64      `json:"duration_ms,omitempty"`
	LastLine   string     `json:"last_line,omitempty"`
	Error      string     `json:"error,omitempty"`

	name   string // of the session to be created
	unsure bool   // the command may run, although there is an error
	unfit  bool   // the machine has other labels
}

// outcome says in a word or two what has become of the command.
func (m *machineRun) outcome() string {
	switch {
	case m.Exit != nil && m.Exit.Signal != "":
		return m.Exit.Signal
	case m.Exit != nil:
		return fmt.Sprintf("exit %d", m.Exit.Code)
	case m.unsure:
		return "unknown"
	case m.Error != "":
		return "not run"
	}
	return "started"
}

// failed reports whether the command has not succeeded, as far as is known.
func (m *machineRun) failed() bool { return m.Error != "" || m.Exit != nil && m.Exit.Code != 0 }

// runAll runs a command on every machine that has the labels, at the same time, and prints what has
// become of it. The status is 0 if it has succeeded on all.
func (c runCommand) runAll(ctx context.Context, e env, r *remote, in terminals.NewSession) error {
	runs, err := c.machines(ctx, r)
	if err != nil {
		return err
	}
	signalled := ctx
	ctx = context.WithoutCancel(ctx) // the commands get the first signal, and the second ends this process
	var mu sync.Mutex                // guards left
	left := len(runs)
	var running sync.WaitGroup
	for _, m := range runs {
		running.Go(func() {
			if m.Error == "" {
				c.runOn(ctx, signalled, r, in, m)
			}
			mu.Lock()
			defer mu.Unlock()
			if left--; left > 0 && !c.JSON && commandline.IsTerminal(e.Err) {
				e.note("%s: %s; %s to go", safetext.Visible(m.Server), m.outcome(), plural(left, "machine"))
			}
		})
	}
	running.Wait()
	runs = slices.DeleteFunc(runs, func(m *machineRun) bool { return m.unfit })
	if len(runs) == 0 {
		return terminals.UnknownLabels(c.All)
	}
	if err := c.printRuns(e, runs); err != nil {
		return err
	}
	if slices.ContainsFunc(runs, (*machineRun).failed) {
		return &commandline.StatusError{Status: commandline.ExitFailure}
	}
	return nil
}

// machines returns the machines that have the labels, as far as this server knows: its own first,
// and then the others by name. Those that cannot be reached have an error.
func (c runCommand) machines(ctx context.Context, r *remote) (runs []*machineRun, err error) {
	here, _, err := call(ctx, r, terminals.GetServer, terminals.None{})
	if err != nil {
		return nil, err
	}
	others, err := settled(ctx, r)
	if err != nil {
		return nil, err
	}
	fits := func(has []string) bool {
		return !slices.ContainsFunc(c.All, func(l string) bool { return !slices.Contains(has, l) })
	}
	if fits(here.Labels) {
		runs = append(runs, &machineRun{Server: here.Hostname, name: here.Hostname + "/" + string(c.Name)})
	}
	for _, s := range others {
		if s.Hostname == "" || s.Labels != nil && !fits(s.Labels) || s.Labels == nil && s.Health != terminals.Healthy {
			continue // or it says itself whether it has the labels
		}
		if s.Allowed == "none" {
			continue // a host of a hub that has come by itself
		}
		m := &machineRun{Server: s.Hostname, name: s.Hostname + "/" + string(c.Name)}
		if s.Health != terminals.Healthy {
			m.Error = "it cannot be reached: " + s.Reason
		}
		runs = append(runs, m)
	}
	return runs, nil
}

// settleTime is how long the first connections to other servers may take. This server may just have
// been started, and knows no labels of theirs yet.
const settleTime = 5 * time.Second

// settled returns the other servers, when each has answered or was tried.
func settled(ctx context.Context, r *remote) ([]terminals.KnownServer, error) {
	for late := time.Now().Add(settleTime); ; pause(ctx, addPause) {
		list, _, err := call(ctx, r, terminals.ListServers, terminals.None{})
		if err != nil || ctx.Err() != nil || time.Now().After(late) || !slices.ContainsFunc(list, func(s terminals.KnownServer) bool {
			return s.Health == terminals.Connecting && s.ID == ""
		}) {
			return list, err
		}
	}
}

// runOn runs the command on one machine.
func (c runCommand) runOn(ctx, signalled context.Context, r *remote, in terminals.NewSession, m *machineRun) {
	in.Name, in.On, in.Record = m.name, c.All, false
	began := time.Now()
	s, err := terminals.CreateSession.Do(ctx, r, terminals.Everything, in)
	if m.unfit = fault.DetailOf(err) == terminals.NoHost; err != nil {
		m.fail(err)
		return
	}
	m.Session = s.Name
	if c.Background {
		return
	}
	session := newTracked(r, s)
	defer context.AfterFunc(signalled, func() {
		_ = passOn(ctx, session, context.Cause(signalled)) // the program may just have ended
	})()
	exit, err := session.awaitExit(ctx)
	m.DurationMS = time.Since(began).Milliseconds()
	if err != nil {
		m.fail(err)
		m.unsure = true
		return
	}
	m.Exit = &exit
	m.LastLine = lastLine(ctx, session)
	if !c.keeps() {
		if err := removeUnnamed(ctx, session); err != nil {
			m.fail(err)
		}
	}
}

// fail takes note of an error. What was asked of a machine that has not answered may have been
// done.
func (m *machineRun) fail(err error) {
	m.Error, m.unsure = err.Error(), fault.DetailOf(err) == terminals.HostSilent
}

// lastLine returns the last line of a session that is not empty, or "" if it cannot be read: how
// the command ended is known all the same.
func lastLine(ctx context.Context, t *tracked) string {
	var p page
	err := t.do(ctx, func(to terminals.Target) error {
		in := terminals.ScrollbackQuery{Target: to, Formatted: terminals.Formatted{Format: wireFormat("plain")}, Tail: new(uint64(100))}
		return t.server.Do(ctx, terminals.Everything, &terminals.GetScrollback.Operation, &in, &p)
	})
	if err != nil {
		return ""
	}
	all := strings.Split(strings.TrimRight(string(p.Lines.text()), "\n "), "\n")
	return strings.TrimRight(all[len(all)-1], " ")
}

// printRuns prints what has become of the command on each machine.
func (c runCommand) printRuns(e env, runs []*machineRun) error {
	if c.JSON {
		return e.printJSON(runs)
	}
	t := table{shortened: 3}
	if e.isColoured() {
		t.paint = paintOutcome
	}
	for _, m := range runs {
		took, last := "-", safetext.Visible(m.LastLine)
		if m.DurationMS > 0 {
			took = (time.Duration(m.DurationMS) * time.Millisecond).Round(100 * time.Millisecond).String()
		}
		switch {
		case m.Error != "":
			last = safetext.Visible(m.Error)
		case c.Background || c.keeps():
			last = strings.TrimSpace(safetext.Visible(m.Session) + "  " + last)
		}
		t.add(safetext.Visible(m.Server), m.outcome(), took, last)
	}
	return t.print(e.Out)
}

// paintOutcome colours what has not succeeded.
func paintOutcome(column int, cell string) string {
	if column != 1 || cell == "exit 0" || cell == "started" {
		return cell
	}
	return "\x1b[31m" + cell + "\x1b[m"
}
