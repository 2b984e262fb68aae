// Package run has the commands of wsh that run a command, here or on many machines, and that wait
// for sessions: what they print in the end is what has become of each.
//
// A [Command] is "wsh run": it starts a session, a follower copies what the session's program
// writes through a filter, and signals are passed on, until the program ends. With --all, one such
// run for each machine fills a table. A [Wait] is "wsh wait", for one session, for any, or for
// each. What has become of several is a list of outcomes, which outcomes.go prints for all of
// them.
//
// All goes through operations of the server: what this process sees is what any client could see.
// Without --name, a session is removed at the end; with one, it outlasts this process.
package run

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/escape"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/wake"
)

type Command struct {
	Name       caller.SessionName `placeholder:"NAME" help:"The name of the session, which stays after the end for a while (default: a number, and the session is removed at the end). HOST/NAME runs it on another server, and HOST/ with a number there."`
	Tags       []caller.TagName   `name:"tag" placeholder:"TAG" help:"A tag for the session. May be repeated."`
	Background bool               `short:"b" help:"Only start the command, and print the name of its session."`
	Input      bool               `short:"i" help:"Give the command this standard input, as a pipe, instead of the session's terminal."`
	On         []caller.LabelName `xor:"where" placeholder:"LABEL" help:"Run it on one machine with this label, here or at another server: the least busy one. Several, with commas or repeated: all of the labels. \"wsh servers --json\" lists labels."`
	All        []caller.LabelName `xor:"where" placeholder:"LABEL" help:"Run it on every machine that has this label, at the same time, and print a table of what has become of it. Several, with commas or repeated: all of the labels."`
	Cols       *int               `placeholder:"N" help:"Columns of the session's terminal (default: as this terminal has, or 80)."`
	Rows       *int               `placeholder:"N" help:"Rows of the session's terminal (default: as this terminal has, or 24)."`
	Command    []string           `arg:"" name:"command" passthrough:"partial" help:"The command and its arguments. A single argument is a command line for the shell."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (c Command) Run(ctx context.Context, e caller.Env) error {
	words := c.Command
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 || len(words) == 1 && strings.TrimSpace(words[0]) == "" {
		return fault.New(fault.Invalid, "which command? For example: wsh run -- make test")
	}
	if c.Server != "" && c.On != nil || wire.HostOf(string(c.Of(c.Name))) != "" && (c.On != nil || c.All != nil) {
		return fault.New(fault.Invalid, "give either a server or labels of machines")
	}
	c.Name = c.Of(c.Name)
	line := commandLine(words)
	if c.Input {
		if c.Background || c.On != nil || c.All != nil || wire.HostOf(string(c.Name)) != "" {
			return fault.New(fault.Invalid, "-i needs a command on this machine that this call waits for: leave out -b and other machines")
		}
		dir, err := os.MkdirTemp("", "wsh")
		if err != nil {
			return fault.Wrap(fault.Precondition, err, "make a pipe")
		}
		defer os.RemoveAll(dir)
		over := make(chan struct{})
		defer close(over)
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		cut := func(err error) {
			e.Note("standard input cannot be read: %v", err)
			cancel(caller.EndSignal(syscall.SIGTERM))
			<-over
		}
		if line, err = piped(e.In, filepath.Join(dir, "input"), line, cut); err != nil {
			return err
		}
	}
	in, err := c.session(e, line)
	if err != nil {
		return err
	}
	r, err := e.ConnectOrStart(ctx, instance.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	if c.All != nil {
		return c.runAll(ctx, e, r, in)
	}
	// Once the server has been asked, the command may run: the answer says where.
	s, raw, err := caller.Call(context.WithoutCancel(ctx), r, terminals.CreateSession, in)
	if err != nil {
		return err
	}
	if c.Background {
		if c.JSON {
			err = e.PrintJSON(raw)
		} else {
			err = e.Printf("%s\n", safetext.Visible(s.Name))
		}
		return cmp.Or(err, context.Cause(ctx))
	}
	if c.On != nil {
		e.Note("it runs on %s", safetext.Visible(s.Server))
	}
	return c.follow(ctx, e, r, s)
}

// keeps reports whether the session stays after the end, because the caller has named it.
func (c Command) keeps() bool { return c.Name != "" && !strings.HasSuffix(string(c.Name), "/") }

// session describes the session to create.
func (c Command) session(e caller.Env, command string) (terminals.NewSession, error) {
	in := terminals.NewSession{Name: string(c.Name), Command: command, Tags: caller.Texts(c.Tags), Rows: c.Rows, Cols: c.Cols, On: caller.Texts(c.On), Follow: !c.Background && !c.JSON}
	var err error
	if err := errors.Join(checkSize("cols", c.Cols), checkSize("rows", c.Rows)); err != nil {
		return in, err
	}
	if wire.HostOf(in.Name) == "" && c.On == nil && c.All == nil {
		if in.Dir, in.Env, err = e.ForSession(); err != nil {
			return in, err
		}
	}
	if cols, rows, ok := caller.SizeOf(e.Out); ok {
		if in.Cols == nil {
			in.Cols = &cols
		}
		if in.Rows == nil {
			in.Rows = &rows
		}
	}
	return in, nil
}

// checkSize returns an error if a terminal cannot have the rows or columns of a flag, which the
// server would change to the nearest possible number.
func checkSize(flag string, n *int) error {
	if n == nil || *n >= 1 && *n <= overlay.MaxScreen {
		return nil
	}
	return fault.New(fault.Invalid, "--%s %d is not possible: a terminal has 1 to %d rows and columns", flag, *n, overlay.MaxScreen)
}

// commandLine returns a command line for the shell: a single argument as it is, and several as
// words.
func commandLine(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = commandline.Word(w)
	}
	return strings.Join(quoted, " ")
}

// piped returns a command line that runs another with in as its standard input, through a pipe of
// that name. What it writes to the pipe goes on until the process ends, or the command reads no
// more. cut is called with the error of reading in. The command sees the end of its input only when
// cut returns, since it would take that for a whole one.
func piped(in io.Reader, name, line string, cut func(error)) (string, error) {
	if err := makePipe(name); err != nil {
		return "", fault.Wrap(fault.Precondition, err, "make a pipe")
	}
	go func() {
		if w, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil { // once the command reads
			defer w.Close()
			// Without ReadFrom of files, whose errors name the pipe and not the input.
			if _, err := io.Copy(struct{ io.Writer }{w}, in); err != nil && !errors.Is(err, syscall.EPIPE) { // that is the command's end
				cut(err)
			}
		}
	}()
	return commandLine([]string{"sh", "-c", `exec <"$0" "${SHELL:-sh}" -c "$1"`, name, line}), nil
}

// follow prints what the program of a session writes until it has ended, and ends like it.
func (c Command) follow(ctx context.Context, e caller.Env, r *caller.Remote, s wire.Session) error {
	session := caller.NewTracked(r, s)
	session.Note = e.Note
	signalled := ctx
	ctx, leave := context.WithCancelCause(context.WithoutCancel(ctx)) // the second signal ends this process
	defer leave(nil)
	interrupted := context.AfterFunc(signalled, func() {
		cause := context.Cause(signalled)
		if c.keeps() && errors.Is(cause, caller.EndSignal(syscall.SIGHUP)) {
			leave(cause) // as "wsh" leaves a session whose terminal is closed
			return
		}
		if err := passOn(ctx, session, cause); err != nil {
			e.Note("whether the program has got the signal is not known: %v", err)
			leave(cause)
		}
	})
	defer interrupted()
	defer passQuits(ctx, session)()
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE) // which would end this process, but not the command
	defer signal.Stop(broken)
	if !c.JSON {
		f := follower{session: session, out: newFilter(e.Out, commandline.IsTerminal(e.Out))}
		failed := f.print(ctx)
		switch cause := context.Cause(ctx); {
		case cause != nil:
			return cause
		case errors.Is(failed, syscall.EPIPE): // without wsh, the command would get that signal
			if !c.keeps() {
				if err := removeUnnamed(ctx, session); err != nil {
					return err
				}
			}
			return &commandline.StatusError{Status: caller.ExitUnread}
		case fault.DetailOf(failed) == term.OutputLost:
			e.Note("%v; the session %q goes on, and %q waits for it", failed, session.Name, session.WaitAgain())
			return &commandline.StatusError{Status: exitLost}
		case failed != nil: // the session stays: its result was not delivered
			return failed
		}
	}
	exit, err := session.AwaitExit(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	if c.JSON {
		if err := e.PrintJSON(exit); err != nil {
			return err
		}
	}
	if !c.keeps() {
		if err := removeUnnamed(ctx, session); session.IsCut(ctx, err) {
			e.Note("the session %s stays: %v", session.Name, err)
		} else if err != nil {
			return err
		}
	}
	return caller.WithStatus(exit)
}

// passOn does to a session's program what has been done to this process, and again while the
// session's server is away. The error is that this stays away; the program may just have ended.
func passOn(ctx context.Context, session *caller.Tracked, cause error) error {
	for late := time.Now().Add(caller.BackTime); ; _ = wake.After(ctx, caller.BackPause) {
		err := signalLike(ctx, session, cause)
		if !session.IsCut(ctx, err) {
			return nil
		}
		if time.Now().After(late) {
			return session.Lost(err)
		}
	}
}

// signalLike passes on a signal that this process got. Ctrl-C is not typed: this terminal has
// displayed ^C, and the session's would do so again.
func signalLike(ctx context.Context, session *caller.Tracked, cause error) error {
	end, _ := errors.AsType[caller.EndSignal](cause)
	name := cmp.Or(map[syscall.Signal]string{syscall.SIGTERM: "TERM", syscall.SIGHUP: "HUP", syscall.SIGQUIT: "QUIT"}[syscall.Signal(end)], "INT")
	return session.Do(ctx, func(to terminals.Target) error {
		return caller.Change(ctx, session.Server, terminals.SignalSession, terminals.SignalName{Target: to, Signal: name})
	})
}

// passQuits passes Ctrl+\ on to a session's program, as often as it is pressed, until stop is
// called: Go would print all goroutines, and leave the program alone.
func passQuits(ctx context.Context, session *caller.Tracked) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	quits := make(chan os.Signal, 1)
	if !signal.Ignored(os.Interrupt) { // else it has no effect: see [ending.Signals]
		signal.Notify(quits, syscall.SIGQUIT)
	}
	var passing sync.WaitGroup
	passing.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-quits:
				_ = passOn(ctx, session, caller.EndSignal(syscall.SIGQUIT)) // else it can be pressed again
			case <-ctx.Done():
			}
		}
	})
	return func() {
		signal.Stop(quits)
		cancel()
		passing.Wait()
	}
}

// exitLost is the status where a part of the output was lost before it was printed.
const exitLost = 125

// removeUnnamed removes a session, unless a person or program has given it another name than it was
// created with, and so wants to keep it.
func removeUnnamed(ctx context.Context, t *caller.Tracked) error {
	s, err := terminals.GetSession.Do(ctx, t.Server, terminals.Everything, t.Target())
	if err == nil && s.Name == t.Name {
		err = caller.Change(ctx, t.Server, terminals.RemoveSession, t.Target())
	}
	if kind := fault.KindOf(err); !t.IsCut(ctx, err) && (kind == fault.NotFound || kind == fault.Gone) {
		return nil // others have removed it
	}
	return err
}

// A follower prints what a session's program writes, from its first byte on.
type follower struct {
	session *caller.Tracked
	out     *filter
	offset  uint64 // of what is to be printed next
}

// print prints all output. The program waits for it.
func (f *follower) print(ctx context.Context) error {
	err := f.session.Look(ctx, 0, func(to terminals.Target) error { return f.printFrom(ctx, to) })
	return cmp.Or(err, f.out.end())
}

// printFrom prints the output from the offset on. Only the error of writing it is one of the
// system.
func (f *follower) printFrom(ctx context.Context, to terminals.Target) error {
	output, err := terminals.ReadOutput.Open(ctx, f.session.Server, terminals.Everything, terminals.OutputQuery{Target: to, From: &f.offset, Whole: true})
	if err != nil {
		return err
	}
	defer output.Close()
	for {
		b, err := output.Next(ctx)
		switch {
		case client.IsEnd(err):
			return nil
		case err != nil:
			return err
		}
		if err := f.out.write(b); err != nil {
			return fault.Wrap(fault.Precondition, err, "write the output")
		}
		f.offset += uint64(len(b))
	}
}

// A filter writes a program's output so that it can do no harm: without escape sequences, or for a
// terminal with colours and what moves the cursor, but without questions, modes and strings, which
// concern the terminal of the session.
type filter struct {
	out      *bufio.Writer
	terminal bool
	held     []byte // an incomplete sequence, at most maxHeld bytes: see hold
	passed   int    // how many of its bytes are not there
	half     bool   // the last byte was c1Lead, which is not in held
	coloured bool
	cr       bool // a carriage return waits for what follows
}

func newFilter(out io.Writer, terminal bool) *filter {
	return &filter{out: bufio.NewWriterSize(out, 64<<10), terminal: terminal}
}

// write writes a piece of output.
func (f *filter) write(b []byte) error {
	if f.half {
		b = append([]byte{c1Lead}, b...)
	}
	if f.half = len(b) > 0 && b[len(b)-1] == c1Lead; f.half {
		b = b[:len(b)-1]
	}
	b = sevenBit(b)
	if len(f.held) > 0 {
		b = append(f.held, b...)
		f.held = nil
	}
	for len(b) > 0 {
		i := bytes.IndexFunc(b, func(c rune) bool { return c < ' ' || c == 0x7f })
		if i < 0 {
			i = len(b)
		}
		if i > 0 {
			f.text(b[:i])
			b = b[i:]
			continue
		}
		if b[0] != 0x1b {
			f.control(b[0])
			b = b[1:]
			continue
		}
		n, whole := sequence(b)
		if !whole {
			f.hold(b)
			break
		}
		f.escape(b[:n])
		f.passed = 0
		b = b[n:]
	}
	return f.out.Flush()
}

// c1Lead is the first of the two bytes in UTF-8 of a C1 control, which terminals take for ESC and a
// letter.
const c1Lead = 0xc2

// sevenBit returns b with C1 controls written as ESC and a letter, so that their sequences are
// recognized.
func sevenBit(b []byte) []byte {
	if bytes.IndexByte(b, c1Lead) < 0 {
		return b
	}
	b = bytes.Clone(b)
	for i := range len(b) - 1 {
		if b[i] == c1Lead && b[i+1] >= 0x80 && b[i+1] < 0xa0 {
			b[i], b[i+1] = 0x1b, b[i+1]-0x40
		}
	}
	return b
}

func (f *filter) text(b []byte) {
	f.flushCR()
	_, _ = f.out.Write(b) // Flush reports it
}

func (f *filter) flushCR() {
	if f.cr {
		f.cr = false
		_ = f.out.WriteByte('\r')
	}
}

func (f *filter) control(c byte) {
	switch {
	case f.terminal:
		if c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\a' {
			_ = f.out.WriteByte(c)
		}
	case c == '\n': // with the carriage return before it
		f.cr = false
		_ = f.out.WriteByte(c)
	case c == '\r':
		f.cr = true
	case c == '\t' || c == '\b':
		f.text([]byte{c})
	}
}

// harmless are the final bytes of control sequences that colour, move and erase.
const harmless = "mABCDEFGHJKXPLM@SdfGr`ae"

// escape writes an escape sequence if it does no harm.
func (f *filter) escape(s []byte) {
	if !f.terminal || len(s) < 3 || s[1] != '[' {
		return
	}
	parameters, final := s[2:len(s)-1], s[len(s)-1]
	if bytes.ContainsFunc(parameters, func(c rune) bool { return (c < '0' || c > '9') && c != ';' && c != ':' }) || !strings.ContainsRune(harmless, rune(final)) || final == 'r' {
		return
	}
	f.coloured = f.coloured || final == 'm'
	_, _ = f.out.Write(s)
}

// maxSequence is how long an escape sequence may be before it is dropped, and maxHeld how much of
// it is looked at again with each piece of output.
const maxSequence, maxHeld = 1 << 20, 256

// hold keeps an incomplete sequence. A long one does harm, or is a string: it will be left out, and
// all that matters is where it ends.
func (f *filter) hold(b []byte) {
	f.held = bytes.Clone(b)
	if len(b) > maxHeld {
		f.held = f.held[:2]
		if b[1] == '[' {
			f.held = append(f.held, '?')
		} else if b[len(b)-1] == 0x1b {
			f.held = append(f.held, 0x1b)
		}
		f.passed += len(b) - len(f.held)
	}
	if f.passed > maxSequence {
		f.held, f.passed = nil, 0
	}
}

// sequence returns the length of the escape sequence at the start of b, and whether it is whole.
// Controls within strings are ignored, as by terminals.
func sequence(b []byte) (n int, whole bool) {
	n, end := escape.Next(b)
	for end == escape.Broken && strings.IndexByte("]PX^_", b[1]) >= 0 && strings.IndexByte("\x1b\x18\x1a", b[n]) < 0 {
		n, end = escape.String(b, n+1)
	}
	return n, end != escape.Open
}

// end writes what is left, and brings the terminal's colours back.
func (f *filter) end() error {
	f.cr = false
	if f.terminal && f.coloured {
		_, _ = f.out.WriteString("\x1b[m")
	}
	return f.out.Flush()
}
