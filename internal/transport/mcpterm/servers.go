package mcpterm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/wake"
)

// Other servers are a part of the tools that is listed only to callers who may know of some. A
// session there is HOST/SESSION wherever a tool takes one. With the argument server, a call is that
// server's alone, on which names are plain, as clients of the known server have it.

// serverArgument is the argument that every tool about sessions takes, listed or not.
const serverArgument = "server"

// serverTools are the tools about other servers.
var serverTools = []string{"wsh_list_servers", "wsh_add_server", "wsh_remove_server", "wsh_server_status"}

// A chosen server is the one that a call names.
type chosen struct {
	terminals terminals.Terminals
	prefix    string // of its sessions' names among the sessions of all servers; "" for this server's
	err       error  // why there is none
	// labels are what the machine of a new session must have; nil: it is this one.
	labels []string
}

// anyServer is the argument server of a new session that may be on any machine, with labels of the
// machine after a colon. No server can be reached by that name.
const anyServer = "any"

type chosenKey struct{}

// choose takes the argument server out of the calls of tools about sessions.
func (f *Face) choose(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok || f.needs[call.Params.Name] == nil || slices.Contains(serverTools, call.Params.Name) {
			return next(ctx, method, req)
		}
		var args map[string]json.RawMessage
		if json.Unmarshal(call.Params.Arguments, &args) != nil || args[serverArgument] == nil {
			return next(ctx, method, req) // which reports what is malformed
		}
		var name *string
		c := chosen{terminals: f.Terminals}
		switch err := json.Unmarshal(args[serverArgument], &name); {
		case err != nil:
			c.err = fault.New(fault.Invalid, "argument %q must be a string", serverArgument)
		case name == nil || *name == "":
		case call.Params.Name == "wsh_create_session" && (*name == anyServer || strings.HasPrefix(*name, anyServer+":")):
			c.labels = strings.FieldsFunc(strings.TrimPrefix((*name)[len(anyServer):], ":"), func(r rune) bool { return r == ',' || r == ' ' })
		default:
			c = f.chosen(ctx, *name)
		}
		delete(args, serverArgument)
		if rest, err := json.Marshal(args); err == nil {
			call.Params.Arguments = rest
		}
		return next(context.WithValue(ctx, chosenKey{}, c), method, req)
	}
}

func (f *Face) chosen(ctx context.Context, name string) (c chosen) {
	if c.terminals, c.err = terminals.OnServer(f.Terminals, name); c.err != nil {
		return c
	}
	if own, err := do(ctx, f, terminals.GetServer, terminals.None{}); err != nil || !strings.EqualFold(own.Hostname, name) {
		c.prefix = name + "/"
	}
	return c
}

// on returns the terminals for a call: those of the server that it names, or all.
func (f *Face) on(ctx context.Context) (terminals.Terminals, error) {
	if c, ok := ctx.Value(chosenKey{}).(chosen); ok {
		return c.terminals, c.err
	}
	return f.Terminals, nil
}

// full returns the name among those of all servers of a session that a call names, or gets as an
// answer.
func full(ctx context.Context, session string) string {
	c, _ := ctx.Value(chosenKey{}).(chosen)
	return c.prefix + session
}

// others reports whether there are other servers that a caller may know of.
func (f *Face) others(ctx context.Context, by terminals.Grant) bool {
	list, err := terminals.ListServers.Do(ctx, f.Terminals, by, terminals.None{})
	return err == nil && len(list) > 0
}

// withServers returns the tools as they are listed to a caller who may know of other servers:
// those about sessions take the argument server.
func (f *Face) withServers(tools []*mcp.Tool) []*mcp.Tool {
	for i, t := range tools {
		switch {
		case slices.Contains(serverTools, t.Name):
			short := *t // without what clients assume where it is left out: every conversation pays for it
			short.Title, short.Annotations = "", nil
			if t.Annotations.ReadOnlyHint {
				short.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true}
			}
			tools[i] = &short
		case f.needs[t.Name] != nil:
			tools[i] = mcpserver.Listed(t, func(s *jsonschema.Schema) {
				server := &jsonschema.Schema{Type: "string"}
				if t.Name == "wsh_create_session" {
					server.Description = "any, any:LABEL"
				}
				s.Properties[serverArgument] = server
				s.PropertyOrder = append(slices.Clip(s.PropertyOrder), serverArgument)
			})
		}
	}
	return tools
}

type addServerInput struct {
	Address string `json:"address" jsonschema:"ssh://HOST"`
	Token   string `json:"token,omitempty"`
}

type serverInput struct {
	Hostname string `json:"hostname,omitempty"` // without which there is no such server
}

// knownServers are the answer of wsh_list_servers.
type knownServers struct {
	Local   string                  `json:"local_hostname"`
	Servers []terminals.KnownServer `json:"servers"`
}

// An addedServer is the answer of wsh_add_server.
type addedServer struct {
	done
	terminals.KnownServer
}

func (f *Face) addServers(s *mcpserver.Server) {
	add(s, f, mcpserver.Tool{
		Name:        "wsh_list_servers",
		Title:       "List servers",
		Description: "Hosts: HOST/NAME.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.Yes},
		Order:       mcpserver.Shared,
	}, func(ctx context.Context, _ struct{}) (mcpserver.Result, error) {
		own, err := do(ctx, f, terminals.GetServer, terminals.None{})
		if err != nil {
			return mcpserver.Result{}, err
		}
		list, err := do(ctx, f, terminals.ListServers, terminals.None{})
		return mcpserver.Answer(knownServers{own.Hostname, list}, err)
	}, terminals.Read)
	add(s, f, mcpserver.Tool{
		Name:  "wsh_add_server",
		Title: "Add a server",
		// It opens a connection with the person's own credentials.
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
	}, func(ctx context.Context, in addServerInput) (mcpserver.Result, error) {
		added, err := do(ctx, f, terminals.AddServer, terminals.NewServer{Address: in.Address, Token: in.Token})
		wake.Up(f.subscribers.Changed)
		return mcpserver.Answer(addedServer{done{Success: true, Status: "added"}, added}, err)
	}, terminals.Administer)
	add(s, f, mcpserver.Tool{
		Name:  "wsh_remove_server",
		Title: "Remove a server",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
	}, func(ctx context.Context, in serverInput) (mcpserver.Result, error) {
		_, err := do(ctx, f, terminals.RemoveServer, terminals.ServerName{Hostname: in.Hostname})
		wake.Up(f.subscribers.Changed)
		return mcpserver.Answer(struct {
			done
			Hostname string `json:"hostname"`
		}{done{Success: true, Status: "removed"}, in.Hostname}, err)
	}, terminals.Administer)
	add(s, f, mcpserver.Tool{
		Name:  "wsh_server_status",
		Title: "Describe a server",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.Yes},
		Order: mcpserver.Shared,
	}, func(ctx context.Context, in serverInput) (mcpserver.Result, error) {
		return mcpserver.Answer(do(ctx, f, terminals.GetKnownServer, terminals.ServerName{Hostname: in.Hostname}))
	}, terminals.Read)
}
