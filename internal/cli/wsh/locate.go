package wsh

import (
	"context"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
)

// chosenServer reports whether the caller has named a server.
func chosenServer(c *kong.Context, vars environ.Variables, w caller.Where) bool {
	return w.Socket != "" || vars.Get(instance.Variable) != "" || commandline.HasFlag(c, "server-name")
}

// sessionArguments returns the sessions that a command is about.
func sessionArguments(c *kong.Context) (names []string) {
	for _, p := range c.Path {
		if p.Flag != nil && p.Flag.Target.Type() == reflect.TypeFor[caller.HostName]() {
			return nil // they are on another server, which the command's own one knows
		}
	}
	for _, p := range c.Selected().Positional {
		switch {
		case p.Target.Type() == reflect.TypeFor[caller.SessionName]():
			names = append(names, p.Target.String())
		case p.Target.Type() == reflect.TypeFor[[]caller.SessionName]():
			names = append(names, caller.Texts(p.Target.Interface().([]caller.SessionName))...)
		}
	}
	return names
}

// locate returns the server that has the sessions. Without one, it is the command's own, whose
// error says so.
func locate(ctx context.Context, e caller.Env, names []string) (caller.Where, error) {
	if len(names) == 0 {
		return e.Where, nil
	}
	folder, err := e.NewFolder()
	if err != nil || len(folder.Programs()) == 0 {
		return e.Where, nil // the error is the command's to report
	}
	list, err := e.SessionsEverywhere(ctx, nil)
	if err != nil {
		return e.Where, nil
	}
	to := e.Where
	for i, name := range names {
		server, found := e.Where.ServerName, []string(nil)
		for _, s := range list {
			if s.Name == name || s.ID == name {
				server, found = s.Server, append(found, s.Location(e.Vars))
			}
		}
		if len(found) > 1 {
			return e.Where, fault.New(fault.Precondition, "%d servers have a session %q: %s. Choose one with -L, as in \"wsh -L %s ...\"",
				len(found), name, strings.Join(found, " and "), server)
		}
		if i > 0 && server != to.ServerName {
			return e.Where, fault.New(fault.Precondition, "the sessions %q and %q are in two servers, %s and %s: name those of one server at a time", names[0], name, to.ServerName, server)
		}
		to.ServerName = server
	}
	return to, nil
}
