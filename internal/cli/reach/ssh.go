package reach

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/remote"
)

const (
	// leaveTime is how long ssh may take to end when its input has ended, before it is killed.
	leaveTime = time.Second
	// maxSaid is how much of what ssh says is kept, in bytes: the end of it.
	maxSaid = 4 << 10
	// maxLine is how much of a line of that is reported.
	maxLine = 200
)

// An sshAddress is ssh://[USER@]HOST[:PORT][?command=PROGRAM].
type sshAddress struct {
	user, host, port string
	command          string // the path or name of wsh there
}

// What parts of an address may have. Nothing of it can be an option of ssh, or mean something to a
// shell.
var (
	hostPattern    = pattern(`^[0-9A-Za-z_:][-.0-9A-Za-z_:%]*$`)
	userPattern    = pattern(`^[0-9A-Za-z_][-.0-9A-Za-z_@+\\]*$`)
	commandPattern = pattern(`^[~/0-9A-Za-z_.][-/0-9A-Za-z_.+@]*$`)
)

// pattern returns a function that compiles a regular expression when it is first called.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// parseSSH reads an address. Its errors do not repeat a password.
func parseSSH(u *url.URL) (sshAddress, error) {
	query, malformed := url.ParseQuery(u.RawQuery)
	a := sshAddress{user: u.User.Username(), host: strings.ToLower(u.Hostname()), port: u.Port(), command: query.Get("command")}
	number, err := strconv.ParseUint(a.port, 10, 16)
	hasCommand := query.Has("command")
	query.Del("command")
	_, hasPassword := u.User.Password()
	switch {
	case hasPassword:
		return a, fault.New(fault.Invalid, "an ssh address has no password: ssh takes keys, of its agent or its files")
	case !hostPattern().MatchString(a.host):
		return a, fault.New(fault.Invalid, "%q is no name or address of a host", a.host)
	case a.user != "" && !userPattern().MatchString(a.user), a.user == "" && u.User != nil:
		return a, fault.New(fault.Invalid, "%q is no name of a user", a.user)
	case a.port != "" && (err != nil || number == 0):
		return a, fault.New(fault.Invalid, "%q is no port", a.port)
	case a.command != "" && !commandPattern().MatchString(a.command), a.command == "" && hasCommand:
		return a, fault.New(fault.Invalid, "command is the path of wsh on the other host: letters, digits and / . - _ + @ ~")
	case u.Path != "" && u.Path != "/", u.Fragment != "", u.Opaque != "", malformed != nil, len(query) > 0:
		return a, fault.New(fault.Invalid, "an ssh address is ssh://[USER@]HOST[:PORT], and ?command=PATH if wsh is not found by its name there")
	}
	if a.port == "22" {
		a.port = ""
	}
	return a, nil
}

// String returns the address as it is kept.
func (a sshAddress) String() string {
	u := url.URL{Scheme: "ssh", Host: a.host}
	if a.user != "" {
		u.User = url.User(a.user)
	}
	switch {
	case a.port != "":
		u.Host = net.JoinHostPort(a.host, a.port)
	case strings.Contains(a.host, ":"):
		u.Host = "[" + a.host + "]"
	}
	if a.command != "" {
		u.RawQuery = "command=" + a.command
	}
	return u.String()
}

// args returns the arguments of ssh. start is as for [fleet.Dialer].
func (a sshAddress) args(start bool) []string {
	args := []string{
		"-T", "-a", "-x", "-e", "none",
		"-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
		"-o", "ClearAllForwardings=yes", "-o", "PermitLocalCommand=no", "-o", "RequestTTY=no",
	}
	if a.port != "" {
		args = append(args, "-p", a.port)
	}
	if a.user != "" {
		args = append(args, "-l", a.user)
	}
	command := a.program() + " servers pipe"
	if start {
		command += " --start"
	}
	return append(args, "--", a.host, command)
}

func (a sshAddress) program() string { return cmp.Or(a.command, "wsh") }

// dialSSH starts ssh, and "wsh servers pipe" on the other host.
func (d *Dialer) dialSSH(ctx context.Context, u *url.URL, start bool) (fleet.Remote, error) {
	a, err := parseSSH(u)
	if err != nil {
		return nil, err
	}
	p, err := startSSH(a, start, d.Environ.With("LC_ALL", "C"))
	if err != nil {
		return nil, err
	}
	l, err := remote.Open(ctx, p, d.Self)
	if err == nil {
		return sshRemote{l, p}, nil
	}
	return nil, p.explain(err)
}

// A sshRemote knows what ssh says about its end.
type sshRemote struct {
	*remote.Terminals
	process *process
}

// Err implements [fleet.Remote].
func (l sshRemote) Err() error { return l.process.explain(l.Terminals.Err()) }

// A process is ssh. It is read from and written to as the program on the other host.
type process struct {
	address sshAddress
	in      io.WriteCloser
	out     *os.File
	said    *tail         // of ssh; to be read when that has ended
	ended   chan struct{} // closed when it has ended; exit is set then
	exit    error
	cancel  func()
}

func startSSH(a sshAddress, start bool, variables []string) (*process, error) {
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, fault.New(fault.Precondition, "there is no program ssh here: install OpenSSH's client, or add the server with an address of HTTP")
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "start ssh")
	}
	defer theirs.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, a.args(start)...)
	p := &process{address: a, out: out, said: new(tail), ended: make(chan struct{}), cancel: cancel}
	cmd.Env, cmd.Stdout, cmd.Stderr = variables, theirs, p.said
	cmd.Cancel = func() error { return p.in.Close() } // then it ends
	cmd.WaitDelay = leaveTime                         // a master connection, which ssh may leave behind, has its standard error
	if p.in, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		_ = out.Close()
		return nil, fault.Wrap(fault.Precondition, err, "start ssh")
	}
	go func() {
		p.exit = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Read implements [io.Reader].
func (p *process) Read(b []byte) (int, error) { return p.out.Read(b) }

// Write implements [io.Writer].
func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close ends ssh, and waits until it has ended.
func (p *process) Close() error {
	p.cancel()
	_ = p.out.Close() // it may be closed
	<-p.ended
	return nil
}

// explain returns why the connection has ended, and what to do, from what ssh has said: err if it
// has said nothing.
func (p *process) explain(err error) error {
	_ = p.Close()
	status := 0
	if exit, ok := errors.AsType[*exec.ExitError](p.exit); ok {
		status = exit.ExitCode()
	}
	said, on := p.said.last(), p.address.host
	switch known := fault.DetailOf(err); {
	case known == terminals.HostLacks, fault.KindOf(err) == fault.Exists:
		return err
	case status == 127:
		return remote.Away("there is no program %s on %s: install wsh there, or say where it is with ?command=PATH after the address", p.address.program(), on)
	case status == 2: // the command line is wrong
		return remote.Away("the wsh on %s is too old to be reached over ssh: update it", on)
	case status != 255 && said != "": // "wsh servers pipe" has failed
		return remote.Away("%s says: %s", on, said)
	}
	for _, one := range refusals {
		if bytes.Contains(p.said.text, []byte(one.said)) {
			args, known := p.address.typed()
			return remote.Away(one.advice+"%.0[3]s%.0[4]s", on, said, args, known)
		}
	}
	if said != "" {
		return remote.Away("ssh to %s has failed: %s", on, said)
	}
	return err
}

// typed returns the arguments with which a person has ssh connect to the host, and what ssh calls
// that among the keys that it knows, as a word for a shell.
func (a sshAddress) typed() (args, known string) {
	args, known = a.host, a.host
	if a.user != "" {
		args = a.user + "@" + a.host
	}
	if a.port != "" {
		args, known = "-p "+a.port+" "+args, "'["+a.host+"]:"+a.port+"'"
	}
	return args, known
}

// refusals are what ssh says, in its own words, and what to do then, with the host, the line in
// which ssh says it, and what [sshAddress.typed] returns.
var refusals = []struct{ said, advice string }{
	{"REMOTE HOST IDENTIFICATION HAS CHANGED", "the key of %[1]s is not the one that ssh knows: find out why before you remove the old one with \"ssh-keygen -R %[4]s\" (%[2]s)"},
	{"Host key verification failed", "ssh does not know the key of %[1]s yet: run \"ssh %[3]s\" once, and compare the key (%[2]s)"},
	{"Permission denied", "%[1]s does not let this user in without a password: add this user's key to ~/.ssh/authorized_keys there, or run ssh-agent for the server (%[2]s)"},
	{"Could not resolve hostname", "there is no host %[1]s: correct the address (%[2]s)"},
	{"Connection refused", "no SSH server listens on %[1]s: start one, or correct the port (%[2]s)"},
}

// A tail keeps the end of what is written to it.
type tail struct{ text []byte }

// Write implements [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	if more := len(t.text) - maxSaid; more > 0 {
		t.text = append(t.text[:0], t.text[more:]...)
	}
	return len(b), nil
}

// last returns the last line that is not empty, harmless to display.
func (t *tail) last() string {
	lines := strings.FieldsFunc(string(t.text), func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(safetext.Visible(line)); line != "" {
			return safetext.Clip(line, maxLine)
		}
	}
	return ""
}
