package caller

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

// A Located session says where it is.
type Located struct {
	wire.Session
	Raw    json.RawMessage // as the server described it
	Server string          // its name
	dir    string          // of a program: where it works; "" for other servers
}

// Location names the server that a session is in, and where that works if it is a program.
func (l Located) Location(vars environ.Variables) string {
	if l.dir == "" {
		return l.Server
	}
	return l.Server + " (" + safetext.Visible(tilde(vars, l.dir)) + ")"
}

// IsElsewhere reports whether the session is in a program.
func (l Located) IsElsewhere() bool { return strings.HasPrefix(l.Server, discovery.ProgramPrefix) }

// tilde shortens a path in the person's home.
func tilde(vars environ.Variables, path string) string {
	home, err := vars.Home()
	if rest, ok := strings.CutPrefix(path, home+string(os.PathSeparator)); err == nil && ok {
		return "~" + string(os.PathSeparator) + rest
	}
	return path
}

// SessionsEverywhere lists the sessions of the command's server, and of programs unless a server
// was named. The error, with the detail [NoServer], says that there is nowhere to look.
func (e Env) SessionsEverywhere(ctx context.Context, tags []string) ([]Located, error) {
	own, err := e.sessionsOf(ctx, e.Where, tags)
	e.Starts = false // programs have their own servers
	if e.Named || err != nil && fault.DetailOf(err) != NoServer {
		return own, err
	}
	folder, failed := e.NewFolder()
	if failed != nil {
		return own, err
	}
	programs := folder.Programs()
	lists := make([][]Located, len(programs))
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	var asking sync.WaitGroup
	for i, name := range programs {
		asking.Go(func() {
			// One that is ending, hangs or has another version has no sessions for this command.
			lists[i], _ = e.sessionsOf(ctx, Where{ServerName: name}, tags)
			about, _ := folder.Find(name)
			for j := range lists[i] {
				s := &lists[i][j]
				s.dir, s.Raw = cmp.Or(about.Working, about.Dir), WithMember(s.Raw, "server_name", name)
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
func (e Env) sessionsOf(ctx context.Context, w Where, tags []string) ([]Located, error) {
	e.Where = w
	r, err := e.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	list, raw, err := Call(ctx, r, terminals.ListSessions, terminals.SessionFilter{Tags: tags})
	if err != nil {
		return nil, err
	}
	var each []json.RawMessage
	if err := json.Unmarshal(raw, &each); err != nil {
		return nil, fault.Wrap(fault.Internal, err, "the server's answer is not as expected")
	}
	out := make([]Located, len(list))
	for i, s := range list {
		out[i] = Located{Session: s, Raw: each[i], Server: w.ServerName}
	}
	return out, nil
}

// WithMember adds a name to a JSON object, which has members.
func WithMember(object json.RawMessage, member, name string) json.RawMessage {
	return append(object[:len(object)-1:len(object)-1], fmt.Sprintf(`,%q:%q}`, member, name)...)
}
