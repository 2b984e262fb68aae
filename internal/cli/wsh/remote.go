package wsh

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"sync"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/ui/spell"
)

const noServer fault.Detail = "no_server"

// A remote carries out operations on the server of a command, over its Unix socket. It is safe for
// concurrent use. The caller must close it.
type remote struct {
	*client.Client
	where  where
	folder *instance.Folder

	mu    sync.Mutex // guards first
	first net.Conn   // a connection that has not been used, or nil
}

// connect returns the running server. Without one, the error has the detail [noServer].
func (e env) connect(ctx context.Context) (*remote, error) {
	c, err := e.newClient()
	if err != nil {
		return nil, err
	}
	if c.first, err = c.folder.Dial(c.where.ServerName, c.where.Socket); err != nil {
		if name := e.where.ServerName; fault.KindOf(err) == fault.NotFound && e.where.Socket == "" && c.folder.Taken(name) {
			return nil, fault.With(noServer, fault.New(fault.NotFound, "a process has the name %q, but cannot be reached: a server that starts or ends, or one of 0.1.0, which \"wsh\" cannot use; stop that one, or use another server with -L OTHER", name))
		}
		if e.starts && fault.KindOf(err) == fault.NotFound {
			return e.connectOrStart(ctx, instance.Options{})
		}
		return nil, e.where.explain(err)
	}
	return c.check(ctx, e)
}

// withAnyServer calls f with the running server and what it says about itself, even if it speaks
// another protocol: for what must work with such a server, too.
func (e env) withAnyServer(ctx context.Context, f func(*remote, terminals.ServerInfo) error) error {
	c, err := e.newClient()
	if err != nil {
		return err
	}
	defer c.close()
	about, err := c.about(ctx)
	if err != nil {
		return err
	}
	return f(c, about)
}

// connectOrStart is connect, but starts the server when there is none: as this user's own, with
// this process's environment, until its last session ends. The server's name and socket in o are
// those of the command.
func (e env) connectOrStart(ctx context.Context, o instance.Options) (*remote, error) {
	c, err := e.newClient()
	if err != nil {
		return nil, err
	}
	o.Name, o.Socket = e.where.ServerName, e.where.Socket
	if c.first, _, err = c.folder.DialOrStart(ctx, o); err != nil {
		return nil, err
	}
	return c.check(ctx, e)
}

// newFolder opens the folder of the user's servers, and reports only what goes wrong.
func (e env) newFolder() (*instance.Folder, error) {
	return instance.Open(e.vars, slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: slog.LevelError})))
}

func (e env) newClient() (*remote, error) {
	folder, err := e.newFolder()
	if err != nil {
		return nil, err
	}
	c := &remote{where: e.where, folder: folder}
	c.Client = client.New(client.Options{Dial: func(context.Context) (net.Conn, error) { return c.dial() }, Silent: c.silent})
	return c, nil
}

// check returns c if its server speaks the same protocol, and else closes it.
func (c *remote) check(ctx context.Context, e env) (*remote, error) {
	about, err := c.about(ctx)
	if err == nil {
		err = checkProtocol(c.where.ServerName, about, e.version)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// about asks the server what it is, as the first request to it.
func (c *remote) about(ctx context.Context) (terminals.ServerInfo, error) {
	about, err := terminals.GetServer.Do(ctx, c, terminals.Everything, terminals.None{})
	if fault.KindOf(err) == fault.Gone {
		socket := c.folder.SocketOf(c.where.ServerName, c.where.Socket)
		err = fault.New(fault.Precondition, "the program that listens at %s has closed the connection without an answer: it is another program's server, or it has just ended; stop it, or name another one with -L", socket)
	}
	return about, err
}

// Do implements [terminals.Doer]. If there is no session of the name in the input, the error names
// the one that was probably meant.
func (c *remote) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := c.Client.Do(ctx, by, o, in, out)
	if fault.KindOf(err) != fault.NotFound || fault.DetailOf(err) == terminals.ServerNotFound {
		return err // a session of another machine is hardly meant
	}
	encoded, encErr := json.Marshal(in)
	var named terminals.Target
	if encErr != nil || json.Unmarshal(encoded, &named) != nil || named.Session == "" {
		return err
	}
	if meant := c.meant(ctx, named.Session); meant != "" {
		return fault.With(fault.DetailOf(err), fault.New(fault.NotFound, "%v: did you mean %q?", err, meant))
	}
	return err
}

// silent is the error that the server does not answer.
func (c *remote) silent() error {
	name, pid := cmp.Or(c.where.Socket, c.where.ServerName), 0
	for _, running := range c.folder.Names() {
		if s, ok := c.folder.Find(running); ok && (s.Socket == c.where.Socket || running == name) {
			name, pid = running, s.PID
		}
	}
	if pid == 0 {
		return fault.New(fault.Precondition, "the server %q does not answer: its process may be stopped, or hang", name)
	}
	return fault.New(fault.Precondition, "the server %q, process %d, does not answer: \"kill -CONT %[2]d\" lets it go on if it is stopped, and \"kill -KILL %[2]d\" ends it with its sessions", name, pid)
}

// meant returns the name of the session that a name stands for which does not exist, or "".
func (c *remote) meant(ctx context.Context, name string) string {
	var list []struct{ Name string }
	if c.Client.Do(ctx, terminals.Everything, &terminals.ListSessions.Operation, terminals.SessionFilter{}, &list) != nil {
		return ""
	}
	var names []string
	for _, s := range list {
		if s.Name == name {
			return "" // something else does not exist
		}
		names = append(names, s.Name)
	}
	return spell.Nearest(name, names)
}

// dial returns another connection to the server, for HTTP or for frames.
func (c *remote) dial() (net.Conn, error) {
	c.mu.Lock()
	conn := c.first
	c.first = nil
	c.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	conn, err := c.folder.Dial(c.where.ServerName, c.where.Socket)
	return conn, c.where.explain(err)
}

// close closes the connections that dial has returned to HTTP. Requests must have ended.
func (c *remote) close() {
	c.mu.Lock()
	if c.first != nil {
		_ = c.first.Close() // nothing was sent
		c.first = nil
	}
	c.mu.Unlock()
	c.Client.Close(nil)
}

// explain says what to do when there is no server.
func (w where) explain(err error) error {
	switch {
	case fault.KindOf(err) != fault.NotFound:
		return err
	case w.Socket != "":
		return fault.With(noServer, fault.New(fault.NotFound, "no server answers at %s: start one with \"wsh server --socket %[1]s\"", w.Socket))
	case w.ServerName != "default":
		return fault.With(noServer, fault.New(fault.NotFound, "no server %q runs: start one with \"wsh server -L %[1]s\"", w.ServerName))
	}
	return fault.With(noServer, fault.New(fault.NotFound, "no server runs: start one with \"wsh server\", or a session with \"wsh\""))
}

var _ terminals.Doer = (*remote)(nil)
