package wsh

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

type recordCommand struct {
	Session sessionName `arg:"" optional:"" help:"The session."`
	File    fileName    `arg:"" optional:"" complete:"files" help:"The file to write; - is standard output (default: SESSION.cast)."`
	Start   bool        `xor:"what" help:"Only start a recording, which the session keeps."`
	Stop    bool        `xor:"what" help:"Only stop the recording."`
	Save    bool        `xor:"what" help:"Only write what has been recorded so far."`
	Text    fileName    `xor:"what" complete:"files" placeholder:"FILE" help:"Print what a recording displays in the end, as text: the lines that have scrolled off the screen, and those on it. - is standard input."`
	jsonFlag
}

func (recordCommand) Help() string {
	return `Records the output as an asciicast, from the present screen on, until the program ends or you press Ctrl-C. A recording contains what programs display, and so the secrets that they display.

    wsh record build
    wsh record build --start; make; wsh record build --save build.cast
    wsh record --text build.cast | less

asciinema and the page of terminals play recordings.`
}

func (c recordCommand) run(ctx context.Context, e env) error {
	switch {
	case c.Text != "":
		return e.printText(ctx, string(c.Text))
	case c.Session == "":
		return fault.New(fault.Invalid, "name a session")
	}
	session := target(c.Session)
	return e.withServer(ctx, func(r *remote) error {
		if c.Start || c.Stop {
			o := terminals.StartRecording
			if c.Stop {
				o = terminals.StopRecording
			}
			_, raw, err := call(ctx, r, o, session)
			if err != nil || !c.JSON {
				return err
			}
			return e.printJSON(raw)
		}
		t := track(ctx, r, c.Session)
		if c.Save {
			return c.save(ctx, e, t)
		}
		lasting := context.WithoutCancel(ctx)
		if _, err := terminals.StartRecording.Do(lasting, r, terminals.Everything, t.target()); err != nil {
			return err
		}
		stop := func() {
			_ = t.do(lasting, func(to terminals.Target) error {
				_, err := terminals.StopRecording.Do(lasting, r, terminals.Everything, to)
				return err
			})
		}
		quit := context.AfterFunc(ctx, stop) // the rest is written then
		defer quit()
		broken := make(chan os.Signal, 1)
		signal.Notify(broken, syscall.SIGPIPE) // which would end this process, but not the recording
		defer signal.Stop(broken)
		err := c.save(lasting, e, t)
		if err != nil {
			stop() // else it would go on unnoticed; what there is can still be saved
		}
		if errors.Is(err, syscall.EPIPE) {
			return &commandline.StatusError{Status: exitUnread}
		}
		return err
	})
}

// save writes the recording to the file.
func (c recordCommand) save(ctx context.Context, e env, t *tracked) (err error) {
	write := t.saveRecording
	if !c.Save {
		write = t.followRecording
	}
	if c.File == "-" || e.isOut(string(c.File)) {
		_, err := write(ctx, e.Out)
		return err
	}
	name := string(c.File)
	if name == "" {
		name = strings.ReplaceAll(string(c.Session), "/", "-") + ".cast"
	}
	file, err := createFile(name)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "write the recording")
	}
	n, err := write(ctx, record.NewLines(file))
	if err = errors.Join(err, file.Close()); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the recording")
	}
	if c.JSON {
		return e.printJSON(map[string]any{"file": name, "bytes": n})
	}
	return nil
}

// saveRecording writes a session's recording as far as there is one, and returns how long it is.
func (t *tracked) saveRecording(ctx context.Context, w io.Writer) (uint64, error) {
	return t.copyRecording(ctx, w, terminals.RecordingQuery{Target: t.target()})
}

// copyRecording writes what was asked for of a recording, and returns the offset behind it.
func (t *tracked) copyRecording(ctx context.Context, w io.Writer, in terminals.RecordingQuery) (uint64, error) {
	for {
		part, err := terminals.GetRecording.Do(ctx, t.server, terminals.Everything, in)
		if err != nil || len(part.Data) == 0 {
			return in.Offset, err
		}
		if _, err := w.Write(part.Data); err != nil {
			return in.Offset, err
		}
		in.ID, in.Offset = part.ID, part.Next
	}
}

// recordPause is the time after which a command looks whether a recording has become longer.
const recordPause = 250 * time.Millisecond

// followRecording is saveRecording until the recording has ended.
func (t *tracked) followRecording(ctx context.Context, w io.Writer) (uint64, error) {
	in := terminals.RecordingQuery{Target: t.target()}
	for {
		var s wire.Session
		err := t.look(ctx, 0, func(to terminals.Target) (err error) {
			s, err = terminals.GetSession.Do(ctx, t.server, terminals.Everything, to)
			return err
		})
		if err != nil || s.Recording == nil || in.ID != "" && s.Recording.ID != in.ID {
			return in.Offset, err // others have removed it
		}
		in.ID = s.Recording.ID
		in.Offset, err = t.copyRecording(ctx, w, in)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || t.isCut(ctx, err): // the rest comes when the connection is back
		case err != nil || !s.Recording.Recording:
			return in.Offset, t.removed(ctx, err)
		}
		_ = wake.After(ctx, recordPause)
	}
}

// printText prints what a recording displays in the end as text: the lines that have scrolled off
// its screen, and those on it; also those of the alternate screen if the recording ends there.
func (e env) printText(ctx context.Context, name string) error {
	in := readUntil(ctx, e.In)
	if name != "-" {
		file, err := regular.Open(name, os.O_RDONLY, 0)
		if err != nil {
			return fault.Wrap(fault.Precondition, err, "read the recording")
		}
		in = file
	}
	defer in.Close()
	reader, err := record.NewReader(in)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "%s", name)
	}
	cols, rows := min(max(reader.Header.Cols, 1), vt.MaxSize), min(max(reader.Header.Rows, 1), vt.MaxSize)
	screen, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: vt.MaxScrollback})
	if err != nil {
		return fault.Wrap(fault.Internal, err, "display the recording")
	}
	failed := reader.Replay(stoppable{ctx, screen}, math.MaxInt64)
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(failed, io.EOF):
		failed = nil
	}
	first, _, end := screen.Extent()
	if first > 0 {
		e.note("the recording has %d lines, of which the last %d are printed", end, end-first)
	}
	_, list := screen.Lines(first, int(end-first))
	text := textOf(list)
	if now := screen.Snapshot(); now.AltScreen() {
		text = append(text, textOf(now.Lines)...)
	}
	return errors.Join(failed, e.writeFile("", text)) // also what came before a mistake
}

// textOf returns lines as text, without blank ones at the end. Those that were wrapped are joined.
func textOf(lines []vt.Line) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		if l.Wraps {
			b.WriteString(l.Text)
		} else {
			b.WriteString(l.Plain() + "\n")
		}
	}
	return trimBlank(b.Bytes())
}

// A stoppable screen takes no more output once its context has ended.
type stoppable struct {
	ctx context.Context
	*vt.Terminal
}

// Write implements [record.Screen].
func (s stoppable) Write(b []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.Terminal.Write(b)
}
