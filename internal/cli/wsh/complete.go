package wsh

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/cli/wsh/others"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type completeCommand struct{ completion.Query }

// completeTime is how long a person who has pressed Tab waits for a server at most.
const completeTime = time.Second

func (c completeCommand) Run(ctx context.Context, e caller.Env) error {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	e.Err = io.Discard // the shell would display it
	model := new(grammar).program(e.Version, e.Vars, e.Streams).Model()
	return c.Answer(e.Out, model, func(node *kong.Node, v *kong.Value, given completion.Given) (completion.Result, bool) {
		list, ok := candidates(ctx, e, node, v, given)
		return completion.Result{Kind: completion.Words, Candidates: list}, ok
	})
}

// candidates returns the values of a flag or argument that exist right now. The server is the one
// that the command line names.
func candidates(ctx context.Context, e caller.Env, node *kong.Node, v *kong.Value, given completion.Given) ([]completion.Candidate, bool) {
	last := func(name string) string {
		if list := given[name]; len(list) > 0 {
			return list[len(list)-1]
		}
		return ""
	}
	if name := last("server-name"); name != "" {
		e.Where.ServerName, e.Where.Socket = name, ""
	}
	if socket := last("socket"); socket != "" {
		e.Where.Socket = kong.ExpandPath(socket)
	}
	t := v.Target.Type()
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	session := terminals.Target{Session: last("session")}
	switch kind := v.Tag.Get("complete"); {
	case t == reflect.TypeFor[caller.SessionName]():
		return offer(ctx, e, caller.SessionsOf, func(s wire.Session) completion.Candidate {
			return completion.Candidate{Text: s.Name, Help: strings.TrimSpace(caller.StateOf(s) + " " + caller.Clip(safetext.Visible(s.Command), 40))}
		}), true
	case t == reflect.TypeFor[caller.TagName]():
		return offer(ctx, e, func(ctx context.Context, r *caller.Remote) (tags []string, err error) {
			list, err := caller.SessionsOf(ctx, r)
			for _, s := range list {
				tags = append(tags, s.Tags...)
			}
			slices.Sort(tags)
			return slices.Compact(tags), err
		}, word), true
	case t == reflect.TypeFor[caller.HostName]():
		return offer(ctx, e, func(ctx context.Context, r *caller.Remote) ([]terminals.KnownServer, error) {
			list, err := terminals.ListServers.Do(ctx, r, terminals.Everything, terminals.None{})
			return slices.DeleteFunc(list, func(s terminals.KnownServer) bool { return others.NameFor(node.Name, s) == "" }), err
		}, func(s terminals.KnownServer) completion.Candidate {
			return completion.Candidate{Text: others.NameFor(node.Name, s), Help: others.HealthOf(s)}
		}), true
	case t == reflect.TypeFor[caller.LabelName]():
		return offer(ctx, e, labelsOf, word), true
	case kind == "server":
		folder, err := e.NewFolder()
		if err != nil {
			return nil, true
		}
		return words(folder.Names()), true
	case kind == "key":
		return keyNames(), true
	case kind == "help":
		return words(completeHelp(node, given[v.Name])), true
	case kind == "client":
		var s wire.Session
		return offer(ctx, e, func(ctx context.Context, r *caller.Remote) (_ []wire.Client, err error) {
			s, err = terminals.GetSession.Do(ctx, r, terminals.Everything, session)
			return s.Attached, err
		}, func(c wire.Client) completion.Candidate {
			return completion.Candidate{Text: c.Name, Help: strings.TrimSpace(c.Kind + " " + describeClient(s, c))}
		}), true
	}
	return nil, false
}

// labelsOf returns what the machines are for that the server knows, with its own.
func labelsOf(ctx context.Context, r *caller.Remote) ([]string, error) {
	here, err := terminals.GetServer.Do(ctx, r, terminals.Everything, terminals.None{})
	if err != nil {
		return nil, err
	}
	others, err := terminals.ListServers.Do(ctx, r, terminals.Everything, terminals.None{})
	labels := slices.Clone(here.Labels)
	for _, s := range others {
		labels = append(labels, s.Labels...)
	}
	slices.Sort(labels)
	return slices.Compact(labels), err
}

// offer returns a candidate for each item of a list that the server has. Without a server there is
// nothing to offer.
func offer[T any](ctx context.Context, e caller.Env, get func(context.Context, *caller.Remote) ([]T, error), of func(T) completion.Candidate) (out []completion.Candidate) {
	_ = e.WithServer(ctx, func(r *caller.Remote) error {
		list, err := get(ctx, r)
		for _, item := range list {
			out = append(out, of(item))
		}
		return err
	})
	return out
}

func word(text string) completion.Candidate { return completion.Candidate{Text: text} }

func words(texts []string) (out []completion.Candidate) {
	for _, text := range texts {
		out = append(out, word(text))
	}
	return out
}

// keyNames returns the keys that people press most.
func keyNames() []completion.Candidate {
	names := strings.Fields("Enter Tab Escape Space Backspace Delete Insert Up Down Left Right Home End PageUp PageDown")
	for c := 'a'; c <= 'z'; c++ {
		names = append(names, fmt.Sprintf("C-%c", c))
	}
	for n := range 12 {
		names = append(names, fmt.Sprintf("F%d", n+1))
	}
	return words(names)
}
