package mcpterm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/typed"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// A Permission asks the person whether the caller may do what message says, in Markdown; the
// question may have channels of its own. Two calls are about the same if about is the same. Nil
// means that the person allows it. A result, if there is one, is the result of the call, which the
// client will repeat. mcppopup.Permission implements it.
type Permission interface {
	Ask(ctx context.Context, about []byte, title, message, quoted string, channels ...popup.Channel) (*mcpserver.Result, error)
	// Answer passes on the person's reply to the question with that ID.
	Answer(id string, r question.Reply, channel string) error
}

// confirmKey is the key of a pattern in a context.
type confirmKey struct{}

// NewConfirmContext returns a context for the requests of a caller. Lines that match the pattern
// are typed only if the person allows them.
func NewConfirmContext(ctx context.Context, pattern *regexp.Regexp) context.Context {
	return context.WithValue(ctx, confirmKey{}, pattern)
}

// pattern returns which lines of the caller need permission, or nil.
func (f *Face) pattern(ctx context.Context) *regexp.Regexp {
	if f.confirm != nil {
		return f.confirm
	}
	p, _ := mcpserver.Caller(ctx).Value(confirmKey{}).(*regexp.Regexp)
	return p
}

// A recipient is a session in which something is to be typed.
type recipient struct {
	terminals.Target        // by its ID: the session stays the same, whatever name it has
	name             string // the present one, for messages
	secret           bool   // its program seems to ask for a password
}

// recipient finds the session of that name or ID.
func (f *Face) recipient(ctx context.Context, session string) (recipient, error) {
	by := f.grant(ctx)
	by.Rights |= terminals.Read // the caller does not get the answer
	s, err := terminals.GetSession.Do(ctx, f.terminals, by, terminals.Target{Session: session})
	if err != nil {
		return recipient{}, err
	}
	return recipient{terminals.Target{Session: s.ID}, s.Name, s.State == string(term.StateSecret)}, nil
}

// permit puts what is about to be typed in a session before the person, if it completes a line that
// matches the caller's pattern. It returns the lines that the person allows, and need as
// [Permission] has it. The line that a program reads as a secret does nothing by itself, and must
// not appear in a question.
func (f *Face) permit(ctx context.Context, to recipient, pieces []piece) (allowed []string, need *mcpserver.Result, err error) {
	pattern := f.pattern(ctx)
	if pattern == nil {
		return nil, nil, nil
	}
	line, err := f.lines.copyOf(ctx, to.Session)
	if err != nil {
		return nil, nil, err
	}
	_, matching := matches(pattern, line, pieces, to.secret)
	if len(matching) == 0 {
		return nil, nil, nil
	}
	about := append([]string{to.Session}, matching...) // the question displays a part of long lines, and a name
	need, err = f.ask(ctx, about, fmt.Sprintf("Enter this in the terminal %q?", to.name), matching, &attached{f, to.Session})
	return matching, need, err
}

// matches types pieces into a line, and returns those of the lines which they complete that match.
// With secret, the first line is one that a program reads as a secret: held reports whether it
// would match.
func matches(pattern *regexp.Regexp, line *typed.Line, pieces []piece, secret bool) (held bool, lines []string) {
	for _, p := range pieces {
		rest := p.typed
		if n := bytes.IndexAny(rest, readEnds) + 1; secret && n > 0 {
			held = len(matching(pattern, line, rest[:n])) > 0
			secret, rest = false, rest[n:]
		}
		lines = append(lines, matching(pattern, line, rest)...)
	}
	return held, lines
}

// readEnds end the line that a program reads: Enter, and keys that end the program or its input.
// What is typed after them is for another one.
const readEnds = "\r\n\x03\x04\x1a\x1c"

// matching types into a line, and returns those of the lines which that completes that match.
func matching(pattern *regexp.Regexp, line *typed.Line, text []byte) (lines []string) {
	for _, c := range line.Type(text) {
		if pattern.MatchString(c.Text) {
			lines = append(lines, c.Text)
		}
	}
	return lines
}

// resultOf returns what the client needs to do first, or the zero Result.
func resultOf(need *mcpserver.Result) mcpserver.Result {
	if need == nil {
		return mcpserver.Result{}
	}
	return *need
}

// permitCommand is permit for the command of a new session.
func (f *Face) permitCommand(ctx context.Context, in createInput) (need *mcpserver.Result, err error) {
	pattern := f.pattern(ctx)
	if pattern == nil || !pattern.MatchString(in.Command) {
		return nil, nil
	}
	return f.ask(ctx, in, "Run this in a new terminal?", strings.Split(in.Command, "\n"))
}

// ask asks the person about lines. about is all that the answer is for, as JSON.
func (f *Face) ask(ctx context.Context, about any, title string, lines []string, channels ...popup.Channel) (*mcpserver.Result, error) {
	if f.permission == nil {
		return nil, fault.New(fault.Precondition, "this needs the person's permission, and this server cannot ask: nothing was done")
	}
	all, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	return f.permission.Ask(ctx, all, title, "The agent is about to enter what --confirm holds back:", quote(lines), channels...)
}

// Limits of what a question displays of the lines.
const maxLines, maxCharacters = 20, 1000

// quote returns lines, each with its end. Characters that are invisible or change what is displayed
// are replaced.
func quote(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(&b, "… and %d more lines\n", len(lines)-i)
			break
		}
		characters := []rune(line)
		b.WriteString(safetext.Visible(string(characters[:min(len(characters), maxCharacters)])))
		if n := len(characters) - maxCharacters; n > 0 {
			fmt.Fprintf(&b, "… and %d more characters", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A piece is a part of what wsh_send_input types.
type piece struct {
	typed []byte // as a terminal would send it, for [typed.Line]
	// send types it. With asked, it fails with [term.NotAsked] unless a program reads the first
	// line as a secret.
	send func(ctx context.Context, asked bool) error
}

// settled is how long the screen must be quiet to show what keys have done to a line, and
// settleLimit how long to wait for that.
const settled, settleLimit = 100 * time.Millisecond, 2 * time.Second

// typePieces types pieces one after another, after [Face.permit] has allowed some lines. It fails
// before a piece that would enter other lines that match the caller's pattern: somebody may have
// typed meanwhile. Before it enters a line of unknown text, it looks at the screen. Nothing else is
// typed through the face in that session until it returns. With the detail [term.NotAsked] of the
// error, nothing was typed: the first line matches, and would be exempt if a program asked for it.
func (f *Face) typePieces(ctx context.Context, to recipient, allowed []string, pieces []piece) error {
	open, err := f.lines.open(ctx, to.Session)
	if err != nil {
		return err
	}
	defer f.lines.close(to.Session, open)
	pattern, secret, asked := f.pattern(ctx), to.secret, false
	if pattern != nil {
		asked, _ = matches(pattern, open.line.Clone(), pieces, secret)
	}
	for i, p := range pieces {
		if pattern != nil {
			_, lines := matches(pattern, open.line.Clone(), []piece{p}, secret)
			for _, line := range lines {
				if !slices.Contains(allowed, line) {
					return fault.New(fault.Precondition, "others have typed in session %q meanwhile, so that %q would be entered, which needs the person's permission: look at the screen, drop the line with C-c, and try again", to.name, line)
				}
			}
		}
		if pattern != nil && enterUnknown(open.line.Clone(), []piece{p}) {
			shown, err := f.lineAtCursor(ctx, to.Target)
			if err != nil {
				return err
			}
			if pattern.MatchString(shown) {
				return fault.New(fault.Precondition, "the line at the cursor, which keys have recalled or completed, needs the person's permission and was not entered: drop it with C-c, and type it in full, so that the person can be asked")
			}
		}
		if err := p.send(ctx, asked && secret); err != nil {
			if fault.DetailOf(err) == term.NotAsked && i == 0 {
				return err
			}
			if kind := fault.KindOf(err); kind != fault.NotFound && kind != fault.Gone && kind != fault.Invalid {
				open.line.Type([]byte(unknownKey)) // a part may have been typed: the screen says what
			}
			if fault.DetailOf(err) == term.NotAsked {
				return fault.New(fault.Precondition, "no program in session %q asks for a secret any more, and a part of the input was typed: look at the screen, drop the line with C-c, and try again", to.name)
			}
			return err
		}
		open.line.Type(p.typed)
		secret = secret && !bytes.ContainsAny(p.typed, readEnds)
	}
	return nil
}

// enterUnknown reports whether pieces, typed into a line, would enter one of unknown text.
func enterUnknown(line *typed.Line, pieces []piece) bool {
	for _, p := range pieces {
		for _, c := range line.Type(p.typed) {
			if c.Unclear {
				return true
			}
		}
	}
	return false
}

// lineAtCursor returns the line in which the cursor is, with a prompt if there is one, as soon as
// the screen is quiet. In full-screen programs it is "": Enter does not enter a line there.
func (f *Face) lineAtCursor(ctx context.Context, of terminals.Target) (string, error) {
	by := f.grant(ctx)
	by.Rights |= terminals.Read // the caller does not get it
	// The screen is good enough after the limit.
	_, err := terminals.AwaitIdle.Do(ctx, f.terminals, by, terminals.IdleQuery{
		Target: of, Formatted: plain, Fresh: true,
		Silence: terminals.Silence{TimeoutMS: new(uint64(settled.Milliseconds()))}, Deadline: terminals.Deadline{MaxWaitMS: new(uint64(settleLimit.Milliseconds()))},
	})
	if err != nil && fault.KindOf(err) != fault.Timeout {
		return "", err
	}
	now, err := terminals.GetScreen.Do(ctx, f.terminals, by, terminals.ScreenQuery{Target: of, Formatted: plain})
	if err != nil || now.AlternateActive {
		return "", err
	}
	rows, ok := now.Lines.([]string)
	if !ok || now.Cursor.Row >= len(rows) {
		return "", fault.New(fault.Internal, "the screen has no row %d", now.Cursor.Row)
	}
	line := rows[now.Cursor.Row]
	for i := now.Cursor.Row - 1; i >= 0 && len([]rune(rows[i])) >= now.Cols; i-- {
		line = rows[i] + line
	}
	return line, nil
}
