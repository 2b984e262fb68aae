package wsh

import (
	"context"
	"io"
	"strings"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
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
		i := input{caller.ByName(r, c.Session), terminals.Secrecy{Secret: c.Secret}}
		if len(text) > wholeText { // one call can go to no other session
			i.session = caller.Track(ctx, r, c.Session)
		}
		quiet := quietTime
		if c.Submit {
			quiet = submitQuiet
		}
		stop := e.NoteLater(quiet, "%s", askingText)
		if c.Submit || c.Paste {
			err = i.patiently(ctx, func(to terminals.Target) error {
				return caller.Change(ctx, r, terminals.PasteText, terminals.PastedText{Target: to, Text: text, Submit: c.Submit, Keys: c.Keys, Secrecy: i.Secrecy})
			})
		} else {
			err = i.write(ctx, text, c.Keys)
		}
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
	if len(c.Text) != 1 || c.Text[0] != "-" {
		return strings.Join(c.Text, " "), nil
	}
	in := caller.ReadUntil(ctx, e.In)
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, maxTyped+1))
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fault.Wrap(fault.Precondition, err, "read standard input")
	}
	if len(b) > maxTyped {
		return "", fault.New(fault.Invalid, "standard input is longer than %d MiB", maxTyped>>20)
	}
	return string(b), nil
}

const (
	maxTyped  = 64 << 20         // bytes of standard input
	wholeText = 640 << 10        // bytes that fit into one request, in base64
	typePiece = 32 << 10         // bytes that are typed at a time beyond that
	typeTime  = 10 * time.Second // how long a program may take to read so much that more has room
	typePause = 10 * time.Millisecond
)

// An input types into a session: into the same one, even if it is renamed meanwhile.
type input struct {
	session *caller.Tracked
	terminals.Secrecy
}

// write types a text and presses keys, in one request if possible, so that persons who decide who
// may type are asked once. Pieces do not end within a character.
func (i input) write(ctx context.Context, text string, keys []string) error {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\r"), "\n", "\r")
	size := typePiece
	if len(text) <= wholeText {
		size = len(text)
	}
	for len(text) > size {
		piece := []byte(text[:size])
		piece = piece[:vt.Whole(piece)]
		if err := i.send(ctx, piece); err != nil {
			return err
		}
		text = text[len(piece):]
	}
	if len(keys) == 0 {
		return i.send(ctx, []byte(text))
	}
	return i.patiently(ctx, func(to terminals.Target) error {
		return caller.Change(ctx, i.session.Server, terminals.PressKeys, terminals.KeyNames{Target: to, Data: []byte(text), Keys: keys, Secrecy: i.Secrecy})
	})
}

func (i input) send(ctx context.Context, text []byte) error {
	return i.patiently(ctx, func(to terminals.Target) error {
		return caller.Change(ctx, i.session.Server, terminals.SendInput, terminals.Input{Target: to, Data: text, Secrecy: i.Secrecy})
	})
}

// patiently repeats an attempt to type while there is no room for more, because the program reads
// slowly.
func (i input) patiently(ctx context.Context, attempt func(terminals.Target) error) error {
	for start := time.Now(); ; {
		err := i.session.Do(ctx, attempt)
		if fault.KindOf(err) != fault.Exhausted {
			return err
		}
		if time.Since(start) > typeTime {
			return fault.New(fault.Exhausted, "the program in session %q does not read what is typed: a part of the text has been sent", i.session.Name)
		}
		if err := wake.After(ctx, typePause); err != nil {
			return err
		}
	}
}
