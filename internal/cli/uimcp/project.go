package uimcp

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpserver"
)

// closeProjects is how long clients have to read their last answers.
const closeProjects = 5 * time.Second

// A project is the server that the clients of a base directory share.
type project struct {
	*program
	id     string           // of this process
	claim  *discovery.Claim // of the project
	socket *httpserve.Server
	asked  *httppopup.Handler // by the user's programs, on the socket

	making sync.Mutex // guards the fields below; held while a face is made
	faces  []*face
	closed bool     // there are no further faces
	flags  []string // that hold: those of the first client, and of the first one with terminals

	mu      sync.Mutex // guards the fields below
	clients map[*joiner]struct{}
	last    []net.Conn // of clients that have left while the server ends: close closes them at last
}

// A joiner is a connection of "ui-mcp mcp" or "ui-mcp serve" to the server of its project.
type joiner struct {
	net.Conn
	project *project
	dir     string             // the working directory of its program
	serves  bool               // it is "ui-mcp serve", and no agent
	flags   []string           // of its command line that have no effect
	moved   *app.Configuration // what it gets from ui_configure in another folder's server; guarded by project.mu
	news    mcpserver.News

	mu   sync.Mutex // guards gone; held during one write
	gone bool       // nothing more is sent
}

// joinerKey is the key of a call's [joiner] in its context.
type joinerKey struct{}

func joinerOf(ctx context.Context) *joiner {
	c, _ := mcpserver.Caller(ctx).Value(joinerKey{}).(*joiner)
	return c
}

// share claims a project and lets clients join a program. If another server has it, the error is
// of kind [fault.Exists].
func (p *program) share(folder *instance.Folder) (*project, error) {
	claim, err := folder.Registry.Claim(discovery.ProjectName(p.config.Dir), "")
	if err != nil {
		return nil, err
	}
	l, err := claim.Listen()
	if err != nil {
		return nil, errors.Join(err, claim.Release())
	}
	j := &project{program: p, id: rand.Text(), claim: claim, faces: []*face{p.first}, flags: p.config.shared(), clients: map[*joiner]struct{}{}}
	p.project.Store(j)
	j.asked = p.popups.endpoint(nil, nil)
	routes := http.NewServeMux()
	routes.HandleFunc(joinPath, j.serveJoin)
	routes.Handle("POST "+askPath, p.stay.count(j.asked)) // as at the agent's port, which may be closed
	j.socket = httpserve.Serve(l, routes, httpserve.Options{Log: j.log})
	return j, nil
}

// close answers the calls of clients, and ends the program. The last clients learn of that by the
// end of their connections. Others can start another server when it returns.
func (j *project) close() {
	j.stay.stop()
	ctx, cancel := context.WithTimeout(context.Background(), closeProjects)
	defer cancel()
	j.making.Lock()
	j.closed = true
	faces := slices.Clone(j.faces)
	j.making.Unlock()
	var closing sync.WaitGroup
	for _, f := range faces {
		closing.Go(func() {
			if err := f.lines.Close(ctx); err != nil {
				j.log.Warn("calls were cut off", "error", err)
			}
			f.stop()
		})
	}
	closing.Wait()
	if err := j.socket.Close(ctx); err != nil {
		j.log.Warn("clients were cut off", "error", err)
	}
	j.asked.Close()
	j.program.Close()
	if err := j.claim.Release(); err != nil {
		j.log.Warn("others may find this server, which ends", "error", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, conn := range j.last {
		_ = conn.Close()
	}
}

// serveJoin serves a client until it leaves: MCP, or ports.
func (j *project) serveJoin(w http.ResponseWriter, r *http.Request) {
	var h hello
	text, _ := url.QueryUnescape(r.Header.Get(helloHeader)) // our own program has escaped it
	_ = json.Unmarshal([]byte(text), &h)                    // if it is of another version, it is refused below
	if version.IsNewer(h.Version, j.config.env.version) && j.stay.replace() {
		w.Header().Set(stateHeader, j.Status(r.Context()).State)
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return
	}
	c := &joiner{project: j, dir: h.Dir, serves: h.Ports != nil, moved: h.Moved}
	missed, ok := j.stay.enter(!c.serves)
	if !ok {
		http.Error(w, join.Stopping, http.StatusServiceUnavailable)
		return
	}
	var f *face
	var withheld error // why c gets no terminals
	if !c.serves {
		f, c.flags, withheld = j.faceOf(h.Toolsets, h.Flags)
		release := func() {}
		if ok = f != nil; ok {
			release, ok = f.lines.Reserve()
		}
		if !ok { // it has begun to end
			j.stay.leave(true)
			http.Error(w, join.Stopping, http.StatusServiceUnavailable)
			return
		}
		defer release()
	}
	conn, err := join.Accept(w, r, joinProtocol, "commands of ui-mcp", http.Header{serverHeader: {j.id}})
	if err != nil {
		j.log.Error(err.Error())
	}
	if conn == nil {
		j.stay.leave(!c.serves)
		return
	}
	c.Conn = conn
	if h.State == app.Running.String() && h.Was != j.id {
		j.resume()
	}
	switch {
	case h.Moved != nil:
	case h.Was != "" && h.Was != j.id:
		c.news.Tell(j.recovered())
	case missed:
		c.news.Tell(j.missed())
	}
	if withheld != nil {
		c.news.Tell(withheld.Error())
	}
	j.mu.Lock()
	j.clients[c] = struct{}{}
	j.mu.Unlock()
	if c.serves {
		j.servePorts(c, r, h)
	} else {
		j.tellState()
		ctx := mcpserver.WithNews(context.WithValue(context.WithoutCancel(r.Context()), joinerKey{}, c), &c.news)
		err = f.lines.ServeLines(ctx, c, []byte(mcpbridge.Farewell), j.config.drain())
	}
	j.log.Info("a client has left", "reason", err)
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
	j.mu.Lock()
	delete(j.clients, c)
	j.mu.Unlock()
	if !j.stay.leave(!c.serves) {
		_ = conn.Close()
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = append(j.last, conn) // else the garbage collector would close it at any time
}

// faceOf returns the face for clients with some toolsets, and which flags of such a client have no
// effect. The first client with terminals brings them, and its flags about them hold; if it cannot,
// withheld says why. A server that has begun to close returns no face, which nobody would stop.
func (j *project) faceOf(wants []toolset, flags []string) (f *face, ignored []string, withheld error) {
	var toolsets []toolset
	defer func() { // without the lock: clients may be slow to read what is logged
		if withheld != nil {
			j.log.Warn(withheld.Error())
		}
	}()
	j.making.Lock()
	defer j.making.Unlock()
	if j.closed {
		return nil, nil, nil
	}
	for _, t := range wants {
		if t == terminalTools {
			if withheld = j.bringTerminals(flags); withheld != nil {
				ignored = append(ignored, "--toolsets="+string(t))
				continue
			}
		}
		toolsets = append(toolsets, t)
	}
	ignored = append(slices.DeleteFunc(flags, func(f string) bool { return f == "" || slices.Contains(j.flags, f) }), ignored...)
	for _, f := range j.faces {
		if f.has(toolsets) {
			return f, ignored, withheld
		}
	}
	f = j.newFace(toolsets)
	j.faces = append(j.faces, f)
	return f, ignored, withheld
}

// bringTerminals makes terminals, with the flags of a client, unless there are some. Without any of
// its flags, it makes none: programs could do what a person was to confirm. making must be held.
func (j *project) bringTerminals(flags []string) error {
	if j.shells.Load() != nil {
		return nil
	}
	c := j.config
	var said strings.Builder
	chosen, _ := parse(c.env.version, append([]string{"mcp", "--toolsets=" + string(terminalTools)}, flags...), commandline.Streams{Out: io.Discard, Err: &said})
	if chosen == nil { // another version has others
		return fault.New(fault.Precondition, "this client gets no terminals: the server of the project does not know the flags %q: %s", flags, strings.TrimSpace(said.String()))
	}
	c.appFlags = chosen.Selected().Target.Addr().Interface().(*mcpCommand).appFlags // as the first argument says
	if err := j.openShells(c); err != nil {
		return fault.Wrap(fault.KindOf(err), err, "this client gets no terminals")
	}
	c.LuaTimeout, c.LuaMemory, c.NoHTTP, c.NoExec = nil, nil, false, false // those of the first client hold
	j.flags = append(j.flags, c.shared()...)
	return nil
}

// resume runs the app that a client had at a server which has ended, however that ended.
func (j *project) resume() {
	if _, err := j.Start(context.Background()); err == nil {
		j.stay.expect()
	} else if fault.KindOf(err) != fault.Precondition { // else another client has done it
		j.log.Warn("the app was not started again", "error", err)
	}
}

// tellState tells the programs of all clients whether the app runs.
func (j *project) tellState() {
	state := j.Status(context.Background()).State
	for _, c := range j.joined() {
		_ = c.own(ownStateMethod, state) // else it has left
	}
}

// joined returns the clients.
func (j *project) joined() []*joiner {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Collect(maps.Keys(j.clients))
}

// agents returns how many of the clients are agents.
func (j *project) agents() int {
	n := 0
	for _, c := range j.joined() {
		if !c.serves {
			n++
		}
	}
	return n
}

// recovered is what a client is told whose server has ended.
func (j *project) recovered() string {
	st := j.Status(context.Background())
	const text = "The server of this project had ended, and another one was started. "
	if st.Live == nil {
		return text + "No app runs: call ui_start. What apps keep (mcp:keep) is there, all else of their state is gone."
	}
	return text + "It runs at " + st.URL + ", and open pages connect again. Displayed apps were loaded again with what they keep (mcp:keep); all else of their state is gone, and so are terminals, and events that nobody had collected."
}

// missed is what the first client is told after a time without one, or "".
func (j *project) missed() string {
	st := j.Status(context.Background())
	if st.Live == nil {
		return ""
	}
	text := "The app has run on without an agent, at " + st.URL + "."
	if st.Events > 0 {
		text += fmt.Sprintf(" Events that wait: %d (GET /wait, or ui_inspect with events, has them).", st.Events)
	}
	return text
}

// maxName bounds the name of a client as the person sees it, in bytes.
const maxName = 60

// whoAsks returns the name of the client that calls, if there are several.
func whoAsks(ctx context.Context) string {
	c, call := joinerOf(ctx), mcpserver.CallOf(ctx)
	if c == nil || call == nil {
		return ""
	}
	n := c.project.agents()
	about := call.Session.InitializeParams()
	if n < 2 || about == nil || about.ClientInfo == nil {
		return ""
	}
	return safetext.Label(cmp.Or(about.ClientInfo.Title, about.ClientInfo.Name), maxName)
}

// tellOthers tells all clients but one.
func (j *project) tellOthers(but *joiner, text string) {
	for _, c := range j.joined() {
		if c != but {
			c.news.Tell(text)
		}
	}
}

// hasNews reports whether results of a tool may have news: those that the agent reads, and that are
// not in a form which a client expects.
func hasNews(tool string) bool { return strings.HasPrefix(tool, "ui_") && tool != "ui_relay" }

// Write implements [net.Conn].
func (c *joiner) Write(p []byte) (int, error) {
	return c.write(p, httpio.WriteTimeout)
}

func (c *joiner) write(p []byte, within time.Duration) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return len(p), nil
	}
	_ = c.Conn.SetWriteDeadline(time.Now().Add(within)) // else the client has left
	n, err := c.Conn.Write(p)
	if err != nil { // a part may have been sent, and who does not read holds up all others no more
		_ = c.Conn.Close()
	}
	return n, err
}

// SetWriteDeadline implements [net.Conn]: Write sets it.
func (c *joiner) SetWriteDeadline(time.Time) error { return nil }

// ownTime is how long the program of a client may take to read what is meant for itself.
const ownTime = time.Second

// own sends the client's program a notification that is not for the client itself.
func (c *joiner) own(method string, params any) error {
	message := jsonrpc.MustMarshal(map[string]any{"jsonrpc": jsonrpc.Version, "method": method, "params": params})
	_, err := c.write(append(message, '\n'), ownTime)
	return err
}

// move has a client join the server of another folder. Its calls that have no answer are made there
// again.
func (c *joiner) move(to app.Configuration) {
	_ = c.own(mcpbridge.FarewellMethod, to) // else the client has left
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
	_ = c.SetReadDeadline(time.Now()) // which ends the serving of it
	_ = c.Conn.Close()
}

// Configure implements [mcpui.Ops]. The server of a project serves its own folder only: a client
// that wants another one gets that folder's server.
func (p *program) Configure(ctx context.Context, dir string) (app.Configuration, error) {
	j, c := p.project.Load(), joinerOf(ctx)
	if j == nil || j.stay.stays && c == nil || !filepath.IsAbs(dir) {
		return p.App.Configure(ctx, dir)
	}
	if elsewhere := discovery.ProjectName(dir) != discovery.ProjectName(j.config.Dir); elsewhere && c == nil {
		return app.Configuration{}, fault.New(fault.Precondition, "all agents of %s share this server: start \"ui-mcp mcp --dir %s\" for another folder", j.config.Dir, dir)
	} else if elsewhere {
		to, err := j.Prepare(dir)
		if err != nil {
			return app.Configuration{}, err
		}
		c.move(to)
		return app.Configuration{}, fault.New(fault.Gone, "the client has another server now") // nobody gets it
	}
	if c == nil {
		c = &joiner{}
	}
	j.mu.Lock()
	moved := c.moved
	c.moved = nil
	j.mu.Unlock()
	if moved != nil {
		return *moved, nil // others may use the app
	}
	configuration, err := p.App.Configure(ctx, dir)
	if err == nil {
		j.tellState()
		j.tellOthers(c, "Another agent of this project has called ui_configure: what ran was stopped, and the state of the apps is gone. Call ui_start to go on.")
	}
	return configuration, err
}

// Status implements [mcpui.Ops].
func (p *program) Status(ctx context.Context) app.Status {
	st := p.App.Status(ctx)
	if c := joinerOf(ctx); c != nil {
		st.IgnoredFlags = c.flags
		if n := c.project.agents(); n > 1 {
			st.Agents = n
		}
	}
	return st
}

// A projectLog passes what the server logs on to the standard error of the clients, or writes it to
// its own while there is none.
type projectLog struct {
	own io.Writer
	to  atomic.Pointer[project] // nil before clients can join
}

// Write implements [io.Writer]. It never fails: a log must not stop what it is about.
func (l *projectLog) Write(line []byte) (int, error) {
	var clients []*joiner
	if j := l.to.Load(); j != nil {
		clients = j.joined()
	}
	for _, c := range clients {
		_ = c.own(ownLogMethod, string(bytes.TrimRight(line, "\n"))) // else it has left
	}
	if clients == nil {
		_, _ = l.own.Write(line)
	}
	return len(line), nil
}

// serveProject is the server of a project, which a client has started.
func (c mcpCommand) serveProject(ctx context.Context, e env) error {
	out := &projectLog{own: e.Err}
	log := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: c.LogLevel}))
	folder, err := instance.Open(environ.Variables(os.Environ()), log)
	if err != nil {
		return err
	}
	var p *program
	config := c.config(e, log)
	config.Stay = newStay(stayOptions{linger: c.Linger, announce: func(alone bool, until time.Time) {
		stays := `while "ui-mcp serve" runs`
		switch {
		case !alone:
			p.Notify("")
			return
		case !until.IsZero():
			stays = "until " + until.Format("15:04")
		}
		p.Notify("No agent is connected. The app stays " + stays + ", and what you do reaches the next agent.")
	}})
	if p, err = newProgram(config); err != nil {
		return err
	}
	j, err := p.share(folder)
	if err != nil {
		p.Close()
		return err
	}
	out.to.Store(j)
	reason := j.stay.wait(ctx)
	j.log.Info("stopping", "reason", reason)
	_ = os.Remove(folder.LogFile(discovery.ProjectName(c.Dir))) // which may be another server's after close
	j.close()
	return nil
}
