package wsh

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
)

type sendCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Text    []string    `arg:"" optional:"" help:"The text; several arguments are joined with blanks. - stands for standard input."`
	Keys    []string    `name:"key" short:"k" sep:"none" complete:"key" placeholder:"KEY" help:"A key to press after the text, such as Enter, C-c, M-x or Up. May be repeated."`
	Paste   bool        `short:"p" help:"Paste the text, so that programs know that nobody typed it."`
	Secret  bool        `help:"Keep the text and the keys nowhere, not even in what \"wsh typed\" prints. Prompts that read whole lines without echo need no such flag; those that take keys one by one do."`
	Submit  bool        `short:"s" help:"Paste the text, wait until it is displayed, press Enter, and check that something changes on the screen."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (sendCommand) Help() string {
	return `The text is typed as it is; line ends are typed as Enter, and nothing is pressed at the end unless you say so. With --submit, the status is 1 if nothing changed on the screen after Enter.

    wsh send build "make test" -k Enter
    wsh send build -k C-c
    wsh send agent --submit "Fix the failing test, please."
    wsh send build - < script.sh
    wsh send build --secret - -k Enter < password.txt`
}

func (c sendCommand) run(ctx context.Context, e env) error {
	text, err := c.text(ctx, e)
	if err != nil {
		return err
	}
	if text == "" && len(c.Keys) == 0 && !c.Submit {
		return fault.New(fault.Invalid, "there is nothing to send: give a text, or a key with -k")
	}
	return e.withServer(ctx, func(r *remote) error {
		i := input{byName(r, c.Session), terminals.Secrecy{Secret: c.Secret}}
		if c.Submit || len(text) > typePiece || len(c.Keys) > 0 && !utf8.ValidString(text) { // one call can go to no other session
			i.session = track(ctx, r, c.Session)
		}
		switch {
		case c.Submit:
			if err = i.submit(ctx, text); err == nil && len(c.Keys) > 0 {
				err = i.press(ctx, "", c.Keys...)
			}
		case c.Paste:
			err = i.paste(ctx, text, c.Keys...)
		default:
			err = i.write(ctx, text, c.Keys...)
		}
		if err != nil || !c.JSON {
			return err
		}
		return e.printJSON(map[string]any{"session": c.Session, "bytes": len(text), "keys": len(c.Keys)})
	})
}

// text returns what to type.
func (c sendCommand) text(ctx context.Context, e env) (string, error) {
	if len(c.Text) != 1 || c.Text[0] != "-" {
		return strings.Join(c.Text, " "), nil
	}
	in := readUntil(ctx, e.In)
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
	maxTyped   = 64 << 20         // bytes of standard input
	typePiece  = 32 << 10         // bytes that are typed at a time
	typeTime   = 10 * time.Second // how long a program may take to read so much that more has room
	typePause  = 10 * time.Millisecond
	displayed  = 2 * time.Second        // how long a program may take to display what was pasted
	settled    = 100 * time.Millisecond // without output: it is displayed
	submitTime = 3 * time.Second        // how long it may take to react to Enter
)

// An input types into a session: into the same one, even if it is renamed meanwhile.
type input struct {
	session *tracked
	terminals.Secrecy
}

// write types a text, in pieces that do not end within a character, and presses keys together with
// the last piece: a person who decides who may type is asked about both at once. JSON has no place
// for other texts than those in UTF-8.
func (i input) write(ctx context.Context, text string, keys ...string) error {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\r"), "\n", "\r")
	for len(text) > 0 {
		if len(keys) > 0 && len(text) <= typePiece && utf8.ValidString(text) {
			break
		}
		piece := []byte(text[:min(len(text), typePiece)])
		if len(piece) < len(text) {
			piece = piece[:vt.Whole(piece)]
		}
		err := i.patiently(ctx, func(to terminals.Target) error {
			return change(ctx, i.session.server, terminals.SendInput, terminals.Input{Target: to, Data: piece, Secrecy: i.Secrecy})
		})
		if err != nil {
			return err
		}
		text = text[len(piece):]
	}
	if len(keys) == 0 {
		return nil
	}
	return i.press(ctx, text, keys...)
}

// paste pastes a text and presses keys.
func (i input) paste(ctx context.Context, text string, keys ...string) error {
	return i.patiently(ctx, func(to terminals.Target) error {
		return change(ctx, i.session.server, terminals.PasteText, terminals.PastedText{Target: to, Text: text, Keys: keys, Secrecy: i.Secrecy})
	})
}

// press types a text, which may be "", and presses keys.
func (i input) press(ctx context.Context, text string, keys ...string) error {
	return i.patiently(ctx, func(to terminals.Target) error {
		return change(ctx, i.session.server, terminals.PressKeys, terminals.KeyNames{Target: to, Text: text, Keys: keys, Secrecy: i.Secrecy})
	})
}

// patiently repeats an attempt to type while there is no room for more, because the program reads
// slowly.
func (i input) patiently(ctx context.Context, attempt func(terminals.Target) error) error {
	for start := time.Now(); ; {
		err := i.session.do(ctx, attempt)
		if fault.KindOf(err) != fault.Exhausted {
			return err
		}
		if time.Since(start) > typeTime {
			return fault.New(fault.Exhausted, "the program in session %q does not read what is typed: a part of the text has been sent", i.session.name)
		}
		select {
		case <-time.After(typePause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// submit pastes a text and presses Enter as a person would: once the text is displayed. Programs
// with an editor of their own otherwise take Enter for a part of what was pasted.
func (i input) submit(ctx context.Context, text string) error {
	epoch, err := i.epoch(ctx)
	if err != nil {
		return err
	}
	if text != "" {
		if err := i.paste(ctx, strings.TrimRight(text, "\r\n")); err != nil {
			return err
		}
		if err := i.awaitChange(ctx, epoch, displayed); err != nil && !errors.Is(err, errUnchanged) {
			return err // a program without echo displays nothing
		}
		ms, most := uint64(settled.Milliseconds()), uint64(displayed.Milliseconds())
		err := i.session.do(ctx, func(to terminals.Target) error {
			_, err := terminals.AwaitIdle.Do(ctx, i.session.server, terminals.Everything, terminals.IdleQuery{
				Target: to, Formatted: terminals.Formatted{Format: "plain"}, Silence: terminals.Silence{TimeoutMS: &ms}, Deadline: terminals.Deadline{MaxWaitMS: &most},
			})
			return err
		})
		if err != nil && fault.KindOf(err) != fault.Timeout { // it writes all the time
			return err
		}
		if epoch, err = i.epoch(ctx); err != nil {
			return err
		}
	}
	if err := i.press(ctx, "", "Enter"); err != nil {
		return err
	}
	err = i.awaitChange(ctx, epoch, submitTime)
	if errors.Is(err, errUnchanged) {
		return fault.New(fault.Timeout, "Enter was pressed, but nothing changed on the screen within %v: look at \"wsh screen %s\"", submitTime, sessionWord(i.session.name))
	}
	if fault.KindOf(err) == fault.Gone {
		return nil // the program has ended on it
	}
	return err
}

// epoch returns the number of the present screen.
func (i input) epoch(ctx context.Context) (epoch uint64, err error) {
	err = i.session.do(ctx, func(to terminals.Target) error {
		s, err := terminals.GetScreen.Do(ctx, i.session.server, terminals.Everything, terminals.ScreenQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}})
		epoch = s.Epoch
		return err
	})
	return epoch, err
}

var errUnchanged = errors.New("the screen is unchanged")

// awaitChange waits until the screen differs from the one of an epoch.
func (i input) awaitChange(ctx context.Context, epoch uint64, most time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, most, errUnchanged)
	defer cancel()
	return i.session.do(ctx, func(to terminals.Target) error {
		_, err := terminals.AwaitScreen.Do(ctx, i.session.server, terminals.Everything, terminals.ScreenAfter{
			ScreenQuery: terminals.ScreenQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}}, Epoch: epoch,
		})
		return err
	})
}
