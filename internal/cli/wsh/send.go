package wsh

import (
	"context"
	"io"
	"strings"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

type sendCommand struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Text    []string           `arg:"" optional:"" help:"The text; several arguments are joined with blanks. - stands for standard input."`
	Keys    []string           `name:"key" short:"k" sep:"none" complete:"key" placeholder:"KEY" help:"A key to press after the text, such as Enter, C-c, M-x or Up. May be repeated."`
	Paste   bool               `short:"p" help:"Paste the text, so that programs know that nobody typed it."`
	Secret  bool               `help:"Keep the text and the keys nowhere, not even in what \"wsh typed\" prints. Prompts that read whole lines without echo need no such flag; those that take keys one by one do."`
	Submit  bool               `short:"s" help:"Paste the text, wait until it is displayed, press Enter, and check that something changes on the screen."`
	caller.JSONFlag
}

func (c sendCommand) Run(ctx context.Context, e caller.Env) error {
	text, err := c.text(ctx, e)
	if err != nil {
		return err
	}
	if text == "" && len(c.Keys) == 0 && !c.Submit {
		return fault.New(fault.Invalid, "there is nothing to send: give a text, or a key with -k")
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		quiet, session := quietTime, caller.ByName(r, c.Session)
		if c.Submit {
			quiet = submitQuiet
		}
		stop := e.NoteLater(quiet, "%s", askingText)
		err := patiently(ctx, session, func(to terminals.Target) error { return c.send(ctx, r, to, text) })
		stop()
		if err != nil || !c.JSON {
			return err
		}
		return e.PrintJSON(map[string]any{"session": c.Session, "bytes": len(text), "keys": len(c.Keys)})
	})
}

const (
	// quietTime is how long the command says nothing while its server works, and submitQuiet how
	// long with --submit, which waits for the screen.
	quietTime, submitQuiet = 3 * time.Second, 10 * time.Second
	// askingText says why it takes that long.
	askingText = "the server has not answered yet: a person may be asked for permission, or the program does not read (Ctrl-C stops waiting)"
)

// text returns what to type.
func (c sendCommand) text(ctx context.Context, e caller.Env) (string, error) {
	text := strings.Join(c.Text, " ")
	if text == "-" {
		in := caller.ReadUntil(ctx, e.In)
		defer in.Close()
		b, err := io.ReadAll(io.LimitReader(in, maxTyped+1))
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if err != nil {
			return "", fault.Wrap(fault.Precondition, err, "read standard input")
		}
		text = string(b)
	}
	if len(text) > maxTyped {
		return "", fault.New(fault.Invalid, "the text is longer than %d KiB: put it into a file, and type a command that reads that", maxTyped>>10)
	}
	return text, nil
}

const (
	maxTyped  = 640 << 10        // bytes that fit into one request, in base64
	typeTime  = 10 * time.Second // how long a program may take to read so much that there is room
	typePause = 10 * time.Millisecond
)

// send types a text and presses keys, in one request, so that persons who decide who may type are
// asked once.
func (c sendCommand) send(ctx context.Context, r *caller.Remote, to terminals.Target, text string) error {
	secrecy := terminals.Secrecy{Secret: c.Secret}
	if c.Submit || c.Paste {
		return caller.Change(ctx, r, terminals.PasteText, terminals.PastedText{Target: to, Text: text, Submit: c.Submit, Keys: c.Keys, Secrecy: secrecy})
	}
	data := []byte(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\r"), "\n", "\r"))
	if len(c.Keys) == 0 {
		return caller.Change(ctx, r, terminals.SendInput, terminals.Input{Target: to, Data: data, Secrecy: secrecy})
	}
	return caller.Change(ctx, r, terminals.PressKeys, terminals.KeyNames{Target: to, Data: data, Keys: c.Keys, Secrecy: secrecy})
}

// patiently repeats an attempt to type while there is no room for it, because the program reads
// slowly.
func patiently(ctx context.Context, session *caller.Tracked, attempt func(terminals.Target) error) error {
	for start := time.Now(); ; {
		err := session.Do(ctx, attempt)
		if fault.KindOf(err) != fault.Exhausted || time.Since(start) > typeTime {
			return err
		}
		if err := wake.After(ctx, typePause); err != nil {
			return err
		}
	}
}
