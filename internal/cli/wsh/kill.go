package wsh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type killCommand struct {
	Names []caller.SessionName `arg:"" optional:"" name:"session" help:"The sessions."`
	Tags  []caller.TagName     `name:"tag" placeholder:"TAG" help:"Kill the sessions with this tag. May be repeated."`
	All   bool                 `help:"Kill all sessions, but for those of other servers."`
	Yes   bool                 `short:"y" help:"Do not ask."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (c killCommand) Run(ctx context.Context, e caller.Env) error {
	if len(c.Names) == 0 && len(c.Tags) == 0 && !c.All {
		return fault.New(fault.Invalid, "which session? Give its name, or --tag, or --all; \"wsh list\" lists them")
	}
	for i, name := range c.Names {
		c.Names[i] = c.Of(name)
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		chosen, err := c.choose(ctx, e, r)
		if err != nil {
			return err
		}
		if len(chosen) == 0 && len(c.Tags) > 0 {
			e.Note("no session has such a tag: \"wsh list\" lists the sessions and their tags")
		}
		if busy := busyIn(ctx, e, r, chosen); len(busy) > 0 && !c.Yes {
			if err := confirm(ctx, e, "Kill "+caller.Plural(len(chosen), "session")+"? "+describeBusy(busy)); err != nil {
				return err
			}
		}
		killed := []string{}
		var failed error
		for _, s := range chosen {
			err := caller.Change(ctx, r, terminals.RemoveSession, caller.NewTracked(r, s).Target())
			if fault.KindOf(err) == fault.NotFound {
				err = nil // another client has removed it
			}
			if failed = errors.Join(failed, err); err == nil {
				killed = append(killed, s.Name)
			}
		}
		if c.JSON {
			failed = errors.Join(failed, e.PrintJSON(map[string]any{"killed": killed}))
		}
		return failed
	})
}

// choose returns the sessions to kill, or an error if one of the names or IDs does not exist.
func (c killCommand) choose(ctx context.Context, e caller.Env, r *caller.Remote) ([]wire.Session, error) {
	all, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
	if err != nil {
		return nil, err
	}
	left := map[string]bool{}
	for _, name := range c.Names {
		left[string(name)] = true
	}
	var chosen []wire.Session
	for _, s := range all {
		all := c.All && strings.EqualFold(wire.HostOf(s.Name), string(c.Server))
		if all || left[s.Name] || s.ID != "" && left[s.ID] || c.Has(s) && caller.SharesTag(s, c.Tags) {
			chosen = append(chosen, s)
		}
		delete(left, s.Name)
		delete(left, s.ID)
	}
	var missing error
	for _, name := range c.Names {
		if left[string(name)] {
			delete(left, string(name)) // it may be there twice
			s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(name))
			if err == nil { // its server has been connected to since, or it was created
				chosen = append(chosen, s)
			}
			missing = errors.Join(missing, err)
		}
	}
	slices.SortStableFunc(chosen, func(a, b wire.Session) int { // killing it ends this process
		switch {
		case isOwn(e, a):
			return 1
		case isOwn(e, b):
			return -1
		}
		return 0
	})
	return chosen, missing
}

// A busySession is one in which something runs that a person may want to keep.
type busySession struct{ name, program string }

// busyIn returns the sessions in which something runs, other than a shell that waits for a command,
// or for this one.
func busyIn(ctx context.Context, e caller.Env, r *caller.Remote, list []wire.Session) []busySession {
	var busy []busySession
	for _, s := range list {
		if !s.Running {
			continue
		}
		job, err := terminals.GetJob.Do(ctx, r, terminals.Everything, caller.NewTracked(r, s).Target())
		if err != nil || job.Shell == "prompt" || !job.Running || runsThis(e, s, job) {
			continue
		}
		b := busySession{name: s.Name, program: s.Command}
		if job.Foreground != nil && job.Foreground.Name != "" {
			b.program = job.Foreground.Name
		}
		busy = append(busy, b)
	}
	return busy
}

// isOwn reports whether this process runs in a session.
func isOwn(e caller.Env, s wire.Session) bool {
	return s.ID != "" && e.Vars.Get(registry.IDVariable) == s.ID
}

// runsThis reports whether this process is, or belongs to, the job in the foreground of a session.
func runsThis(e caller.Env, s wire.Session, job wire.Job) bool {
	return isOwn(e, s) && job.Foreground != nil && job.Foreground.PID == caller.JobID()
}

// describeBusy is a sentence about sessions in which something runs.
func describeBusy(busy []busySession) string {
	const most = 5
	var parts []string
	for i, b := range busy {
		if i == most {
			parts = append(parts, fmt.Sprintf("%d more", len(busy)-most))
			break
		}
		parts = append(parts, caller.Clip(safetext.Visible(b.program), 30)+" in "+b.name)
	}
	verb := "run"
	if len(busy) == 1 {
		verb = "runs"
	}
	text := strings.Join(parts, ", ")
	if n := len(parts); n > 1 {
		text = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return text + " still " + verb + "."
}
