package display

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type Typed struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Last    int                `short:"n" default:"100" placeholder:"N" help:"How many of the newest entries at most (default: ${default})."`
	Follow  bool               `short:"f" help:"Then print what is typed from now on, until the program ends."`
	caller.JSONFlag
}

func (c Typed) Run(ctx context.Context, e caller.Env) error {
	if c.Last < 0 {
		return fault.New(fault.Invalid, "the number of entries cannot be negative")
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		session := caller.Track(ctx, r, c.Session)
		list, err := terminals.GetTyped.Do(ctx, r, terminals.Everything, terminals.TypedQuery{Target: session.Target(), Last: max(c.Last, 1)})
		if err != nil {
			return err
		}
		var last uint64
		if n := len(list); n > 0 {
			last = list[n-1].Seq
			list = list[max(n-c.Last, 0):]
		}
		if err := c.print(e, list); err != nil || !c.Follow {
			return err
		}
		return c.follow(ctx, e, session, last)
	})
}

// follow prints the entries after a number until the program has ended.
func (c Typed) follow(ctx context.Context, e caller.Env, t *caller.Tracked, last uint64) error {
	for {
		var list []wire.Typed
		err := t.Await(ctx, 0, func(to terminals.Target, most terminals.Deadline) (err error) {
			list, err = terminals.AwaitTyped.Do(ctx, t.Server, terminals.Everything, terminals.TypedWait{Target: to, After: last, Deadline: most})
			return err
		})
		switch {
		case fault.KindOf(err) == fault.Gone && fault.DetailOf(err) != caller.NoServer:
			return nil
		case err != nil:
			return err
		}
		if err := c.print(e, list); err != nil {
			return err
		}
		last = list[len(list)-1].Seq
	}
}

func (c Typed) print(e caller.Env, list []wire.Typed) error {
	for _, entry := range list {
		var err error
		if c.JSON {
			err = e.PrintJSON(entry)
		} else {
			err = e.Printf("%s  %s  %s\n", entry.At.In(time.Local).Format("2006-01-02 15:04:05"), describeSender(entry.From), describeTyped(entry))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// describeSender says who typed.
func describeSender(from wire.Sender) string {
	text := from.Kind
	if from.Name != "" {
		text += " " + safetext.Visible(from.Name)
	}
	if from.Token != "" {
		text += " with token " + safetext.Visible(from.Token)
	}
	return text
}

func describeTyped(e wire.Typed) string {
	switch {
	case e.Text == "" && e.Secret:
		return caller.Plural(e.Count, "key") + ", secret"
	case e.Text == "":
		return caller.Plural(e.Count, "key")
	case e.Kind == "keys" || e.Kind == "mouse" || e.Kind == "signal":
		return e.Kind + " " + safetext.Visible(e.Text)
	case e.Cut:
		return fmt.Sprintf("%s %s… (%d characters)", e.Kind, strconv.Quote(e.Text), e.Count)
	}
	return e.Kind + " " + strconv.Quote(e.Text)
}
