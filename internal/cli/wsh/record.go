package wsh

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/terminals"
)

type recordCommand struct {
	Session sessionName `arg:"" help:"The session."`
	File    fileName    `arg:"" optional:"" complete:"files" help:"The file to write; - is standard output (default: SESSION.cast)."`
	Start   bool        `xor:"what" help:"Only start a recording, which the session keeps."`
	Stop    bool        `xor:"what" help:"Only stop the recording."`
	Save    bool        `xor:"what" help:"Only write what has been recorded so far."`
	jsonFlag
}

func (recordCommand) Help() string {
	return `Records the output as an asciicast, from the present screen on, until the program ends or you press Ctrl-C. A recording contains what programs display, and so the secrets that they display.

    wsh record build
    wsh record build --start; make; wsh record build --save build.cast
    wsh play build.cast`
}

func (c recordCommand) run(ctx context.Context, e env) error {
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
	follower := &recordingReader{ctx: ctx, session: t}
	defer follower.close()
	content := io.Reader(follower)
	if c.Save {
		part, err := t.server.Recording(ctx, terminals.RecordingQuery{Target: t.target()})
		if err != nil {
			return err
		}
		defer part.Close()
		content = part
	}
	if c.File == "-" || e.isOut(string(c.File)) {
		_, err := io.Copy(e.Out, content)
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
	n, err := io.Copy(record.NewLines(file), content)
	if err = errors.Join(err, file.Close()); err != nil {
		return fault.Wrap(fault.Precondition, err, "write the recording")
	}
	if c.JSON {
		return e.printJSON(map[string]any{"file": name, "bytes": n})
	}
	return nil
}
