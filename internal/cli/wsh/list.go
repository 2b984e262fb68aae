package wsh

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/others"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type listCommand struct {
	Tags    []caller.TagName `name:"tag" placeholder:"TAG" help:"List only sessions with this tag. May be repeated: with any of them."`
	Clients bool             `help:"List the clients of the sessions instead: the session, the client, what it is, the size of its terminal, for how long it has been attached, and whether it leads."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (c listCommand) Run(ctx context.Context, e caller.Env) error {
	others, err := knownServers(ctx, e)
	if err != nil && fault.DetailOf(err) != caller.NoServer {
		return err
	}
	list, err := e.SessionsEverywhere(ctx, caller.Texts(c.Tags))
	defer func() { c.tellMissing(e, others, list) }()
	list = slices.DeleteFunc(list, func(s caller.Located) bool { return !c.Has(s.Session) })
	if fault.DetailOf(err) == caller.NoServer {
		if c.JSON {
			return e.Printf("[]\n")
		}
		e.Note("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	if c.JSON {
		all := make([]json.RawMessage, len(list))
		for i, s := range list {
			all[i] = s.Raw
		}
		return e.PrintJSON(all)
	}
	if c.Clients {
		return printClients(e, list)
	}
	t := caller.Table{Shortened: 4, Coloured: 1, Colour: colourOfState}
	for _, s := range list {
		notes, state := caller.TagsOf(s.Session), caller.StateOf(s.Session)
		if s.LastKnownMS != nil {
			notes, state = strings.TrimSpace(notes+" known "+caller.Ago(*s.LastKnownMS)+" ago"), "away, "+state
		}
		if s.IsElsewhere() && !e.Named {
			notes = strings.TrimSpace(notes + " in " + s.Location(e.Vars))
		}
		t.Add(s.Name, state, fmt.Sprintf("%dx%d", s.Cols, s.Rows), attachedTo(s.Session), caller.Clip(safetext.Visible(s.Command), 60), notes)
	}
	return t.Print(e)
}

// tellMissing says of which other servers no sessions are listed, since they cannot be reached.
func (c listCommand) tellMissing(e caller.Env, others []terminals.KnownServer, list []caller.Located) {
	for _, s := range others {
		chosen := c.Server == "" || strings.EqualFold(s.Hostname, string(c.Server))
		if !chosen || s.Health == terminals.Healthy {
			continue
		}
		if slices.ContainsFunc(list, func(l caller.Located) bool { return s.Hostname != "" && wire.HostOf(l.Name) == s.Hostname }) {
			continue
		}
		name, reason := safetext.Visible(cmp.Or(s.Hostname, s.Address)), safetext.Visible(s.Reason)
		if s.Health == terminals.Connecting {
			reason = cmp.Or(reason, "it is being connected to")
		}
		e.Note("no sessions of %s are listed: %s", name, cmp.Or(reason, "it cannot be reached now"))
	}
}

// colourOfState colours the states that need a person, and failures.
func colourOfState(state string) string {
	switch {
	case state == "line", state == "secret", strings.HasSuffix(state, " asks"):
		return "33"
	case state == "ended 0", strings.HasPrefix(state, "away, "):
		return "2"
	case strings.HasPrefix(state, "ended "):
		return "31"
	}
	return ""
}

func attachedTo(s wire.Session) string {
	if n := caller.PersonsAt(s); n > 0 {
		return caller.Plural(n, "client")
	}
	return "-"
}

// listTime is how long a list of sessions waits for the first connections to other servers.
const listTime = 2 * time.Second

// knownServers returns the other servers of the command's server, when each has answered or was
// tried. If no server runs, one is started if it knows others, unless it was stopped on purpose:
// then it says that they are missing.
func knownServers(ctx context.Context, e caller.Env) (list []terminals.KnownServer, err error) {
	folder, err := e.NewFolder()
	if err != nil {
		return nil, err
	}
	if keepsOthers(e) {
		if e.Starts = !folder.WasStopped(e.Where.ServerName); !e.Starts {
			defer func() {
				if list == nil {
					e.Note("the sessions of other servers are not listed: the server here, through which they are reached, was stopped; \"wsh servers\" starts it")
				}
			}()
		}
	}
	err = e.WithServer(ctx, func(r *caller.Remote) (err error) {
		list, err = others.Settled(ctx, r, listTime)
		return err
	})
	return list, err
}

// keepsOthers reports whether other servers were added, or are in the configuration file.
func keepsOthers(e caller.Env) bool {
	if fleet.Keeps(caller.ServerFile(e.Vars, e.Where.ServerName, "servers.json")) {
		return true
	}
	file, err := readConfig(e.Vars, e.Vars.Get("WSH_CONFIG"))
	return err == nil && len(file.Servers) > 0
}

func printClients(e caller.Env, list []caller.Located) error {
	var t caller.Table
	for _, s := range list {
		for _, c := range s.Attached {
			size := "-"
			if c.Rows > 0 {
				size = fmt.Sprintf("%dx%d", c.Cols, c.Rows)
			}
			t.Add(s.Name, c.Name, c.Kind, size, "for "+caller.Ago(c.AttachedMS), describeClient(s.Session, c))
		}
	}
	return t.Print(e)
}

// describeClient says what a client may do, and whether it leads.
func describeClient(s wire.Session, c wire.Client) string {
	var parts []string
	if s.Leader != nil && *s.Leader == c.Name {
		parts = append(parts, "leads")
	}
	switch {
	case !canType(c):
		parts = append(parts, "only looks")
	case c.LastTypedMS != nil:
		parts = append(parts, "typed "+caller.Ago(*c.LastTypedMS)+" ago")
	}
	return strings.Join(parts, ", ")
}

func canType(c wire.Client) bool { return slices.Contains(c.Rights, "type") }
