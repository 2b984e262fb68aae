package mcpterm

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/typed"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

// A Permission asks the person whether the caller may do what message says, in Markdown; the
// question may have channels of its own. Nil means that the person allows it. A result, if there is
// one, is the result of the call, which the client will repeat. mcppopup.Permission implements it.
type Permission interface {
	Ask(ctx context.Context, title, message string, channels ...popup.Channel) (*mcpserver.Result, error)
	// Answer passes on the person's reply to the question with that ID.
	Answer(id string, r question.Reply, channel string) error
}

// confirmKey is the key of a pattern in a context.
type confirmKey struct{}

// NewConfirmContext returns a context for the requests of a caller whose lines are put before the
// person first if they match a pattern.
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

// typedLines are the lines that callers are typing, by session. Sessions in which nothing has been
// typed since the last line are left out. All methods may be called from any goroutine.
type typedLines struct {
	mu   sync.Mutex // guards the field below
	open map[string]*typed.Line
}

// clone returns a copy of what is being typed in a session.
func (t *typedLines) clone(session string) *typed.Line {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.open[session]; l != nil {
		return l.Clone()
	}
	return new(typed.Line)
}

// add records what was typed.
func (t *typedLines) add(session string, b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.open[session]
	if l == nil {
		l = new(typed.Line)
		t.open[session] = l
	}
	if l.Type(b); l.IsEmpty() {
		delete(t.open, session)
	}
}

// rename records that a session has another name, or with "" that there is no such session.
func (t *typedLines) rename(from, to string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.open[from]
	delete(t.open, from)
	if delete(t.open, to); l != nil && to != "" {
		t.open[to] = l
	}
}

// permit puts what is about to be typed in a session before the person, if it completes a line that
// matches the caller's pattern. It returns nil if it may be typed: see [Permission].
func (f *Face) permit(ctx context.Context, session string, pieces ...piece) (need *mcpserver.Result, err error) {
	pattern := f.pattern(ctx)
	if pattern == nil {
		return nil, nil
	}
	var matching []string
	line := f.lines.clone(session)
	for _, p := range pieces {
		for _, c := range line.Type(p.typed) {
			if pattern.MatchString(c.Text) {
				matching = append(matching, c.Text)
			}
		}
	}
	if len(matching) == 0 || f.asksSecret(ctx, session) {
		return nil, nil
	}
	return f.ask(ctx, fmt.Sprintf("Enter this in the terminal %q?", session), matching, &attached{f, session, matching})
}

// asksSecret reports whether the program of a session asks for a password. A password does nothing
// by itself, and must not appear in a question.
func (f *Face) asksSecret(ctx context.Context, session string) bool {
	by := f.grant(ctx)
	by.Rights |= terminals.Read // the caller does not get the answer
	s, err := terminals.GetSession.Do(ctx, f.terminals, by, terminals.Target{Session: session})
	return err == nil && s.State == string(term.StateSecret)
}

// resultOf returns what the client needs to do first, or the zero Result.
func resultOf(need *mcpserver.Result) mcpserver.Result {
	if need == nil {
		return mcpserver.Result{}
	}
	return *need
}

// permitCommand is permit for the command of a new session.
func (f *Face) permitCommand(ctx context.Context, command string) (need *mcpserver.Result, err error) {
	pattern := f.pattern(ctx)
	if pattern == nil || !pattern.MatchString(command) {
		return nil, nil
	}
	return f.ask(ctx, "Run this in a new terminal?", strings.Split(command, "\n"))
}

// ask asks the person about lines.
func (f *Face) ask(ctx context.Context, title string, lines []string, channels ...popup.Channel) (*mcpserver.Result, error) {
	if f.permission == nil {
		return nil, fault.New(fault.Precondition, "this needs the person's permission, and this server cannot ask: nothing was done")
	}
	return f.permission.Ask(ctx, title, "The agent is about to enter what `--confirm` holds back:\n\n"+quoteBlock(lines), channels...)
}

// Limits of what a question displays of the lines.
const maxLines, maxCharacters = 20, 1000

// quoteBlock returns lines as a code block.
func quoteBlock(lines []string) string {
	text := quote(lines)
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + fence
}

// quote returns lines, each with its end. Characters that are invisible or change what is displayed
// are replaced.
func quote(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		if i == maxLines {
			fmt.Fprintf(&b, "… and %d more lines\n", len(lines)-i)
			break
		}
		n := 0
		for _, r := range line {
			if n++; n > maxCharacters {
				continue
			}
			if unicode.IsPrint(r) {
				b.WriteRune(r)
			} else {
				b.WriteString(strings.Trim(fmt.Sprintf("%q", r), "'"))
			}
		}
		if n > maxCharacters {
			fmt.Fprintf(&b, "… and %d more characters", n-maxCharacters)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A piece is a part of what wsh_send_input types.
type piece struct {
	typed []byte // as a terminal would send it, for [typed.Line]
	send  func(context.Context) error
}

// settled is how long the screen must be quiet to show what keys have done to a line, and
// settleLimit how long to wait for that.
const settled, settleLimit = 100 * time.Millisecond, 2 * time.Second

// typePieces types pieces one after another. Before it enters a line of unknown text, it looks at
// the screen.
func (f *Face) typePieces(ctx context.Context, of terminals.Target, pieces []piece) error {
	pattern := f.pattern(ctx)
	for _, p := range pieces {
		if pattern != nil && f.enterUnknown(of.Session, []piece{p}) {
			shown, err := f.lineAtCursor(ctx, of)
			if err != nil {
				return err
			}
			if pattern.MatchString(shown) {
				return fault.New(fault.Precondition, "the line at the cursor, which keys have recalled or completed, needs the person's permission and was not entered: drop it with C-c, and type it in full, so that the person can be asked")
			}
		}
		if err := p.send(ctx); err != nil {
			if kind := fault.KindOf(err); kind != fault.NotFound && kind != fault.Gone && kind != fault.Invalid {
				f.lines.add(of.Session, []byte(unknownKey)) // a part may have been typed: the screen says what
			}
			return err
		}
		f.lines.add(of.Session, p.typed)
	}
	return nil
}

// enterUnknown reports whether pieces would enter a line of unknown text.
func (f *Face) enterUnknown(session string, pieces []piece) bool {
	line := f.lines.clone(session)
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
