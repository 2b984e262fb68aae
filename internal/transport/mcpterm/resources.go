package mcpterm

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
)

const (
	sessionsURI = "wsh://sessions"
	jsonType    = "application/json"
)

// A sessionResource is a resource that each session has.
type sessionResource struct {
	name, title, about string
	read               func(ctx context.Context, f *Face, of terminals.Target) (any, error)
}

var sessionResources = []sessionResource{
	{"screen", "Screen", "Current screen contents: lines, cursor, rows, cols, mode", func(ctx context.Context, f *Face, of terminals.Target) (any, error) {
		now, err := do(ctx, f, terminals.GetScreen, terminals.ScreenQuery{Target: of})
		now.Lines = compact(now.Lines)
		return now.Screen, err
	}},
	{"scrollback", "Scrollback", "The last 100 lines of the scrollback buffer, and their total", func(ctx context.Context, f *Face, of terminals.Target) (any, error) {
		page, err := do(ctx, f, terminals.GetScrollback, terminals.ScrollbackQuery{Target: of, Tail: new(uint64(defaultPage))})
		return newScrollback(page), err
	}},
}

func parseURI(uri string) (session string, v sessionResource, ok bool) {
	rest, ok := strings.CutPrefix(uri, sessionsURI+"/")
	name, of, _ := strings.Cut(rest, "/")
	session, err := url.PathUnescape(name)
	i := slices.IndexFunc(sessionResources, func(v sessionResource) bool { return v.name == of })
	if !ok || err != nil || session == "" || i < 0 {
		return "", sessionResource{}, false
	}
	return session, sessionResources[i], true
}

func isOurs(uri string) bool { return strings.HasPrefix(uri, "wsh://") }

// Tune sets the handlers and capabilities of a server. Requests about other resources go to the
// handlers that are set already.
func (f *Face) Tune(o *mcp.ServerOptions) {
	complete, subscribe, unsubscribe := o.CompletionHandler, o.SubscribeHandler, o.UnsubscribeHandler
	o.Capabilities.Tools = &mcp.ToolCapabilities{ListChanged: true}
	o.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true}
	o.Capabilities.Completions = &mcp.CompletionCapabilities{}
	o.Capabilities.Prompts = &mcp.PromptCapabilities{}
	o.CompletionHandler = func(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		if complete != nil && (req.Params.Ref == nil || !isOurs(req.Params.Ref.URI)) {
			return complete(ctx, req)
		}
		return f.complete(ctx, req)
	}
	o.SubscribeHandler = func(ctx context.Context, req *mcp.SubscribeRequest) error {
		if subscribe != nil && !isOurs(req.Params.URI) {
			return subscribe(ctx, req)
		}
		return f.subscribe(ctx, req.Session, req.Params.URI)
	}
	o.UnsubscribeHandler = func(ctx context.Context, req *mcp.UnsubscribeRequest) error {
		if unsubscribe != nil && !isOurs(req.Params.URI) {
			return unsubscribe(ctx, req)
		}
		f.subscribers.Remove(req.Session, req.Params.URI)
		return nil
	}
	cacheable := o.SetCacheable
	o.SetCacheable = func(ctx context.Context, req mcp.Request, c *mcp.Cacheable) {
		cacheable(ctx, req, c)
		if _, changing := req.GetParams().(*mcp.ListResourcesParams); changing {
			c.TTLMs = 0
		}
	}
}

// addResources adds the list of sessions, and templates for the resources of each.
func (f *Face) addResources(s *mcpserver.Server) {
	s.AddResource(&mcp.Resource{URI: sessionsURI, Name: "sessions", Title: "Sessions", Description: "List of all active sessions", MIMEType: jsonType},
		func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			list, err := f.list(ctx, nil)
			return contents(req.Params.URI, list, err)
		})
	for _, v := range sessionResources {
		s.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: v.name, Title: v.title, Description: v.about, MIMEType: jsonType, URITemplate: sessionsURI + "/{name}/" + v.name,
		}, f.read)
	}
}

func (f *Face) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	session, v, ok := parseURI(req.Params.URI)
	if !ok {
		return nil, fault.New(fault.NotFound, "there is no resource %s", req.Params.URI)
	}
	value, err := v.read(ctx, f, terminals.Target{Session: session})
	return contents(req.Params.URI, value, err)
}

// contents is the result of reading a resource.
func contents(uri string, value any, err error) (*mcp.ReadResourceResult, error) {
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			data, _ := json.Marshal(map[string]string{"uri": uri}) // never fails
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error(), Data: data}
		}
		return nil, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "encode %s", uri)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(data)}}}, nil
}

// listSessions adds the resources of the sessions that the caller may see to the list.
func (f *Face) listSessions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListResourcesResult)
		if !ok || err != nil || list.NextCursor != "" {
			return res, err
		}
		all := *list // the SDK may keep its list
		all.Resources = slices.Clip(list.Resources)
		sessions, _ := f.list(ctx, nil) // a caller without the right has none
		for _, s := range sessions {
			for _, v := range sessionResources {
				all.Resources = append(all.Resources, &mcp.Resource{URI: sessionsURI + "/" + url.PathEscape(s.Name) + "/" + v.name, Name: s.Name + "/" + v.name, Title: v.title + " of " + s.Name, MIMEType: jsonType})
			}
		}
		return &all, nil
	}
}

// completions is how many names one answer may list.
const completions = 100

// complete completes the names of sessions.
func (f *Face) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if ref := req.Params.Ref; ref == nil || ref.Type != "ref/resource" || req.Params.Argument.Name != "name" {
		return res, nil
	}
	list, err := f.list(ctx, nil)
	if err != nil {
		return nil, err
	}
	c := &res.Completion
	for _, s := range list {
		if strings.HasPrefix(s.Name, req.Params.Argument.Value) {
			if c.Total++; len(c.Values) < completions {
				c.Values = append(c.Values, s.Name)
			}
		}
	}
	c.HasMore = c.Total > len(c.Values)
	return res, nil
}
