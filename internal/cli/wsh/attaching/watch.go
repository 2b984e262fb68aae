package attaching

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/cli/attach"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/display"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/wake"
)

type Watch struct {
	Session   caller.SessionName `arg:"" help:"The session."`
	Events    []string           `placeholder:"EVENT" help:"With --json: what to print, such as output,command (default: output,state,command,title,exit). Also client (who attaches, leaves and leads), lines, chars, cursor, mode, diffs, input, overlay, bell, notification, progress and clipboard."`
	AltScreen bool               `help:"Draw on the terminal's alternate screen, so that nothing of the session stays on it."`
	As        caller.ClientName  `placeholder:"NAME" help:"The name by which others know this terminal (default: the user and the terminal, such as ann@pts/3)."`
	caller.JSONFlag
}

func (c Watch) Run(ctx context.Context, e caller.Env) error {
	if len(c.Events) > 0 && !c.JSON {
		return fault.New(fault.Invalid, "--events is for --json")
	}
	if !c.JSON && commandline.IsTerminal(e.In) && commandline.IsTerminal(e.Out) {
		look := ClientFlags{AltScreen: c.AltScreen, ReadOnly: true, As: c.As}
		err := look.attach(ctx, e, startFlags{}, attach.Options{Session: string(c.Session), Client: clients.Options{Kind: clients.KindWatch}})
		if own, ok := errors.AsType[*commandline.StatusError](err); ok && own.Err == nil {
			return nil // it is the program's status, not ours
		}
		return err
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(c.Session))
		if err != nil {
			return err
		}
		w := &watching{Tracked: caller.NewTracked(r, s), client: string(c.As)}
		if !c.JSON {
			return w.follow(ctx, func(lines []string, lost uint64) error {
				if lost > 0 {
					e.Note("%s lost: they had left the history before they were read", caller.Plural(int(lost), "line"))
				}
				for _, line := range lines {
					if err := e.Printf("%s\n", line); err != nil {
						return err
					}
				}
				return nil
			})
		}
		return w.events(ctx, e, c.Events)
	})
}

// watching reads on in a session.
type watching struct {
	*caller.Tracked
	client string // the name of this client, or ""
}

// followPause is the least time between two reads of a session.
const followPause = 50 * time.Millisecond

// follow reports each line that the cursor has left, until the program has ended, and how many
// lines were lost before.
func (w *watching) follow(ctx context.Context, report func(lines []string, lost uint64) error) error {
	screen, err := w.screen(ctx, nil)
	if err != nil {
		return err
	}
	p, err := w.page(ctx, 0, 0)
	if err != nil {
		return err
	}
	end, layout := p.End(), p.Layout
	next := end - min(uint64(screen.Rows), p.Total)
	var last []string // the lines before next, at most a screen of them
	for over := false; ; {
		if !screen.AlternateActive || over {
			for {
				p, err := w.page(ctx, next, display.PageLines)
				if err != nil {
					return err
				}
				if before := end; p.Layout != layout { // the lines have other numbers now
					end, layout = p.End(), p.Layout
					next, last = end-min(before-min(next, before), end), nil
					continue
				}
				end = p.End()
				left := end
				if !over {
					left -= min(uint64(max(screen.Rows-screen.Cursor.Row, 1)), end)
				}
				if left < next { // the program went back: what it has changed above the cursor is new, too
					from, kept := next-uint64(len(last)), uint64(0)
					again, err := w.page(ctx, from, len(last))
					if err != nil {
						return err
					}
					gone := min(again.First-min(from, again.First), uint64(len(last))) // from the history
					from, last = from+gone, last[gone:]
					now := again.Lines
					for kept < uint64(len(now)) && from+kept < left && now[kept] == last[kept] {
						kept++
					}
					next, last = min(from+kept, left), last[:kept]
					continue
				}
				lost := p.First - min(next, p.First)
				all := p.Lines
				lines := all[:min(uint64(len(all)), left-min(p.First, left))]
				more := len(lines) == len(all) && p.Next < left
				if over && !more {
					lines = trimEmpty(lines)
				}
				next = max(next, p.First) + uint64(len(lines))
				if lost > 0 {
					last = nil
				}
				last = append(last, lines...)
				last = last[max(len(last)-screen.Rows, 0):]
				if err := report(lines, lost); err != nil {
					return err
				}
				if !more {
					break
				}
			}
		}
		if over {
			return nil
		}
		if err := wake.After(ctx, followPause); err != nil {
			return err
		}
		newer, err := w.screen(ctx, &screen.Epoch)
		switch {
		case fault.KindOf(err) == fault.Gone:
			over = true
		case err != nil:
			return err
		default:
			screen = newer
		}
	}
}

// screen returns the screen, or waits for one that is later than an epoch, unless that is nil.
func (w *watching) screen(ctx context.Context, after *uint64) (screen wire.Screen, err error) {
	err = w.Do(ctx, func(to terminals.Target) (err error) {
		plain := terminals.ScreenQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}}
		if after != nil {
			screen, err = terminals.AwaitScreen.Do(ctx, w.Server, terminals.Everything, terminals.ScreenAfter{ScreenQuery: plain, Epoch: *after})
			return err
		}
		answer, err := terminals.GetScreen.Do(ctx, w.Server, terminals.Everything, plain)
		screen = answer.Screen
		return err
	})
	return screen, err
}

// page reads at most n lines from a number on, without styles.
func (w *watching) page(ctx context.Context, from uint64, n int) (p display.Page[[]string], err error) {
	err = w.Do(ctx, func(to terminals.Target) error {
		p, err = display.ReadPage[[]string](ctx, w.Server, terminals.ScrollbackQuery{Target: to, Formatted: terminals.Formatted{Format: "plain"}, From: &from, Limit: new(uint64(n))})
		return err
	})
	return p, err
}

// trimEmpty removes empty lines from the end.
func trimEmpty(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// The events that this command adds to the server's events.
const (
	outputEvent = "output"
	exitEvent   = "exit"
)

// events prints events until the program has ended.
func (w *watching) events(ctx context.Context, e caller.Env, wanted []string) error {
	if len(wanted) == 0 {
		wanted = []string{outputEvent, "state", "command", "title", exitEvent}
	}
	topics := slices.DeleteFunc(slices.Clone(wanted), func(t string) bool { return t == outputEvent || t == exitEvent })
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex // held while an event is printed
	print := func(event any) error {
		mu.Lock()
		defer mu.Unlock()
		return e.PrintJSON(event)
	}
	var running sync.WaitGroup
	start := func(f func() error) {
		running.Go(func() {
			if err := f(); err != nil {
				cancel(err)
			}
		})
	}
	if slices.Contains(wanted, outputEvent) {
		start(func() error {
			return w.follow(ctx, func(lines []string, lost uint64) error {
				if len(lines) == 0 && lost == 0 {
					return nil
				}
				return print(struct {
					Event string   `json:"event"`
					Lines []string `json:"lines"`
					Lost  uint64   `json:"lost,omitempty"`
				}{outputEvent, lines, lost})
			})
		})
	}
	if len(topics) > 0 {
		start(func() error {
			err := w.subscribe(ctx, topics, print)
			if client.IsEnd(err) {
				return nil
			}
			return w.Removed(ctx, err)
		})
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	exit, err := w.AwaitExit(ctx)
	if err != nil || !slices.Contains(wanted, exitEvent) {
		return err
	}
	return print(struct {
		Event string `json:"event"`
		wire.Exit
	}{exitEvent, exit})
}

// ofScreen are topics whose subscribers need to know the screen from which they start.
var ofScreen = []string{"lines", "chars", "cursor", "mode", "diffs"}

// subscribe reports the server's events of some topics until the session ends.
func (w *watching) subscribe(ctx context.Context, topics []string, report func(any) error) error {
	counted, err := terminals.Join.Open(ctx, w.Server, terminals.Everything, terminals.JoinQuery{Target: w.Target(), Count: terminals.Count{Kind: clients.KindWebSocket, Name: w.client}})
	if err != nil {
		return err
	}
	defer counted.Close()
	events, err := terminals.Watch.Open(ctx, w.Server, terminals.Everything, terminals.WatchQuery{Target: w.Target(), Formatted: terminals.Formatted{Format: "plain"}, Events: topics})
	if err != nil {
		return err
	}
	defer events.Close()
	fromScreen := slices.ContainsFunc(topics, func(t string) bool { return slices.Contains(ofScreen, t) })
	for {
		list, err := events.Next(ctx)
		if err != nil {
			return err
		}
		for _, event := range list {
			if name := event.Name(); (name == "sync" || name == "reset") && !fromScreen {
				continue
			}
			if err := report(json.RawMessage(append(wire.AppendMembers([]byte("{"), event), '}'))); err != nil {
				return err
			}
		}
	}
}
