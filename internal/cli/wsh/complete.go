package wsh

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/terminals"
)

type completionCommand struct{ completion.ScriptCommand }

// Help is the last part of what --help prints.
func (completionCommand) Help() string {
	return "The script makes the shell complete commands, flags and their values, and the names of sessions and tags as they are at that moment.\n\n" + completion.Usage("wsh")
}

func (c completionCommand) run(_ context.Context, e env) error {
	return c.Print(e.Out, "wsh")
}

type completeCommand struct{ completion.Query }

// completeTime is how long a person who has pressed Tab waits for a server at most.
const completeTime = time.Second

func (c completeCommand) run(ctx context.Context, e env) error {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	e.Err = nothing{} // the shell would display it
	model := new(grammar).program(e.version, e.vars, e.Streams).Model()
	return c.Answer(e.Out, model, func(node *kong.Node, v *kong.Value, given completion.Given) (completion.Result, bool) {
		list, ok := e.candidates(ctx, node, v, given)
		return completion.Result{Kind: completion.Words, Candidates: list}, ok
	})
}

// nothing drops what is written to it.
type nothing struct{}

func (nothing) Write(b []byte) (int, error) { return len(b), nil }

// candidates returns the values of a flag or argument that exist right now. The server is the one
// that the command line names.
func (e env) candidates(ctx context.Context, node *kong.Node, v *kong.Value, given completion.Given) ([]completion.Candidate, bool) {
	last := func(name string) string {
		if list := given[name]; len(list) > 0 {
			return list[len(list)-1]
		}
		return ""
	}
	if name := last("server-name"); name != "" {
		e.where.ServerName, e.where.Socket = name, ""
	}
	if socket := last("socket"); socket != "" {
		e.where.Socket = kong.ExpandPath(socket)
	}
	t := v.Target.Type()
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[sessionName]():
		return e.candidateSessions(ctx, false), true
	case reflect.TypeFor[tagName]():
		return e.candidateSessions(ctx, true), true
	}
	switch v.Tag.Get("complete") {
	case "server":
		return e.runningServers(), true
	case "key":
		return keyNames(), true
	case "element":
		ops := terminals.Overlays
		if node.Name == "panel" {
			ops = terminals.Panels
		}
		return e.candidateElements(ctx, ops, last("session")), true
	case "help":
		var out []completion.Candidate
		for _, name := range completeHelp(node, given[v.Name]) {
			out = append(out, completion.Candidate{Text: name})
		}
		return out, true
	case "client":
		return e.candidateClients(ctx, last("session")), true
	case "token":
		return e.candidateTokens(ctx), true
	}
	return nil, false
}

// candidateSessions returns the sessions, or their tags, each once.
func (e env) candidateSessions(ctx context.Context, tags bool) []completion.Candidate {
	var out []completion.Candidate
	_ = e.withServer(ctx, func(r *remote) error { // without one there is nothing to offer
		list, err := terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
		seen := map[string]bool{}
		for _, s := range list {
			if !tags {
				out = append(out, completion.Candidate{Text: s.Name, Help: strings.TrimSpace(stateOf(s) + " " + clip(printable(s.Command), 40))})
				continue
			}
			for _, tag := range s.Tags {
				if !seen[tag] {
					seen[tag] = true
					out = append(out, completion.Candidate{Text: tag})
				}
			}
		}
		return err
	})
	return out
}

// candidateElements returns the overlays or panels of a session.
func (e env) candidateElements(ctx context.Context, ops terminals.ElementOps, session string) []completion.Candidate {
	var out []completion.Candidate
	_ = e.withServer(ctx, func(r *remote) error {
		var list []element
		err := r.Do(ctx, terminals.Everything, &ops.List.Operation, terminals.Target{Session: session}, &list)
		for _, one := range list {
			out = append(out, completion.Candidate{Text: one.ID, Help: clip(printable(one.text()), 40)})
		}
		return err
	})
	return out
}

// candidateClients returns the clients of a session.
func (e env) candidateClients(ctx context.Context, session string) []completion.Candidate {
	var out []completion.Candidate
	_ = e.withServer(ctx, func(r *remote) error {
		s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, terminals.Target{Session: session})
		for _, c := range s.Attached {
			out = append(out, completion.Candidate{Text: c.Name, Help: strings.TrimSpace(c.Kind + " " + describeClient(s, c))})
		}
		return err
	})
	return out
}

func (e env) candidateTokens(ctx context.Context) []completion.Candidate {
	var out []completion.Candidate
	_ = e.withServer(ctx, func(r *remote) error {
		list, err := terminals.ListTokens.Do(ctx, r, terminals.Everything, terminals.None{})
		for _, token := range list {
			out = append(out, completion.Candidate{Text: token.ID, Help: printable(token.Name)})
		}
		return err
	})
	return out
}

// runningServers returns the servers of this user.
func (e env) runningServers() []completion.Candidate {
	folder, err := instance.Open(e.vars, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil
	}
	var out []completion.Candidate
	for _, name := range folder.Names() {
		out = append(out, completion.Candidate{Text: name})
	}
	return out
}

// keyNames returns the keys that people press most.
func keyNames() []completion.Candidate {
	var out []completion.Candidate
	for name := range strings.FieldsSeq("Enter Tab Escape Space Backspace Delete Insert Up Down Left Right Home End PageUp PageDown") {
		out = append(out, completion.Candidate{Text: name})
	}
	for c := 'a'; c <= 'z'; c++ {
		out = append(out, completion.Candidate{Text: fmt.Sprintf("C-%c", c)})
	}
	for n := range 12 {
		out = append(out, completion.Candidate{Text: fmt.Sprintf("F%d", n+1)})
	}
	return out
}
