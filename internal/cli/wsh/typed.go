package wsh

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type typedCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Last    int         `short:"n" default:"100" placeholder:"N" help:"How many of the newest entries at most (default: ${default})."`
	Follow  bool        `short:"f" help:"Then print what is typed from now on, until the program ends."`
	jsonFlag
}

func (typedCommand) Help() string {
	return `Each line is an entry: when, through what and by whom it was typed, what it is (text, keys, paste, mouse, line or signal), and the text. Programs say themselves what their names are. A session keeps the newest 1,000 entries.

Secrets are only counted, and so are the keys of people at attached terminals, which are private; agents type in their name, so their input is kept. With --json, each entry is a line.

    wsh typed build
    wsh typed build --follow --json`
}

func (c typedCommand) run(ctx context.Context, e env) error {
	if c.Last < 0 {
		return fault.New(fault.Invalid, "the number of entries cannot be negative")
	}
	return e.withServer(ctx, func(r *remote) error {
		session := track(ctx, r, c.Session)
		list, err := terminals.GetTyped.Do(ctx, r, terminals.Everything, terminals.TypedQuery{Target: session.target(), Last: max(c.Last, 1)})
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
func (c typedCommand) follow(ctx context.Context, e env, t *tracked, last uint64) error {
	for {
		var list []wire.Typed
		err := t.await(ctx, 0, func(to terminals.Target, most terminals.Deadline) (err error) {
			list, err = terminals.AwaitTyped.Do(ctx, t.server, terminals.Everything, terminals.TypedWait{Target: to, After: last, Deadline: most})
			return err
		})
		switch {
		case fault.KindOf(err) == fault.Gone && fault.DetailOf(err) != noServer:
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

func (c typedCommand) print(e env, list []wire.Typed) error {
	for _, entry := range list {
		var err error
		if c.JSON {
			err = e.printJSON(entry)
		} else {
			err = e.printf("%s  %s  %s\n", entry.At.In(time.Local).Format("2006-01-02 15:04:05"), describeSender(entry.From), describeTyped(entry))
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
		return plural(e.Count, "key") + ", secret"
	case e.Text == "":
		return plural(e.Count, "key")
	case e.Kind == "keys" || e.Kind == "mouse" || e.Kind == "signal":
		return e.Kind + " " + safetext.Visible(e.Text)
	case e.Cut:
		return fmt.Sprintf("%s %s… (%d characters)", e.Kind, strconv.Quote(e.Text), e.Count)
	}
	return e.Kind + " " + strconv.Quote(e.Text)
}
