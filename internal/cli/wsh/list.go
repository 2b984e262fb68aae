package wsh

import (
	"context"
	"fmt"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type listCommand struct {
	Tags    []tagName `name:"tag" placeholder:"TAG" help:"List only sessions with this tag. May be repeated: with any of them."`
	Clients bool      `help:"List the clients of the sessions instead: the session, the client, what it is, the size of its terminal, for how long it has been attached, and whether it leads."`
	otherServerFlag
	jsonFlag
}

// Help is the last part of what --help prints.
func (listCommand) Help() string {
	return `Each line is a session: its name, its state, the size of its terminal, who is attached, the command and the tags. Sessions whose program has ended stay for a while, with the exit status.

A state is running; prompt: the shell waits for a command; line or secret: the program waits for input; fullscreen: it uses the whole screen; or ended.

    wsh list
    wsh list --tag ci --json
    wsh list --clients`
}

func (c listCommand) run(ctx context.Context, e env) error {
	r, err := e.connect(ctx)
	if fault.DetailOf(err) == noServer {
		if c.JSON {
			return e.printf("[]\n")
		}
		e.note("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	defer r.close()
	list, raw, err := call(ctx, r, terminals.ListSessions, terminals.SessionFilter{Tags: texts(c.Tags)})
	if err != nil {
		return err
	}
	if c.JSON {
		return e.printJSON(raw)
	}
	if c.Clients {
		return e.printClients(list)
	}
	var t table
	for _, s := range list {
		t.add(s.Name, stateOf(s), fmt.Sprintf("%dx%d", s.Cols, s.Rows), attachedTo(s), clip(printable(s.Command), 60), tagsOf(s))
	}
	return t.print(e.Out)
}

// stateOf is a session's state in a word or two.
func stateOf(s wire.Session) string {
	switch {
	case s.Exit == nil:
		return s.State
	case s.Exit.Signal != "":
		return "ended " + s.Exit.Signal
	}
	return fmt.Sprintf("ended %d", s.Exit.Code)
}

func attachedTo(s wire.Session) string {
	if s.Clients == 0 {
		return "-"
	}
	return plural(s.Clients, "client")
}

func tagsOf(s wire.Session) string {
	if len(s.Tags) == 0 {
		return ""
	}
	return "[" + strings.Join(s.Tags, " ") + "]"
}
