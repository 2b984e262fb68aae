package attaching

import (
	"context"
	"time"

	"ui-mcp/internal/cli/attach/chooser"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

// listPause is the time between two looks at the sessions while a person chooses one.
const listPause = 300 * time.Millisecond

// showSessions calls show with the server's sessions that can be attached to, or why they are
// unknown, again and again until ctx ends.
func showSessions(ctx context.Context, e caller.Env, show func([]chooser.Session, error)) {
	for ctx.Err() == nil {
		show(nil, e.WithServer(ctx, func(r *caller.Remote) error {
			for {
				list, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
				if err != nil {
					return err
				}
				show(choices(list), nil)
				_ = wake.After(ctx, listPause)
			}
		}))
		_ = wake.After(ctx, listPause)
	}
}

func choices(list []wire.Session) []chooser.Session {
	var out []chooser.Session
	for _, s := range list {
		if !s.Running || s.LastKnownMS != nil {
			continue
		}
		c := chooser.Session{ID: s.ID, Name: s.Name, State: s.State, Needs: s.Call().String(), Doing: s.Command, Tags: caller.TagsOf(s)}
		if last := s.LastCommand; last != nil && last.Line != "" {
			c.Doing = last.Line
		}
		c.Doing = caller.Clip(safetext.Visible(c.Doing), 200)
		out = append(out, c)
	}
	return out
}

// rename gives a session another name.
func rename(ctx context.Context, e caller.Env, id, name string) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		_, err := terminals.UpdateSession.Do(ctx, r, terminals.Everything, terminals.NewLabel{Target: terminals.Target{Session: id}, Name: &name})
		return err
	})
}
