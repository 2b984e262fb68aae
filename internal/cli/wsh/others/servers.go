// Package others has the commands of wsh about other machines: the servers that a server knows, and
// the hub through which they reach each other.
package others

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

type Servers struct {
	List   listServersCommand  `cmd:"" default:"withargs" help:"List the other servers."`
	Add    addServerCommand    `cmd:"" help:"Add a server on another machine, and wait until it can be used."`
	Remove removeServerCommand `cmd:"" help:"Forget a server. Its sessions go on."`
	Pipe   pipeCommand         `cmd:"" hidden:"" help:"Connect standard input and output to the server: for one on another host, over ssh."`
}

type listServersCommand struct{ caller.JSONFlag }

func (c listServersCommand) Run(ctx context.Context, e caller.Env) error {
	e.Starts = true // it knows those that were added before
	return e.WithServer(ctx, func(r *caller.Remote) error {
		sessions, err := caller.SessionsOf(ctx, r) // first: it finds out who lets this server see some
		if err != nil {
			return err
		}
		list, raw, err := caller.Call(ctx, r, terminals.ListServers, terminals.None{})
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.PrintJSON(raw)
		case len(list) == 0:
			e.Note("no other server is known: \"wsh servers add ssh://HOST\" adds one")
			return nil
		}
		count := map[string]int{}
		for _, s := range sessions {
			count[wire.HostOf(s.Name)]++
		}
		return tableOf(list, count).Print(e)
	})
}

// tableOf lists servers, with how many sessions are known of each.
func tableOf(list []terminals.KnownServer, sessions map[string]int) *caller.Table {
	t := &caller.Table{Shortened: 1, Coloured: 2, Colour: colourOfHealth}
	t.Add("NAME", "ADDRESS", "STATE", "ANSWERS IN", "SESSIONS")
	for _, s := range list {
		known := "-"
		if n := sessions[s.Hostname]; s.Hostname != "" && (n > 0 || s.Health == terminals.Healthy) {
			known = caller.Plural(n, "session")
		}
		address := s.Address // the key is below
		if s.Key != "" && strings.HasSuffix(address, s.Key) {
			address = strings.TrimRight(strings.TrimSuffix(address, s.Key), "/:")
		}
		t.Add(cmp.Or(s.Hostname, "-"), address, HealthOf(s), latencyOf(s), known)
		t.Note(s.Reason)
		t.Note(nextOf(s))
	}
	return t
}

// HealthOf says in a word or two how things are with a server.
func HealthOf(s terminals.KnownServer) string {
	switch {
	case s.Health == terminals.Connecting && s.Reason != "":
		return "connecting again"
	case s.Health != terminals.Unavailable:
		return string(s.Health)
	}
	if s.LastSeenMS == nil {
		return "away"
	}
	return "away for " + caller.Ago(*s.LastSeenMS)
}

func isOfHub(s terminals.KnownServer) bool {
	return s.Key != "" && strings.HasSuffix(s.Address, "/"+s.Key)
}

// nextOf says of a hub what this server is there, and of one of its hosts by which key it is known.
func nextOf(s terminals.KnownServer) string {
	switch {
	case isOfHub(s):
		return "key " + s.Key
	case s.Key == "" || strings.Contains(s.Reason, s.Key):
		return ""
	case s.Role == "worker":
		return fmt.Sprintf("a worker there, with the key %s: desks use its sessions, and it sees no other host", s.Key)
	case s.Role == "desk":
		return fmt.Sprintf("a desk there, with the key %s: workers are listed while they are there", s.Key)
	case s.Role == "mutual":
		return fmt.Sprintf("a mutual desk there, with the key %s: workers and mutual desks are listed, and those use its sessions", s.Key)
	}
	return "this server has the key " + s.Key + " there"
}

// colourOfHealth colours what is wrong.
func colourOfHealth(cell string) string {
	switch cell {
	case string(terminals.Healthy), "STATE":
		return ""
	case string(terminals.Rejected):
		return "31"
	}
	return "33"
}

func latencyOf(s terminals.KnownServer) string {
	switch {
	case s.LatencyMS == nil || s.Health != terminals.Healthy:
		return "-"
	case *s.LatencyMS < 10:
		return strconv.FormatFloat(*s.LatencyMS, 'f', 1, 64) + " ms"
	}
	return fmt.Sprintf("%.0f ms", *s.LatencyMS)
}

type addServerCommand struct {
	Address   string `arg:"" help:"Where the server is, such as ssh://build1."`
	Name      string `placeholder:"NAME" help:"What to call it here (default: what it calls itself). For a hub: what this server calls itself there."`
	Token     string `hidden:"" help:"The token of its HTTP interface. It shows in the process list: prefer --token-file."`
	TokenFile string `type:"path" complete:"files" placeholder:"FILE" help:"The token of its HTTP interface, in a file that only this user can read."`
	CA        string `name:"ca" type:"path" complete:"files" placeholder:"FILE" help:"Of a hub: the certificates of those who may vouch for it (default: those of the system)."`
	NoWait    bool   `help:"Do not wait until it can be used."`
	caller.JSONFlag
}

// How long a server may take to be healthy or not, and how often to look.
const (
	addTime  = 45 * time.Second
	addPause = 100 * time.Millisecond
	addQuiet = time.Second // until it says that it waits
)

func (c addServerCommand) Run(ctx context.Context, e caller.Env) error {
	in := terminals.NewServer{Address: c.address(), Token: c.Token, Hostname: c.Name}
	if c.TokenFile != "" {
		if c.Token != "" {
			return fault.New(fault.Invalid, "give either --token or --token-file")
		}
		var err error
		if in.Token, err = secret.Read(c.TokenFile); err != nil {
			return fault.Wrap(fault.Precondition, err, "read the token")
		}
	}
	r, err := e.ConnectOrStart(ctx, instance.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	defer e.NoteLater(addQuiet, "connecting to %s (Ctrl-C stops waiting; it stays known)", safetext.Visible(c.Address))()
	s, raw, err := caller.Call(ctx, r, terminals.AddServer, in)
	if err != nil {
		return err
	}
	address := s.Address
	said := false
	for late := time.Now().Add(addTime); !c.NoWait && (s.Health == terminals.Connecting && time.Now().Before(late) || s.Health == terminals.Waiting && commandline.IsTerminal(e.Err)); {
		if s.Health == terminals.Waiting && !said {
			said = true
			e.Note("%s (Ctrl-C stops waiting; it stays known)", safetext.Visible(s.Reason))
		}
		if err := wake.After(ctx, addPause); err != nil {
			return err
		}
		if s, raw, err = caller.Call(ctx, r, terminals.GetKnownServer, terminals.ServerName{Hostname: address}); err != nil {
			return err
		}
	}
	switch {
	case c.JSON:
		err = e.PrintJSON(raw)
	case s.Health == terminals.Healthy:
		err = e.Printf("%s\n", cmp.Or(s.Hostname, s.Address))
	case s.Health == terminals.Waiting:
		if err = e.Printf("waiting\n"); !said {
			e.Note("%s", safetext.Visible(s.Reason))
		}
	}
	if err != nil || s.Health == terminals.Healthy || s.Health == terminals.Waiting || c.NoWait {
		return err
	}
	return &commandline.StatusError{Status: commandline.ExitFailure, Err: errors.New(c.problem(s))}
}

// address returns the address with what else was said of a hub.
func (c addServerCommand) address() string {
	separator := "?"
	switch {
	case c.CA == "":
		return c.Address
	case strings.Contains(c.Address, "?"):
		separator = "&"
	}
	return c.Address + separator + "ca=" + url.QueryEscape(c.CA)
}

// problem says why a server cannot be used, and what becomes of it.
func (c addServerCommand) problem(s terminals.KnownServer) string {
	reason := strings.TrimSuffix(safetext.Visible(s.Reason), ".")
	if reason == "" {
		reason = "it has not answered yet"
	}
	return fmt.Sprintf("%s cannot be used: %s. It is kept, and tried again: \"wsh servers\" tells how it is, and \"wsh servers remove %s\" forgets it", safetext.Visible(s.Address), reason, commandline.Word(s.Address))
}

type removeServerCommand struct {
	Names []caller.HostName `arg:"" name:"server" help:"Their names or addresses."`
	caller.JSONFlag
}

func (c removeServerCommand) Run(ctx context.Context, e caller.Env) error {
	e.Starts = true
	return e.WithServer(ctx, func(r *caller.Remote) error {
		removed := []caller.HostName{}
		var failed error
		for _, name := range c.Names {
			err := caller.Change(ctx, r, terminals.RemoveServer, terminals.ServerName{Hostname: string(name)})
			if failed = errors.Join(failed, err); err == nil {
				removed = append(removed, name)
			}
		}
		if c.JSON {
			failed = errors.Join(failed, e.PrintJSON(map[string]any{"removed": removed}))
		}
		return failed
	})
}

// Settled returns the other servers, when each has answered or was tried, or the time is over.
func Settled(ctx context.Context, r *caller.Remote, within time.Duration) ([]terminals.KnownServer, error) {
	for late := time.Now().Add(within); ; _ = wake.After(ctx, addPause) {
		list, _, err := caller.Call(ctx, r, terminals.ListServers, terminals.None{})
		if err != nil || ctx.Err() != nil || time.Now().After(late) || !slices.ContainsFunc(list, func(s terminals.KnownServer) bool {
			return s.Health == terminals.Connecting && s.ID == ""
		}) {
			return list, err
		}
	}
}

// NameFor returns what a command takes for a server, or "" if it is not for that: remove is for
// what was added, and other commands for what has sessions.
func NameFor(command string, s terminals.KnownServer) string {
	switch {
	case command != "remove":
		return s.Hostname
	case isOfHub(s):
		return ""
	}
	return cmp.Or(s.Hostname, s.Address)
}
