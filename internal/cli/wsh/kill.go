package wsh

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
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
		if busy := busyIn(e, chosen); busy != "" && !c.Yes {
			if err := confirm(ctx, e, "Kill "+caller.Plural(len(chosen), "session")+"? "+busy); err != nil {
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

// busyIn says in which sessions something runs, other than a shell that waits for a command, and
// this command itself, or "".
func busyIn(e caller.Env, list []wire.Session) string {
	var busy []string
	for _, s := range list {
		if s.Running && s.State != string(core.StatePrompt) && !isOwn(e, s) {
			busy = append(busy, s.Name)
		}
	}
	if busy == nil {
		return ""
	}
	return "Something runs in " + caller.Clip(strings.Join(busy, ", "), 100) + "."
}

// isOwn reports whether this process runs in a session.
func isOwn(e caller.Env, s wire.Session) bool {
	return s.ID != "" && e.Vars.Get(registry.IDVariable) == s.ID
}
