package caller

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/ui/spell"
)

const NoServer fault.Detail = "no_server"

// A Remote carries out operations on the server of a command, over its Unix socket. It is safe for
// concurrent use. The caller must close it.
type Remote struct {
	*client.Client
	Where  Where
	Folder *instance.Folder
}

// Connect returns the running server. Without one, the error has the detail [NoServer].
func (e Env) Connect(ctx context.Context) (*Remote, error) {
	c, err := e.NewClient()
	if err != nil {
		return nil, err
	}
	r, err := c.check(ctx, e)
	switch name := e.Where.ServerName; {
	case fault.DetailOf(err) != NoServer:
	case e.Where.Socket == "" && c.Folder.Taken(name):
		err = fault.With(NoServer, fault.New(fault.NotFound, "a process has the name %q, but cannot be reached: a server that starts or ends, or one of 0.1.0, which \"wsh\" cannot use; stop that one, or use another server with -L OTHER", name))
	case e.Starts:
		return e.ConnectOrStart(ctx, instance.Options{})
	}
	return r, err
}

// WithAnyServer calls f with the running server and what it says about itself, even if it speaks
// another protocol: for what must work with such a server, too.
func (e Env) WithAnyServer(ctx context.Context, f func(*Remote, terminals.ServerInfo) error) error {
	c, err := e.NewClient()
	if err != nil {
		return err
	}
	defer c.Close()
	about, err := c.about(ctx)
	if err != nil {
		return err
	}
	return f(c, about)
}

// ConnectOrStart is connect, but starts the server when there is none: as this user's own, with
// this process's environment, until its last session ends. The server's name and socket in o are
// those of the command.
func (e Env) ConnectOrStart(ctx context.Context, o instance.Options) (*Remote, error) {
	c, err := e.NewClient()
	if err != nil {
		return nil, err
	}
	o.Name, o.Socket = e.Where.ServerName, e.Where.Socket
	conn, _, err := c.Folder.DialOrStart(ctx, o)
	if err == nil {
		err = conn.Close() // nothing was sent
	}
	if err != nil {
		return nil, err
	}
	return c.check(ctx, e)
}

// NewFolder opens the folder of the user's servers, and reports only what goes wrong.
func (e Env) NewFolder() (*instance.Folder, error) {
	return instance.Open(e.Vars, slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: slog.LevelError})))
}

func (e Env) NewClient() (*Remote, error) {
	folder, err := e.NewFolder()
	if err != nil {
		return nil, err
	}
	c := &Remote{Where: e.Where, Folder: folder}
	c.Client = client.New(client.Options{Silent: c.silent, Dial: func(context.Context) (net.Conn, error) {
		conn, err := folder.Dial(e.Where.ServerName, e.Where.Socket)
		return conn, e.Where.Explain(err)
	}})
	return c, nil
}

// check returns c if its server speaks the same protocol, and else closes it.
func (c *Remote) check(ctx context.Context, e Env) (*Remote, error) {
	about, err := c.about(ctx)
	if err == nil {
		err = checkProtocol(c.Where.ServerName, about, e.Version)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// about asks the server what it is, as the first request to it.
func (c *Remote) about(ctx context.Context) (terminals.ServerInfo, error) {
	about, err := terminals.GetServer.Do(ctx, c, terminals.Everything, terminals.None{})
	if fault.KindOf(err) == fault.Gone {
		socket := c.Folder.SocketOf(c.Where.ServerName, c.Where.Socket)
		err = fault.New(fault.Precondition, "the program that listens at %s has closed the connection without an answer: it is another program's server, or it has just ended; stop it, or name another one with -L", socket)
	}
	return about, err
}

// Do implements [terminals.Doer]. If there is no session of the name in the input, the error names
// the one that was probably meant.
func (c *Remote) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := c.Client.Do(ctx, by, o, in, out)
	if fault.KindOf(err) != fault.NotFound || fault.DetailOf(err) == terminals.ServerNotFound {
		return err // a session of another machine is hardly meant
	}
	encoded, encErr := json.Marshal(in)
	var named terminals.Target
	if encErr != nil || json.Unmarshal(encoded, &named) != nil || named.Session == "" {
		return err
	}
	if meant := c.Meant(ctx, named.Session); meant != "" {
		return fault.With(fault.DetailOf(err), fault.New(fault.NotFound, "%v: did you mean %q?", err, meant))
	}
	return err
}

// silent is the error that the server does not answer.
func (c *Remote) silent() error {
	name, pid := cmp.Or(c.Where.Socket, c.Where.ServerName), 0
	for _, running := range c.Folder.Names() {
		if s, ok := c.Folder.Find(running); ok && (s.Socket == c.Where.Socket || running == name) {
			name, pid = running, s.PID
		}
	}
	if pid == 0 {
		return fault.New(fault.Precondition, "the server %q does not answer: its process may be stopped, or hang", name)
	}
	return fault.New(fault.Precondition, "the server %q, process %d, does not answer: \"kill -CONT %[2]d\" lets it go on if it is stopped, and \"kill -KILL %[2]d\" ends it with its sessions", name, pid)
}

// Meant returns the name of the session that a name stands for which does not exist, or "".
func (c *Remote) Meant(ctx context.Context, name string) string {
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

// Close closes the connections to the server. Requests must have ended.
func (c *Remote) Close() { c.Client.Close(nil) }

// Explain says what to do when there is no server.
func (w Where) Explain(err error) error {
	switch {
	case fault.KindOf(err) != fault.NotFound:
		return err
	case w.Socket != "":
		return fault.With(NoServer, fault.New(fault.NotFound, "no server answers at %s: start one with \"wsh server --socket %[1]s\"", w.Socket))
	case w.ServerName != "default":
		return fault.With(NoServer, fault.New(fault.NotFound, "no server %q runs: start one with \"wsh server -L %[1]s\"", w.ServerName))
	}
	return fault.With(NoServer, fault.New(fault.NotFound, "no server runs: start one with \"wsh server\", or a session with \"wsh\""))
}

var _ terminals.Doer = (*Remote)(nil)

// checkProtocol returns an error unless a server of that name can be used by this version.
func checkProtocol(name string, about terminals.ServerInfo, own string) error {
	if about.Protocol == terminals.Protocol {
		return nil
	}
	return fault.New(fault.Precondition, "%s", Advice(name, about, own))
}

// HowToStop returns the command that ends a server.
func HowToStop(name string) string {
	if name == "default" {
		return "wsh stop"
	}
	return "wsh stop -L " + name
}

// Advice says how a server of that name differs from this version, and what to do, or is "".
func Advice(name string, about terminals.ServerInfo, own string) string {
	server, client := version.Number(about.Version), version.Number(own)
	stop := HowToStop(name)
	switch {
	case about.Protocol < terminals.Protocol:
		return fmt.Sprintf("the server %q has version %s with protocol %d, and this is version %s with protocol %d: %q ends the older server with its sessions, and the next command starts a new one; -L OTHER leaves it alone",
			name, server, about.Protocol, client, terminals.Protocol, stop)
	case about.Protocol > terminals.Protocol:
		return fmt.Sprintf("the server %q has version %s with protocol %d, and this is version %s with protocol %d: update this wsh, or use another server with -L OTHER",
			name, server, about.Protocol, client, terminals.Protocol)
	case server != client:
		return fmt.Sprintf("the server %q has version %s, which this version can use; %q ends it with its sessions, and the next command starts this version", name, server, stop)
	}
	return ""
}

// ReadUntil returns a reader of in that fails once ctx is done, even while in has nothing to read.
// The caller closes it. Its last read of in may go on until the process ends.
func ReadUntil(ctx context.Context, in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = w.CloseWithError(context.Cause(ctx)) })
	go func() {
		defer stop()
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err)
	}()
	return r
}
