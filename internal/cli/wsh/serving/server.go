// Package serving is "wsh server": it wires the parts of a server of terminals together, and
// decides when the server ends. Flags, and the configuration file, are read before.
//
// A [Command] has the flags. Its Run claims the server's name (discovery), opens the Unix socket
// and the port, and builds what answers there:
//
//	socket ── bridgeHandler (bridges, other servers) ── gate ── httpterm, wsterm, mcpEndpoint
//	port   ──────────────────────────────────────────── gate ── httpterm, wsterm, mcpEndpoint, pages
//	                                                     each ── fleet.Router ── terminals.Local
//
// A lifetime decides when a server that was started on demand ends: when no session, client or
// bridge needs it. The name stays claimed until all of it has ended, so no two servers have one
// name.
package serving

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/cli/reach"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httppopup"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/wsterm"
	"ui-mcp/skills"
)

// Limits of --record-size and --recordings-size, in MiB.
const (
	minRecordSize = 64
	maxRecordSize = 1 << 20
)

// closeTime is how long requests may take to finish when the server stops.
const closeTime = 5 * time.Second

// A Command is "wsh server". Its fields are flags and, with a toml tag, keys of [server] in
// the configuration file.
type Command struct {
	Bind       string `toml:"bind" default:"127.0.0.1:8080" placeholder:"ADDRESS:PORT" help:"Where to listen (default: ${default}, and [::1] with it). Port 0 means any that is free. On addresses that other machines can reach, clients need a token."`
	SocketOnly bool   `toml:"socket_only" help:"Open no port: only programs of this user reach the server, by its Unix socket, and there is no page. --bind opens one nevertheless."`
	Ephemeral  bool   `toml:"ephemeral" help:"End when no program runs any more, no request is open and no result of a command can be read (see --linger), or after half a minute without a first program, unless other servers are known."`
	Hostname   string `toml:"hostname" env:"WSH_HOSTNAME" placeholder:"NAME" help:"What the server calls itself (default: the name of this machine)."`

	Label []string `toml:"label" placeholder:"LABEL" help:"What this machine is for, such as gpu or disk=fast, beside os=SYSTEM and arch=ARCHITECTURE. Other servers choose machines by it. May be repeated."`

	MaxSessions int             `toml:"max_sessions" default:"256" placeholder:"N" help:"How many programs may run at once (default: ${default})."`
	MaxClients  int             `toml:"max_clients" default:"64" placeholder:"N" help:"How many clients may be attached to a session (default: ${default})."`
	MaxPerAgent int             `toml:"max_agent_sessions" name:"max-agent-sessions" default:"64" placeholder:"N" help:"How many of the programs that one client of MCP started may run at once (default: ${default})."`
	Scrollback  int             `toml:"scrollback" default:"10000" placeholder:"LINES" help:"Lines that sessions keep above the screen, unless a session is created with another number (default: ${default})."`
	Linger      caller.Duration `toml:"linger" default:"10m" placeholder:"DURATION" help:"How long a session can be read when its program has ended (default: ${default})."`

	IdleKill       caller.Duration `toml:"idle_kill" placeholder:"DURATION" help:"Kill programs after this long without a client, output, input or waiting call (default: never)."`
	AskToType      bool            `toml:"ask_to_type" help:"Let the person at an attached terminal decide which programs may type in a session, before their first input. Without anybody attached, input is refused."`
	Confirm        *regexp.Regexp  `toml:"confirm" placeholder:"PATTERN" help:"Ask a person before a program enters a line that matches this regular expression, such as '\\bsudo\\b|\\brm -r', or starts a session with such a command. What persons type at attached terminals is not asked about. It prevents accidents, and is not a security boundary."`
	AskPrompts     termask.Rule    `toml:"ask_prompts" default:"secrets" placeholder:"RULE" help:"When a program in a session that an agent uses asks for something, and nobody is attached to the session, ask at the terminals that are attached to other sessions of its directory: off, secrets or all (default: ${default})."`
	EnvAllow       []string        `toml:"env_allow" placeholder:"NAME" help:"Pass only these variables to sessions, besides HOME, PATH and similar. * stands for any characters. May be repeated."`
	EnvDeny        []string        `toml:"env_deny" placeholder:"NAME" help:"Keep these of the server's variables from sessions, such as AWS_*. May be repeated."`
	Record         string          `toml:"record" type:"path" placeholder:"FOLDER" help:"Record what all programs write, in asciicast files."`
	RecordSize     int             `toml:"record_size" default:"1024" placeholder:"MIB" help:"How many MiB of recordings to keep; the oldest are removed (default: ${default})."`
	RecordAge      caller.Duration `toml:"record_age" default:"720h" placeholder:"DURATION" help:"How long to keep recordings (default: ${default})."`
	RecordingsSize int             `toml:"recordings_size" name:"recordings-size" default:"512" placeholder:"MIB" help:"How many MiB the recordings that clients start may have together (default: ${default})."`

	Token      string   `toml:"token" placeholder:"TOKEN" help:"Require this token of at least 16 bytes. It shows in the process list: prefer --token-file or WSH_TOKEN."`
	TokenFile  string   `toml:"token_file" type:"path" placeholder:"FILE" help:"Ask clients for the token in a file that only this user can read."`
	TLSCert    string   `toml:"tls_cert" name:"tls-cert" type:"path" placeholder:"FILE" help:"The certificate for TLS, with its chain, in PEM."`
	TLSKey     string   `toml:"tls_key" name:"tls-key" type:"path" placeholder:"FILE" help:"The certificate's private key, in PEM."`
	BasePrefix string   `toml:"base_prefix" env:"WSH_BASE_PREFIX" placeholder:"/PATH" help:"Serve everything below a path, such as /wsh behind a proxy."`
	CORSOrigin []string `toml:"cors_origin" name:"cors-origin" placeholder:"ORIGIN" help:"Let pages of another site use the server, such as https://example.com. May be repeated."`
	RateLimit  int      `toml:"rate_limit" placeholder:"N" help:"Requests per second from one address; =-1: no limit (default: 100 if other machines can reach the server, else no limit)."`

	Config   string       `toml:"-" type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file (default: ~/.config/wsh/config.toml, which need not exist)."`
	LogLevel caller.Level `toml:"log_level" default:"info" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`

	// For servers that other commands start: see package instance.
	AnyPort bool   `toml:"-" hidden:"" help:"If the port is in use, take any that is free."`
	LogFile string `toml:"-" hidden:"" type:"path" help:"Log to a file of bounded length."`
	Bridged bool   `toml:"-" hidden:"" help:"End with the last \"wsh mcp\"."`

	file  Configured
	bound bool // --bind was given
}

// Configure tells the command what the configuration file says, and whether --bind was given.
func (c *Command) Configure(file Configured, bound bool) { c.file, c.bound = file, bound }

// check returns an error if a flag has an impossible value.
func (c *Command) check(e caller.Env) error {
	switch {
	case c.MaxSessions < 1:
		return fault.New(fault.Invalid, "--max-sessions must be at least 1")
	case c.MaxPerAgent < 1:
		return fault.New(fault.Invalid, "--max-agent-sessions must be at least 1")
	case c.MaxClients < 1:
		return fault.New(fault.Invalid, "--max-clients must be at least 1")
	case c.Scrollback < 0 || c.Scrollback > vt.MaxScrollback:
		return fault.New(fault.Invalid, "--scrollback must be 0 to %d", vt.MaxScrollback)
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fault.New(fault.Invalid, "--tls-cert and --tls-key belong together")
	case terminals.CheckLabels(c.Label) != nil:
		return terminals.CheckLabels(c.Label)
	case c.Linger.Duration < 0:
		return fault.New(fault.Invalid, "--linger must not be negative")
	case c.IdleKill.Duration < 0:
		return fault.New(fault.Invalid, "--idle-kill must not be negative")
	case c.RecordSize < minRecordSize || c.RecordSize > maxRecordSize:
		return fault.New(fault.Invalid, "--record-size must be %d to %d", minRecordSize, maxRecordSize)
	case c.RecordingsSize < minRecordSize || c.RecordingsSize > maxRecordSize:
		return fault.New(fault.Invalid, "--recordings-size must be %d to %d", minRecordSize, maxRecordSize)
	case c.RecordAge.Duration < time.Minute:
		return fault.New(fault.Invalid, "--record-age must be at least a minute")
	case caller.IsWsh(e.Vars.Shell()):
		return caller.CheckShell(e.Vars.Shell())
	case c.file.Secret:
		return fault.New(fault.Precondition, "%s has a token, and other users can read it: chmod 600 %[1]s", c.file.Path)
	}
	return nil
}

// Run serves until ctx is done, a client stops the server, or an ephemeral one is not needed any
// more.
func (c *Command) Run(ctx context.Context, e caller.Env) (err error) {
	if err := c.check(e); err != nil {
		return err
	}
	log, err := c.logger(e)
	if err != nil {
		return err
	}
	for _, note := range c.file.Notes {
		log.Warn(note, "file", c.file.Path)
	}
	folder, err := instance.Open(e.Vars, log)
	if err != nil {
		return err
	}
	claim, err := folder.Claim(e.Where.ServerName, e.Where.Socket)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()

	var tcp net.Listener
	address := "" // of the port, if there is one
	exposed := false
	if c.bound || !c.SocketOnly {
		if tcp, err = bind(ctx, c.Bind, c.AnyPort); err != nil {
			return err
		}
		defer tcp.Close() // harmless once the server has closed it
		address, exposed = reachable(tcp.Addr()), gate.IsExposed(tcp.Addr())
	}
	token, tokenFile, err := c.tokenSource(e, folder.TokenFile(e.Where.ServerName), exposed, log).Load()
	if err != nil {
		return err
	}
	var encrypted net.Listener
	if tcp != nil {
		if encrypted, err = c.encrypt(tcp, log); err != nil {
			return err
		}
	}
	if exposed && c.TLSCert == "" {
		log.Warn("terminals and the token cross the network unencrypted: use --tls-cert and --tls-key")
	}
	config, err := c.sessions(e, log)
	if err != nil {
		return err
	}
	if config.Scripts, err = shell.Install(claim.Scripts()); err != nil {
		return err
	}
	config.Scripts.Login = c.Bridged && isBare(e.Vars)
	var archive *record.Folder
	if c.Record != "" {
		archive, err = record.OpenFolder(c.Record, int64(c.RecordSize)<<20, c.RecordAge.Duration, log)
		if err != nil {
			return err
		}
		defer archive.Close()
		config.Archive = archive.Create
	}
	sessions := registry.New(config)
	defer func() { err = errors.Join(err, sessions.Close()) }()
	life := newLifetime(!c.Ephemeral, c.Bridged)
	life.wanted = func() {
		if err := folder.NoteStopped(e.Where.ServerName); err != nil {
			log.Warn("other servers may start this one again", "error", err)
		}
	}
	host, err := c.host(e, life)
	if err != nil {
		return err
	}
	host.Archive = archive
	browser := chromium.New(chromium.Options{Flags: []string{chromium.Offline}})
	defer browser.Close()
	host.PNG = browser.Draw
	broker, err := popup.New(popup.Options{Patience: patience, Log: log})
	if err != nil {
		return err
	}
	attached := termask.NewTerminals(termask.TerminalOptions{Sessions: sessions, Broker: broker})
	offer := questions.New(broker, host.ID)
	host.Questions = offer
	program := nearby.New("wsh", e.Version, log)
	defer offer.Reach(func() []questions.Program {
		return program.Pages(discovery.Look(e.Vars))
	}, func(changed func()) (stop func()) { return discovery.Watch(e.Vars, changed) })()
	host.Permission = mcppopup.NewPermission(broker, attached.At).Ask
	panes := httppopup.NewPanes(broker)
	defer panes.Close()
	forOthers := []popup.Channel{attached.ForOthers(), panes}
	person := questions.NewPerson(questions.PersonOptions{Broker: broker, Channels: forOthers, Log: log})
	defer person.Close()
	others := c.others(e, host, person, log)
	defer others.Close()
	host.Servers, life.others = keptBy{others, life}, others.Any
	own := terminals.NewLocal(sessions, host)
	operations := others.Over(own)
	overMCP := newMCP(operations, broker, e.Version, c.MaxPerAgent, func(session string) mcpterm.Reach {
		to := mcpterm.Reach{Attach: e.HowTo("attach", session), SaveRecording: e.HowTo("record --save", session)}
		if address != "" {
			base, name := c.address(address), url.PathEscape(session)
			to.URL, to.Recording = base+"/s/"+name, base+"/sessions/"+name+"/recording"
		}
		return to
	}, log)
	defer askPrompts(sessions, broker, attached, c.AskPrompts, log)()
	api, err := gate.New(life.observe(overMCP.beside(httpterm.New(operations, wsterm.Routes(operations, wsterm.Options{
		Join: func(deliver func(msg []byte)) attachedterm.Guest { return panes.Join(deliver) },
	})))), gate.Options{
		Exposed: exposed, Token: token, Confirm: c.Confirm, Tokens: own.Tokens(), Origins: c.CORSOrigin, Rate: c.RateLimit,
		BasePrefix: c.BasePrefix, MaxBody: httpterm.MaxBody, Log: log,
	})
	if err != nil {
		return errors.Join(err, closeAll(closeTime, overMCP, nil, log))
	}
	// Once all else has succeeded: a client that is connected counts on the server. Before anything
	// is served: a client that has an answer can rely on others to find the server.
	unix, err := claim.Listen()
	if err != nil {
		return errors.Join(err, closeAll(closeTime, overMCP, nil, log))
	}
	defer unix.Close()
	if err = errors.Join(folder.NoteStarted(e.Where.ServerName), claim.Publish(func(s *discovery.Server) { s.Address = address })); err != nil {
		err = fault.Wrap(fault.Precondition, err, "let clients find the server")
		return errors.Join(err, closeAll(closeTime, overMCP, nil, log))
	}
	options := httpserve.Options{Log: log, Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse}
	programs := questions.NewPerson(questions.PersonOptions{Broker: broker, Channels: forOthers, Relayed: true, Log: log})
	defer programs.Close()
	bridges := &bridgeHandler{host.ID, life, sessions, overMCP, e.Version, others, program.NewHandler(programs, nil), c.Confirm, token, log, api}
	servers := []*httpserve.Server{httpserve.Serve(gate.Limit(unix, log), bridges, options)}
	where := unix.Addr().String()
	if encrypted != nil {
		servers = append(servers, httpserve.Serve(encrypted, api, options))
		where = c.address(tcp.Addr().String())
	}
	defer func() { err = errors.Join(err, closeAll(closeTime, overMCP, servers, log)) }()
	if err := greet(e.Out, where, tokenFile); err != nil {
		return err
	}
	log.Info("serving", "name", e.Where.ServerName, "address", where, "socket", unix.Addr().String(), "id", host.ID, "pid", os.Getpid(), "version", e.Version)
	log.Info("stopping", "reason", life.wait(ctx, sessions))
	return nil
}

// patience is how long a question waits for a person who can be asked. Dialogs of clients are there
// at once.
const patience = 100 * time.Millisecond

// askPrompts asks persons at attached terminals what programs ask, until stop is called.
func askPrompts(sessions *registry.Registry, b *popup.Broker, attached *termask.Terminals, rule termask.Rule, log *slog.Logger) (stop func()) {
	prompts := termask.NewPrompts(termask.PromptOptions{
		Sessions: sessions, Broker: b, Log: log, Rule: func() termask.Rule { return rule },
		Channels: func(s *term.Session) []popup.Channel { return []popup.Channel{attached.Around(s)} },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { attached.Run(ctx) })
	running.Go(func() { prompts.Run(ctx) })
	return func() {
		cancel()
		running.Wait()
	}
}

// logger returns where the server logs to.
func (c *Command) logger(e caller.Env) (*slog.Logger, error) {
	if c.LogFile == "" {
		return commandline.Logger(e.Err, c.LogLevel.Level), nil
	}
	file := newLog(c.LogFile, e.Err)
	log := slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: c.LogLevel.Level}))
	return log, fault.Wrap(fault.Precondition, file.Append(nil), "open the log")
}

// maxLog is how long a log file becomes, in bytes.
const maxLog = 4 << 20

// newLog returns a log that only this user can read. Lines that cannot be written go to otherwise.
func newLog(path string, otherwise io.Writer) *files.Log {
	return &files.Log{Path: func() string { return path }, Most: maxLog, Previous: ".1", Mode: 0o600, Failed: func(line []byte, err error) {
		fmt.Fprintf(otherwise, "the log %s cannot be written: %v\n%s", path, err, line)
	}}
}

// tokenSource says where the owner's token comes from: flags, else the environment, else the
// configuration file, else a file that is made when a token is needed.
func (c *Command) tokenSource(e caller.Env, file string, exposed bool, log *slog.Logger) gate.TokenSource {
	s := gate.TokenSource{Token: c.Token, File: c.TokenFile, Env: e.Vars.Get(gate.TokenVariable), Make: file, Exposed: exposed, Log: log}
	if s.Token == "" && s.File == "" && s.Env == "" {
		s.Env, s.File = c.file.Token, c.file.TokenFile
	}
	return s
}

// encrypt bounds the connections of a listener, and adds TLS if there is a certificate.
func (c *Command) encrypt(l net.Listener, log *slog.Logger) (net.Listener, error) {
	limited := gate.Limit(l, log)
	if c.TLSCert == "" {
		return limited, nil
	}
	certificate, err := httpserve.LoadCertificate(c.TLSCert, c.TLSKey, log)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "--tls-cert and --tls-key")
	}
	return tls.NewListener(limited, certificate.Config()), nil
}

// address returns the address of the server's pages, without a slash at its end.
func (c *Command) address(listener string) string {
	scheme := "http"
	if c.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + listener + strings.TrimSuffix(c.BasePrefix, "/")
}

// greet tells the person where the server is.
func greet(out io.Writer, where, tokenFile string) error {
	text := "Serving terminal sessions on " + where + "\n"
	if tokenFile != "" {
		text += fmt.Sprintf("Clients need the token in %s.\n", tokenFile)
	}
	_, err := io.WriteString(out, text+"Press Ctrl-C to stop.\n")
	return err
}

// sessions returns what the flags say about sessions.
func (c *Command) sessions(e caller.Env, log *slog.Logger) (registry.Config, error) {
	environ, err := pty.Filter(withLocale(e.Vars), c.EnvAllow, c.EnvDeny)
	if err != nil {
		return registry.Config{}, fault.Wrap(fault.Invalid, err, "--env-allow and --env-deny")
	}
	home, _ := e.Vars.Home() // "" is no directory, either
	linger := c.Linger.Duration
	if linger == 0 {
		linger = -1 // none at all, rather than the default
	}
	return registry.Config{
		Environ: environ, Variables: map[string]string{instance.Variable: e.Where.ServerName}, Home: pty.Home(home), Shell: e.Vars.Shell(), Version: e.Version,
		Sessions: c.MaxSessions, Clients: c.MaxClients, Scrollback: &c.Scrollback, Linger: linger, IdleKill: c.IdleKill.Duration, AskToType: c.AskToType,
		Recordings: int64(c.RecordingsSize) << 20, Log: log,
	}, nil
}

// host describes this process to clients.
func (c *Command) host(e caller.Env, life *lifetime) (terminals.Host, error) {
	h := terminals.Host{Name: c.Hostname, Labels: c.Label, Version: e.Version, ID: rand.Text(), Life: life}
	var err error
	if h.Name == "" {
		if h.Name, err = os.Hostname(); err != nil {
			return h, fault.Wrap(fault.Precondition, err, "find the name of this machine: give one with --hostname")
		}
	}
	return h, nil
}

// others returns what this server knows of others.
func (c *Command) others(e caller.Env, host terminals.Host, person *questions.Person, log *slog.Logger) *fleet.Fleet {
	file := func(kind string) string { return caller.ServerFile(e.Vars, e.Where.ServerName, kind) }
	if file("") == "" {
		log.Warn("servers that are added are forgotten when this one ends: there is no home directory")
	}
	return fleet.New(fleet.Options{
		Person: person,
		Name:   host.Name, ID: host.ID, Version: e.Version, Configured: c.file.Servers, Confirm: c.Confirm, Log: log,
		File: file("servers.json"), KeyFile: file("key.json"),
		Dialer: &reach.Dialer{Self: remote.Hello{Name: host.Name, ID: host.ID, Version: e.Version}, Environ: e.Vars, Log: log},
	})
}

// closeAll closes MCP, after answering the calls in progress, and then all servers at the same
// time. Clients whose requests do not end in time are cut off, which is not a failure of the
// server.
func closeAll(within time.Duration, overMCP *mcpEndpoint, servers []*httpserve.Server, log *slog.Logger) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	cut := func(err error) error {
		if !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		log.Warn("cut off clients whose requests did not end in time")
		return nil
	}
	err := cut(overMCP.Close(ctx))
	errs := make([]error, len(servers))
	var closing sync.WaitGroup
	for i, s := range servers {
		closing.Go(func() { errs[i] = cut(s.Close(ctx)) })
	}
	closing.Wait()
	return errors.Join(err, errors.Join(errs...))
}

// Configured is what a configuration file says to a server beside its flags.
type Configured struct {
	Path string
	// secret says that the file has a token and that other users can read it.
	Secret           bool
	Token, TokenFile string                // where neither flags nor the environment have one
	Servers          []terminals.NewServer // the other servers
	Notes            []string              // for the person: which line has no effect, and why
}

// An mcpEndpoint serves the tools, resources and prompts of terminals over Streamable HTTP.
type mcpEndpoint struct {
	overHTTP *mcpserver.HTTP
	broker   *popup.Broker // of the questions for permission
	cancel   context.CancelFunc
	notified chan struct{} // closed when no client is notified any more
}

// newMCP returns the endpoint, which the caller must Close: that closes the broker, too, whose
// questions calls wait for. The grant of each caller is in the context of the request. reach is
// [mcpterm.Options.Reach]. Sessions start in the directory of the bridge, else in that of this
// process.
func newMCP(t terminals.Terminals, b *popup.Broker, linked string, maxSessions int, reach func(session string) mcpterm.Reach, log *slog.Logger) *mcpEndpoint {
	own := mcpterm.WorkingDir()
	dir := func(ctx context.Context) string {
		if bridges, ok := ctx.Value(dirKey{}).(string); ok {
			return bridges
		}
		return own
	}
	face := mcpterm.New(mcpterm.Options{Dir: dir, Terminals: t, Skills: skills.Wsh(), MaxSessions: maxSessions, Reach: reach})
	s := mcpserver.New(mcpserver.Options{
		Name: "wsh", Title: "Terminal sessions", Description: "Terminals that a person and an agent share", Icon: httpio.TerminalIcon, Version: version.Number(linked), Instructions: mcpterm.Instructions,
		Logger: log, Tune: face.Tune, News: func(string) bool { return true },
	})
	face.Register(s)
	ctx, cancel := context.WithCancel(context.Background())
	e := &mcpEndpoint{mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log}), b, cancel, make(chan struct{})}
	go func() {
		defer close(e.notified)
		face.Notify(ctx, s)
	}()
	return e
}

// beside returns a handler that serves MCP at /mcp and passes all other requests on.
func (e *mcpEndpoint) beside(api http.Handler) http.Handler {
	const path = "/mcp"
	endpoint := e.overHTTP.Routes()[path]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			endpoint.ServeHTTP(w, r)
			return
		}
		api.ServeHTTP(w, r)
	})
}

// Close ends the sessions of clients. Calls in progress are still answered, until ctx ends.
func (e *mcpEndpoint) Close(ctx context.Context) error {
	e.cancel()
	<-e.notified
	e.broker.Close()
	return e.overHTTP.Close(ctx)
}
