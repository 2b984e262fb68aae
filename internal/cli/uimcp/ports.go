package uimcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/browse"
	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/wake"
)

// portsMethod is the notification with an [added].
const portsMethod = mcpbridge.OwnPrefix + "ports"

// A wanted is what "ui-mcp serve" asks the server of a project for: ports for as long as the
// connection lasts.
type wanted struct {
	Pages   int    `json:"pages"`
	Agent   int    `json:"agent"`
	Display string `json:"display"` // the name of an app, or ""
}

// An added is the answer.
type added struct {
	Error   string   `json:"error,omitempty"` // why there are no ports; the rest is empty then
	URL     string   `json:"url"`
	Pages   int      `json:"pages"`
	Agent   int      `json:"agent"`
	Ignored []string `json:"ignored,omitempty"` // flags without effect
}

// servePorts serves the ports that a client asks for until it leaves.
func (j *project) servePorts(c *joiner, r *http.Request, h hello) {
	j.serves.Add(1)
	defer j.serves.Add(-1)
	stop, answer, err := j.addPorts(r.Context(), h)
	if err != nil {
		answer.Error = err.Error()
	}
	_ = c.own(portsMethod, answer) // else it has left
	if err != nil {
		return
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = io.Copy(io.Discard, c.Conn) // it sends nothing
	}()
	select {
	case <-left:
	case <-r.Context().Done(): // the server ends
		_ = c.SetReadDeadline(time.Unix(1, 0))
		<-left
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeProjects)
	defer cancel()
	if err := stop(ctx); err != nil {
		j.log.Warn("requests were cut off", "error", err)
	}
}

// addPorts opens ports, which the caller must stop, and starts the app if it does not run.
func (j *project) addPorts(ctx context.Context, h hello) (stop func(context.Context) error, is added, err error) {
	pages, err := app.OpenPort(h.Ports.Pages, 0, "--port")
	if err != nil {
		return nil, is, err
	}
	agent, err := app.OpenPort(h.Ports.Agent, 0, "--mcp-port")
	if err != nil {
		return nil, is, errors.Join(err, pages.Close())
	}
	if _, err = j.Start(ctx); fault.KindOf(err) == fault.Precondition && j.Status(ctx).Live != nil {
		err = nil // it runs
	}
	if err == nil && h.Ports.Display != "" {
		err = j.display(ctx, h.Ports.Display)
	}
	if err != nil {
		return nil, is, errors.Join(err, pages.Close(), agent.Close())
	}
	f, ignored, _ := j.faceOf(h.Toolsets, h.Flags) // the log says what is withheld
	if f == nil {
		return nil, is, errors.Join(fault.New(fault.Gone, "%s", join.Stopping), pages.Close(), agent.Close())
	}
	served, closeAgent := j.pagesOn(j.App, pages), j.agentOn(j.App, f.server, agent)
	url := "http://" + pages.Addr().String() + "/" + app.DefaultSession + "/"
	return func(ctx context.Context) error { return errors.Join(served.Close(ctx), closeAgent(ctx)) },
		added{URL: j.popups.link(url), Pages: portOf(pages), Agent: portOf(agent), Ignored: ignored}, nil
}

func portOf(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// display displays an app in the default session, and logs what is wrong with it.
func (p *program) display(ctx context.Context, name string) error {
	displayed, err := p.Display(ctx, app.DefaultSession, name)
	if err != nil {
		return fault.Wrap(fault.KindOf(err), err, "cannot show %s", name)
	}
	for _, problem := range displayed.Problems {
		p.log.Warn("problem in the app", "problem", problem)
	}
	return nil
}

// A joinedServe is "ui-mcp serve" beside a server of its project.
type joinedServe struct {
	env
	serveCommand
	*joining
	greeted bool // the person knows the ports
}

// beside returns what finds the server of the project, and adds ports to it.
func (c serveCommand) beside(e env, log *slog.Logger) (*joinedServe, error) {
	j, err := newJoining(e, c.Dir, hello{Toolsets: c.Toolsets, Flags: c.shared()}, c.serverCommand(defaultLinger, c.LogLevel), log)
	return &joinedServe{env: e, serveCommand: c, joining: j}, err
}

// connect connects to the server, and asks for the ports.
func (s *joinedServe) connect(ctx context.Context) (io.ReadWriteCloser, error) {
	s.hello.Ports = &wanted{int(s.Port), int(s.MCPPort), s.Demo} // nobody else uses it yet
	return s.joining.connect(ctx)
}

// A server that has run for restartSteady is started again at once; one that ends sooner, such as
// by an app that it cannot bear, after a pause that grows up to restartPause.
const restartSteady, restartPause = 30 * time.Second, time.Minute

// follow has the ports open until ctx is done. A server that ends meanwhile is started again.
func (s *joinedServe) follow(ctx context.Context, conn io.ReadWriteCloser) error {
	for pause := time.Duration(0); ; pause = min(max(time.Second, 2*pause), restartPause) {
		began := time.Now()
		err := s.wait(ctx, conn)
		if err != nil || ctx.Err() != nil {
			return err
		}
		if time.Since(began) > restartSteady {
			pause = 0
		}
		fmt.Fprintf(s.Err, "ui-mcp: the server of %s has ended, and is started again\n", s.dir)
		if wake.After(ctx, pause) != nil {
			return nil
		}
		if conn, err = s.connect(ctx); err != nil {
			return unlessStopped(ctx, err)
		}
	}
}

// wait returns when the server has closed a connection: after ctx was done, or because it has
// ended.
func (s *joinedServe) wait(ctx context.Context, conn io.ReadWriteCloser) error {
	defer conn.Close()
	leave := context.AfterFunc(ctx, func() {
		_ = conn.(interface{ SetReadDeadline(time.Time) error }).SetReadDeadline(time.Now().Add(leaveTime))
		_ = conn.(interface{ CloseWrite() error }).CloseWrite() // the server closes the ports
	})
	defer leave()
	lines := jsonrpc.NewLineReader(conn, maxOwn)
	for {
		line, err := lines.Next()
		if err != nil && !errors.Is(err, jsonrpc.ErrLineTooLong) {
			return nil
		}
		var m struct {
			Method string
			Params json.RawMessage
		}
		_ = json.Unmarshal(line, &m) // then it says nothing
		if m.Method != portsMethod {
			s.own(m.Method, m.Params)
			continue
		}
		var is added
		if err := json.Unmarshal(m.Params, &is); err != nil || is.Error != "" {
			return errors.Join(err, fault.New(fault.Precondition, "%s", is.Error))
		}
		s.Port, s.MCPPort = uint16(is.Pages), uint16(is.Agent) // the same ones again
		if err := s.greet(is); err != nil {
			return err
		}
	}
}

// leaveTime is how long the server may take to close the ports.
const leaveTime = 20 * time.Second

// maxOwn bounds a line of the server, in bytes. A longer one is left out.
const maxOwn = 1 << 20

func (s *joinedServe) greet(is added) error {
	if len(is.Ignored) > 0 {
		fmt.Fprintf(s.Err, "ui-mcp: the server of this project was started with other flags, which hold; without effect: %s\n", strings.Join(is.Ignored, " "))
	}
	if s.greeted {
		return nil
	}
	s.greeted, s.Demo = true, "" // a server that is started again displays what was displayed
	_, err := fmt.Fprintf(s.Out, "Added to the server of %s, which runs already; MCP is at http://%s/mcp\n%s Press Ctrl-C to close these ports.\n", s.Dir, loopback(is.Agent), openHere(is.URL))
	if err == nil && s.Open {
		if problem := browse.Open(is.URL); problem != nil {
			fmt.Fprintf(s.Err, "ui-mcp: the browser was not opened: %v\n", problem)
		}
	}
	return err
}
