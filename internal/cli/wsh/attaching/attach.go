// Package attaching has the commands of wsh that take a person's terminal: those that attach it to
// a session, a new one or one that there is, and the one that only looks.
package attaching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"ui-mcp/internal/cli/attach"
	"ui-mcp/internal/cli/attach/chooser"
	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/wake"
)

// findPause is the pause between two attempts to find the server.
const findPause = 50 * time.Millisecond

// ClientFlags say how a person's terminal is attached. Those with a toml tag are keys of [client]
// in the configuration file.
type ClientFlags struct {
	Scrollback History           `toml:"scrollback" default:"1000" placeholder:"LINES" help:"How many of the newest lines of history to copy into the terminal's own scrollback: all, none or a number (default: ${default})."`
	AltScreen  bool              `toml:"alt_screen" help:"Draw on the terminal's alternate screen, so that nothing of the session stays on it."`
	Size       string            `toml:"size" enum:"leader,manual," default:"" placeholder:"RULE" help:"Whose terminal decides the size of the session: leader (the one typed on last; the usual rule) or manual (none)."`
	ReadOnly   bool              `toml:"-" help:"Only look: type nothing, and never decide the size."`
	As         caller.ClientName `toml:"-" placeholder:"NAME" help:"The name by which others know this terminal, which must be free (default: the user and the terminal, such as ann@pts/3)."`
	DetachKey  *DetachKey        `toml:"detach_key" default:"${detach_key}" placeholder:"KEY" help:"The key that detaches when it is typed twice, such as ctrl-], or off (default: ${default})."`
	Clipboard  bool              `toml:"clipboard" negatable:"" help:"Let programs put text on this terminal's clipboard (OSC 52)."`
	ShowAgent  bool              `toml:"show_agent" negatable:"" help:"Show in the last row which program typed last and what, what the session waits for, and whether keys are captured."`
	Status     string            `toml:"status" enum:"hint,line,none" default:"hint" placeholder:"KIND" help:"What the row of wsh shows: hint (the session, how to leave and where help is, until the first key), line (always: the session, which others need you, and the time) or none (default: ${default})."`
	Wheel      *bool             `toml:"wheel" negatable:"" help:"Let the wheel of the mouse begin looking back while the program takes no mouse (default: with --alt-screen, where the terminal itself cannot scroll). Text is then selected with Shift."`
	AskToType  bool              `toml:"ask_to_type" negatable:"" help:"In a session that this creates, the person at an attached terminal decides which programs may type, before their first input."`
	Config     string            `toml:"-" type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file (default: ~/.config/wsh/config.toml, which need not exist)."`
}

// sessionFlags describe a session to create.
type sessionFlags struct {
	Command     string           `short:"c" xor:"program" complete:"command" placeholder:"COMMAND" help:"Run this command line instead of a shell."`
	Shell       string           `xor:"program" complete:"command" placeholder:"PROGRAM" help:"Run this shell instead of yours."`
	Interactive bool             `short:"i" hidden:"" help:"Has no effect: sessions are interactive."`
	Tags        []caller.TagName `name:"tag" placeholder:"TAG" help:"Give the session a tag. May be repeated."`
}

// startFlags say how to start a server if there is none.
type startFlags struct {
	Bind  string `placeholder:"ADDRESS:PORT" help:"Where a newly started server listens (default: 127.0.0.1:8080, or any port if that is in use)."`
	Token string `env:"WSH_TOKEN" placeholder:"TOKEN" help:"The token that a newly started server requires. It shows in the process list: prefer WSH_TOKEN."`
}

// A New is "wsh new", and "wsh" without a command.
type New struct {
	Name string `placeholder:"NAME" help:"The session's name (default: the first free number); HOST/NAME starts it on another server, and HOST/ with a number there."`
	sessionFlags
	ClientFlags
	caller.OtherServerFlag
	startFlags
}

type Attach struct {
	Name   caller.SessionName `arg:"" optional:"" help:"The session (default: the one used last, first among those without an attached terminal)."`
	Create bool               `help:"Create the session if there is none of that name, and the server if need be."`
	sessionFlags
	ClientFlags
	caller.OtherServerFlag
	startFlags
}

// Run creates a session and attaches to it.
func (c *New) Run(ctx context.Context, e caller.Env) error {
	c.Name = string(c.Of(caller.SessionName(c.Name)))
	create, err := c.create(e, c.Name)
	if err != nil {
		return err
	}
	err = c.attach(ctx, e, c.startFlags, attach.Options{Create: create})
	if r, ok := errors.AsType[*attach.Refusal](err); ok && r.Code == errcode.NameConflict {
		return fault.New(fault.Exists, "there is a session %q already: \"wsh attach %s\" opens it", c.Name, commandline.LastWord(string(c.Name)))
	}
	return err
}

// Run attaches to a session. Another client may create one of the name, or end it, at any moment.
func (c *Attach) Run(ctx context.Context, e caller.Env) error {
	if c.Name != "" {
		c.Name = c.Of(c.Name)
	} else {
		if c.Create {
			return fault.New(fault.Invalid, "which session? --create needs its name; \"wsh\" makes one with a number")
		}
		latest, err := latest(ctx, e, c.OtherServerFlag)
		if err != nil {
			return err
		}
		e.Where.ServerName, c.Name = latest.Server, caller.SessionName(latest.Name)
	}
	limit := time.Now().Add(createTime)
	for {
		err := c.attach(ctx, e, c.startFlags, attach.Options{Session: string(c.Name)})
		if !c.Create || !isMissing(err) {
			return c.suggest(ctx, e, err)
		}
		create, err := c.create(e, string(c.Name))
		if err != nil {
			return err
		}
		err = c.attach(ctx, e, c.startFlags, attach.Options{Create: create})
		if r, ok := errors.AsType[*attach.Refusal](err); !ok || r.Code != errcode.NameConflict || time.Now().After(limit) {
			return err
		}
		if err := wake.After(ctx, findPause); err != nil {
			return err
		}
	}
}

// latest returns the session to attach to when none is named.
func latest(ctx context.Context, e caller.Env, on caller.OtherServerFlag) (caller.Located, error) {
	list, err := e.SessionsEverywhere(ctx, nil)
	if err != nil {
		return caller.Located{}, err
	}
	list = slices.DeleteFunc(list, func(s caller.Located) bool { return !s.Running || s.LastKnownMS != nil || !on.Has(s.Session) })
	if len(list) == 0 {
		return caller.Located{}, fault.New(fault.NotFound, "no session runs: \"wsh\" starts one")
	}
	farther := func(s caller.Located) (n int) {
		for _, is := range []bool{s.IsElsewhere(), wire.HostOf(s.Name) != "", s.Clients > 0} {
			if n *= 2; is {
				n++
			}
		}
		return n
	}
	return slices.MinFunc(list, func(a, b caller.Located) int {
		return cmp.Or(cmp.Compare(farther(a), farther(b)), cmp.Compare(a.LastActivityMS, b.LastActivityMS))
	}), nil
}

// createTime is how long another client may take to create a session of the same name. Until its
// program has started, the session can be neither found nor created.
const createTime = 10 * time.Second

// isMissing reports whether an error says that there is no such session, or no server.
func isMissing(err error) bool {
	r, refused := errors.AsType[*attach.Refusal](err)
	return refused && (r.Code == errcode.SessionNotFound || r.Code == errcode.SessionEnded) || fault.DetailOf(err) == caller.NoServer
}

// suggest adds to the error that there is no such session what to do.
func (c *Attach) suggest(ctx context.Context, e caller.Env, err error) error {
	r, refused := errors.AsType[*attach.Refusal](err)
	switch {
	case refused && r.Code == errcode.SessionEnded:
		return fault.New(fault.Gone, "%v: \"wsh screen %s\" prints it", err, commandline.LastWord(string(c.Name)))
	case !refused || r.Code != errcode.SessionNotFound:
		return err
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		if meant := r.Meant(ctx, string(c.Name)); meant != "" {
			return fault.New(fault.NotFound, "%v: did you mean %q?", err, meant)
		}
		return fault.New(fault.NotFound, "%v: \"wsh list\" lists the sessions, and --create makes one", err)
	})
}

// create describes a session in the caller's directory with the caller's environment, unless it is
// on another server, where neither means anything.
func (f *sessionFlags) create(e caller.Env, name string) (n *terminals.NewSession, err error) {
	n = &terminals.NewSession{Name: name, Command: f.Command, Tags: caller.Texts(f.Tags)}
	if f.Shell != "" {
		n.Command = f.Shell
	}
	if wire.HostOf(name) != "" {
		return n, nil
	}
	if n.Dir, n.Env, err = e.ForSession(); err != nil {
		return nil, err
	}
	if shell := cmp.Or(f.Shell, e.Vars.Get("SHELL")); n.Command == f.Shell {
		if err := caller.CheckShell(shell); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// restartTime is how long to look for another server while the one that was found is stopping.
const restartTime = 10 * time.Second

// attach attaches the terminal to a session, and says how that ended.
func (f *ClientFlags) attach(ctx context.Context, e caller.Env, start startFlags, o attach.Options) error {
	if name := e.Vars.Get(registry.SessionVariable); name != "" {
		again := "wsh"
		switch {
		case o.Session != "":
			again += " attach " + commandline.LastWord(o.Session)
		case o.Create != nil && o.Create.Name != "":
			again += " attach --create " + commandline.LastWord(o.Create.Name)
		}
		return fault.New(fault.Precondition, "this terminal is in the session %q already; to open another one inside it, run \"env -u %s %s\"", name, registry.SessionVariable, again)
	}
	if e.Vars.Get("TERM") == "dumb" {
		return fault.New(fault.Precondition, "a terminal of the kind \"dumb\" (TERM) cannot display a session: use another, or \"wsh send\" and \"wsh screen\"")
	}
	folder, err := e.NewFolder()
	if err != nil {
		return err
	}
	o.Scrollback, o.AltScreen, o.Detach = f.Scrollback.lines, f.AltScreen, outer.DefaultKey
	o.Viewer = term.ViewerOptions{
		SizeRule: core.SizeRule(f.Size), Clipboard: f.Clipboard, ShowAgent: f.ShowAgent, Bar: f.Status == "line",
		Plain: e.Vars.Get("NO_COLOR") != "", Wheel: f.AltScreen,
	}
	if f.Wheel != nil {
		o.Viewer.Wheel = *f.Wheel
	}
	o.Client.Name, o.Client.Exact, o.Client.ReadOnly = cmp.Or(string(f.As), e.TerminalName()), f.As != "", f.ReadOnly
	if f.DetachKey != nil {
		o.Detach = f.DetachKey.Key
	}
	page := ""
	if f.Status != "none" {
		o.Greeting = func() string { return greeting(o.Detach) + page }
	}
	o.Keys = KeysTopic.Text
	o.Sessions = func(ctx context.Context, show func([]chooser.Session, error)) { showSessions(ctx, e, show) }
	o.Rename = func(ctx context.Context, id, name string) error { return rename(ctx, e, id, name) }
	o.In, _ = e.In.(*os.File)
	o.Out, _ = e.Out.(*os.File)
	o.Abandon = func() { os.Exit(caller.ExitInterrupted) }
	o.Redial = func(context.Context) (net.Conn, error) {
		conn, err := folder.Dial(e.Where.ServerName, e.Where.Socket)
		return conn, e.Where.Explain(err)
	}
	o.Dial = o.Redial
	if o.Create != nil {
		o.Create.AskToType = f.AskToType
	}
	if o.Create != nil || wire.HostOf(o.Session) != "" {
		var args []string
		if f.Config != "" {
			file, err := filepath.Abs(f.Config)
			if err != nil {
				return fault.Wrap(fault.Precondition, err, "find the configuration file")
			}
			args = []string{"--config", file}
		}
		o.Dial = func(ctx context.Context) (net.Conn, error) {
			conn, started, err := folder.DialOrStart(ctx, instance.Options{Name: e.Where.ServerName, Socket: e.Where.Socket, Bind: start.Bind, Token: start.Token, Args: args})
			if started {
				page = pageOf(ctx, folder, e.Where.ServerName)
			}
			return conn, err
		}
	}
	limit := time.Now().Add(restartTime)
	for {
		end, err := attach.Run(ctx, o)
		r, refused := errors.AsType[*attach.Refusal](err)
		switch {
		case err == nil:
			return f.report(e, end)
		case refused && r.Protocol != terminals.Protocol:
			return fault.New(fault.Precondition, "%s", compare(ctx, e))
		case refused && r.Session != "" && r.Code == errcode.SessionEnded:
			return missedEnd(ctx, e, r.Session, err)
		case refused && r.Session != "" && r.Code == errcode.SessionNotFound:
			return fault.New(fault.Gone, "the session was removed while this terminal was not connected to it")
		case errors.Is(err, context.DeadlineExceeded):
			return cmp.Or(checkAnswers(ctx, e), err)
		case !refused || r.Code != string(registry.Stopping) || time.Now().After(limit):
			return err
		}
		if wake.After(ctx, findPause) != nil {
			return nil
		}
	}
}

func checkAnswers(ctx context.Context, e caller.Env) error {
	c, err := e.NewClient()
	if err != nil {
		return nil // which was no problem before
	}
	defer c.Close()
	return c.Ask(ctx, compareTime)
}

// missedEnd ends like a program that has ended while the terminal was not connected to its session,
// because it was suspended or the connection was broken. err says that the session cannot be
// attached to.
func missedEnd(ctx context.Context, e caller.Env, id string, err error) error {
	var s wire.Session
	failed := e.WithServer(context.WithoutCancel(ctx), func(r *caller.Remote) (err error) {
		s, err = terminals.GetSession.Do(ctx, r, terminals.Everything, terminals.Target{Session: id})
		return err
	})
	if failed != nil || s.Exit == nil {
		return err
	}
	e.Note("the program has ended while this terminal was not connected to it: \"wsh screen %s\" prints its last screen", commandline.LastWord(s.Name))
	return caller.WithStatus(*s.Exit)
}

// compareTime is how long a server may take to state its version.
const compareTime = time.Second

// compare says how the server's version differs from this one, and what to do.
func compare(ctx context.Context, e caller.Env) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), compareTime)
	defer cancel()
	text := ""
	_ = e.WithAnyServer(ctx, func(_ *caller.Remote, about terminals.ServerInfo) error { // it may have ended
		text = caller.Advice(e.Where.ServerName, about, e.Version)
		return nil
	})
	return cmp.Or(text, fmt.Sprintf("the server %q speaks another protocol: it is another program, or another version of this one: %q may end it, and -L OTHER leaves it alone",
		e.Where.ServerName, caller.HowToStop(e.Where.ServerName)))
}

// report says how a session ended for this client.
func (f *ClientFlags) report(e caller.Env, end socketwire.End) error {
	switch end.Reason {
	case socketwire.Exited:
		if end.Code == 0 {
			return nil
		}
		return &commandline.StatusError{Status: end.Code}
	case socketwire.Removed:
		return fault.New(fault.Gone, "the session was killed")
	case socketwire.Stopping:
		return fault.New(fault.Gone, "the server is stopping, and the session with it")
	}
	return e.Printf("[detached from %s: %s]\n", safetext.Visible(end.Name), safetext.Visible(e.HowTo("attach", end.Name)))
}

// greeting says how to leave a session, and where the other keys are described.
func greeting(detach outer.Key) string {
	if detach == (outer.Key{}) {
		return "wsh detach leaves  wsh help keys"
	}
	return detach.String() + " twice leaves  wsh help keys"
}

// pageOf says at which port the page of a server is that was just started, for the person who did
// not ask for one. The server tells it before it answers.
func pageOf(ctx context.Context, f *instance.Folder, name string) string {
	s, found := f.Find(name)
	for limit := time.Now().Add(compareTime); !found && time.Now().Before(limit) && wake.After(ctx, time.Millisecond) == nil; {
		s, found = f.Find(name)
	}
	if s.Address == "" {
		return ""
	}
	return "  page at " + s.Address
}

// A History is a number of lines; -1 means all. It is no number for decoders, which would not check
// it.
type History struct{ lines int }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (h *History) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "all":
		h.lines = -1
	case "none":
		h.lines = 0
	default:
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 {
			return fault.New(fault.Invalid, "%q is not a number of lines, all or none", s)
		}
		h.lines = n
	}
	return nil
}

// A DetachKey is the value of a flag.
type DetachKey struct{ outer.Key }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *DetachKey) UnmarshalText(text []byte) (err error) {
	k.Key, err = outer.ParseKey(string(text))
	return err
}
