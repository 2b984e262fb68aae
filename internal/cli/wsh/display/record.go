package display

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/wake"
)

type Record struct {
	Session caller.SessionName `arg:"" optional:"" help:"The session."`
	File    caller.FileName    `arg:"" optional:"" complete:"files" help:"The file to write; - is standard output (default: SESSION.cast)."`
	Start   bool               `xor:"what" help:"Only start a recording, which the session keeps."`
	Stop    bool               `xor:"what" help:"Only stop the recording."`
	Save    bool               `xor:"what" help:"Only write what has been recorded so far."`
	Text    caller.FileName    `xor:"what" complete:"files" placeholder:"FILE" help:"Print what a recording displays in the end, as text: the lines that have scrolled off the screen, and those on it. - is standard input."`
	caller.JSONFlag
}

func (c Record) Run(ctx context.Context, e caller.Env) error {
	switch {
	case c.Text != "":
		return printText(ctx, e, string(c.Text))
	case c.Session == "":
		return fault.New(fault.Invalid, "name a session")
	}
	session := caller.Target(c.Session)
	switch {
	case c.Start:
		return caller.Answer(ctx, e, c.JSONFlag, terminals.StartRecording, session, nil)
	case c.Stop:
		return caller.Answer(ctx, e, c.JSONFlag, terminals.StopRecording, session, nil)
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		t := caller.Track(ctx, r, c.Session)
		if c.Save {
			return c.save(ctx, e, t)
		}
		lasting := context.WithoutCancel(ctx)
		if _, err := terminals.StartRecording.Do(lasting, r, terminals.Everything, t.Target()); err != nil {
			return err
		}
		stop := func() {
			_ = t.Do(lasting, func(to terminals.Target) error {
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
			return &commandline.StatusError{Status: caller.ExitUnread}
		}
		return err
	})
}

// save writes the recording to the file.
func (c Record) save(ctx context.Context, e caller.Env, t *caller.Tracked) (err error) {
	write := followRecording
	if c.Save {
		write = copyRecording
	}
	if c.File == "-" || isOut(e, string(c.File)) {
		_, err := write(ctx, t, e.Out, terminals.RecordingQuery{Target: t.Target()})
		return err
	}
	name := string(c.File)
	if name == "" {
		name = strings.ReplaceAll(string(c.Session), "/", "-") + ".cast"
	}
	// Before the file is emptied: there may be no such session, or no recording.
	if _, err := terminals.GetRecording.Do(ctx, t.Server, terminals.Everything, terminals.RecordingQuery{Target: t.Target()}); err != nil {
		return err
	}
	file, err := regular.Open(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "write the recording")
	}
	n, err := write(ctx, t, record.NewLines(file), terminals.RecordingQuery{Target: t.Target()})
	if err = errors.Join(err, file.Close()); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the recording")
	}
	if c.JSON {
		return e.PrintJSON(map[string]any{"file": name, "bytes": n})
	}
	return nil
}

// copyRecording writes what was asked for of a recording, as far as there is one, and returns the
// offset behind it.
func copyRecording(ctx context.Context, t *caller.Tracked, w io.Writer, in terminals.RecordingQuery) (uint64, error) {
	for {
		part, err := terminals.GetRecording.Do(ctx, t.Server, terminals.Everything, in)
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

// followRecording is copyRecording until the recording has ended.
func followRecording(ctx context.Context, t *caller.Tracked, w io.Writer, in terminals.RecordingQuery) (uint64, error) {
	for {
		var s wire.Session
		err := t.Look(ctx, 0, func(to terminals.Target) (err error) {
			s, err = terminals.GetSession.Do(ctx, t.Server, terminals.Everything, to)
			return err
		})
		if err != nil || s.Recording == nil || in.ID != "" && s.Recording.ID != in.ID {
			return in.Offset, err // others have removed it
		}
		in.ID = s.Recording.ID
		in.Offset, err = copyRecording(ctx, t, w, in)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || t.IsCut(ctx, err): // the rest comes when the connection is back
		case err != nil || !s.Recording.Recording:
			return in.Offset, t.Removed(ctx, err)
		}
		_ = wake.After(ctx, recordPause)
	}
}

// printText prints what a recording displays in the end as text: the lines that have scrolled off
// its screen, and those on it; also those of the alternate screen if the recording ends there.
func printText(ctx context.Context, e caller.Env, name string) error {
	in := caller.ReadUntil(ctx, e.In)
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
	failed := reader.Replay(ctx, screen)
	if ctx.Err() != nil {
		return nil
	}
	first, _, end := screen.Extent()
	if first > 0 {
		e.Note("the recording has %d lines, of which the last %d are printed", end, end-first)
	}
	_, list := screen.Lines(first, int(end-first))
	text := textOf(list)
	if now := screen.Snapshot(); now.AltScreen() {
		text = append(text, textOf(now.Lines)...)
	}
	return errors.Join(failed, writeFile(e, "", text)) // also what came before a mistake
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
