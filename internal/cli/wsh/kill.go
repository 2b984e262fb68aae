package wsh

import (
	"cmp"
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
	chosen := slices.DeleteFunc(slices.Clone(all), func(s wire.Session) bool {
		return !c.names(s) && !(c.All && strings.EqualFold(wire.HostOf(s.Name), string(c.Server))) && !(c.Has(s) && caller.SharesTag(s, c.Tags))
	})
	var missing error
	for _, name := range slices.Compact(slices.Sorted(slices.Values(c.Names))) {
		if slices.ContainsFunc(chosen, func(s wire.Session) bool { return s.Name == string(name) || s.ID == string(name) }) {
			continue
		}
		s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(name))
		if err == nil { // its server has been connected to since, or it was created
			chosen = append(chosen, s)
		}
		missing = errors.Join(missing, err)
	}
	if i := slices.IndexFunc(chosen, func(s wire.Session) bool { return isOwn(e, s) }); i >= 0 { // killing it ends this process
		own := chosen[i]
		chosen = append(slices.Delete(chosen, i, i+1), own)
	}
	return chosen, missing
}

// names reports whether a session was named, or its ID.
func (c killCommand) names(s wire.Session) bool {
	return slices.Contains(c.Names, caller.SessionName(s.Name)) || slices.Contains(c.Names, caller.SessionName(s.ID))
}

// busyIn returns what runs in sessions, other than a shell that waits for a command, or for this
// one: "make in build".
func busyIn(ctx context.Context, e caller.Env, r *caller.Remote, list []wire.Session) (busy []string) {
	for _, s := range list {
		if !s.Running {
			continue
		}
		job, err := terminals.GetJob.Do(ctx, r, terminals.Everything, caller.NewTracked(r, s).Target())
		if err != nil || job.Shell == "prompt" || !job.Running || runsThis(e, s, job) {
			continue
		}
		program := s.Command
		if job.Foreground != nil {
			program = cmp.Or(job.Foreground.Name, program)
		}
		busy = append(busy, caller.Clip(safetext.Visible(program), 30)+" in "+s.Name)
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
func describeBusy(busy []string) string {
	const most = 5
	parts, verb := busy, "run"
	switch n := len(busy); {
	case n == 1:
		verb = "runs"
	case n > most:
		parts = append(slices.Clone(busy[:most]), fmt.Sprintf("%d more", n-most))
	}
	text := strings.Join(parts, ", ")
	if n := len(parts); n > 1 {
		text = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return text + " still " + verb + "."
}
