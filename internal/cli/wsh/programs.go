package wsh

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// Without a server's name, commands work with the server "default" and with the sessions of
// programs such as ui-mcp, which have sessions beside other tasks. The names of all of them are one
// namespace: it is what "wsh list" prints.

// programTime is how long a program may take to list its sessions: one that hangs holds up no
// command.
const programTime = 2 * time.Second

// A located session says where it is.
type located struct {
	wire.Session
	raw    json.RawMessage // as the server described it
	server string          // its name
	dir    string          // of a program: where it works; "" for other servers
}

// location names the server that a session is in, and where that works if it is a program.
func (l located) location(vars environ.Variables) string {
	if l.dir == "" {
		return l.server
	}
	return l.server + " (" + safetext.Visible(tilde(vars, l.dir)) + ")"
}

// isElsewhere reports whether the session is in a program.
func (l located) isElsewhere() bool { return strings.HasPrefix(l.server, discovery.ProgramPrefix) }

// tilde shortens a path in the person's home.
func tilde(vars environ.Variables, path string) string {
	home, err := vars.Home()
	if rest, ok := strings.CutPrefix(path, home+string(os.PathSeparator)); err == nil && ok {
		return "~" + string(os.PathSeparator) + rest
	}
	return path
}

// sessionsEverywhere lists the sessions of the command's server, and of programs unless a server
// was named. The error, with the detail [noServer], says that there is nowhere to look.
func (e env) sessionsEverywhere(ctx context.Context, tags []string) ([]located, error) {
	own, err := e.sessionsOf(ctx, e.where, tags)
	e.starts = false // programs have their own servers
	if e.named || err != nil && fault.DetailOf(err) != noServer {
		return own, err
	}
	folder, failed := e.newFolder()
	if failed != nil {
		return own, err
	}
	programs := folder.Programs()
	lists := make([][]located, len(programs))
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	var asking sync.WaitGroup
	for i, name := range programs {
		asking.Go(func() {
			// One that is ending, hangs or has another version has no sessions for this command.
			lists[i], _ = e.sessionsOf(ctx, where{ServerName: name}, tags)
			about, _ := folder.Find(name)
			for j := range lists[i] {
				s := &lists[i][j]
				s.dir, s.raw = cmp.Or(about.Working, about.Dir), withServerName(s.raw, name)
			}
		})
	}
	asking.Wait()
	if len(programs) > 0 {
		err = nil
	}
	for _, list := range lists {
		own = append(own, list...)
	}
	return own, err
}

// sessionsOf lists the sessions of one server.
func (e env) sessionsOf(ctx context.Context, w where, tags []string) ([]located, error) {
	e.where = w
	r, err := e.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer r.close()
	list, raw, err := call(ctx, r, terminals.ListSessions, terminals.SessionFilter{Tags: tags})
	if err != nil {
		return nil, err
	}
	var each []json.RawMessage
	if err := json.Unmarshal(raw, &each); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the server's answer is not as expected")
	}
	out := make([]located, len(list))
	for i, s := range list {
		out[i] = located{Session: s, raw: each[i], server: w.ServerName}
	}
	return out, nil
}

// withServerName adds a server's name to the JSON object that describes a session.
func withServerName(object json.RawMessage, name string) json.RawMessage {
	return append(object[:len(object)-1:len(object)-1], fmt.Sprintf(`,"server_name":%q}`, name)...)
}
