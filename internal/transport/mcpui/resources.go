package mcpui

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"

	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/wake"
)

// scheme is the start of the URI of every resource.
const scheme = "ui://"

const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
)

const (
	// settle is how long changes are collected into one update.
	settle = 50 * time.Millisecond
	// completions is how many one answer may list.
	completions = 100
)

// Reads returns the order of reading a resource: what an app displays, after the calls that change
// it. Documents and views wait for nothing: a host may read the view of a call that waits for the
// view to appear.
func Reads(uri string) mcpserver.Order {
	switch scheme + documentName(uri) {
	case stateURI, variablesURI:
		return ofSession
	}
	return mcpserver.Unordered
}

// Resources are what an agent can read: the state of the app and the documentation. Use
// [NewResources]. Call Tune and Register for the same server, and run Notify as long as it serves.
type Resources struct {
	ops         Ops
	changes     <-chan struct{}
	subscribers *mcpserver.Subscribers
}

// NewResources returns the resources of an app.
func NewResources(ops Ops) *Resources {
	return &Resources{ops: ops, changes: ops.Changes(), subscribers: mcpserver.NewSubscribers()}
}

const (
	stateURI     = scheme + "state"
	variablesURI = scheme + "variables"
)

// Tune sets the handlers and capabilities of a server.
func (r *Resources) Tune(o *mcp.ServerOptions) {
	o.Capabilities.Resources = &mcp.ResourceCapabilities{Subscribe: true}
	o.Capabilities.Completions = &mcp.CompletionCapabilities{}
	o.SubscribeHandler = func(_ context.Context, req *mcp.SubscribeRequest) error {
		r.subscribers.Add(req.Session, req.Params.URI)
		return nil
	}
	o.UnsubscribeHandler = func(_ context.Context, req *mcp.UnsubscribeRequest) error {
		r.subscribers.Remove(req.Session, req.Params.URI)
		return nil
	}
	o.CompletionHandler = r.complete
}

// Register adds the resources to s.
func (r *Resources) Register(s *mcpserver.Server) {
	r.add(s, "state", "State", jsonType, "What the app displays (mcp.value) as JSON, with the events that nobody has collected under $events.", func(ctx context.Context) ([]byte, error) {
		return r.ops.State(ctx, DefaultSession)
	})
	r.add(s, "variables", "Variables", jsonType, "Every variable that pages show, parents first: id, parentId, type, path, value, properties, childIds.", func(ctx context.Context) ([]byte, error) {
		list, _, err := r.ops.Variables(ctx, DefaultSession, "")
		return list, err
	})
	for _, d := range []struct{ name, title, about string }{
		{"cheatsheet", "Cheatsheet", "Where to begin: enough for a first app."},
		{"catalog", "Catalogue", "Pieces to build apps from: tables, boards, charts, forms, chats and more."},
		{"reference", "Reference", "The other pages, by task; files and tools."},
		{"viewdefs", "View definitions", "More ui-* attributes, options of paths, views, HTML."},
		{"lua", "Lua", "The Lua API: prototypes, the session, the globals."},
		{"mcp", "For agents", "How an agent works with the person: events, questions, checking, the chat."},
		{"terminals", "Terminals", "Terminals that apps and persons share."},
	} {
		r.add(s, d.name, d.title, markdownType, d.about, func(context.Context) ([]byte, error) { return r.ops.Document(d.name + ".md") })
	}
	s.AddReceivingMiddleware(r.anyName, r.listPatterns)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "document", Title: "Document", URITemplate: scheme + "{+path}",
		Description: "A file below resources/ in the base directory, such as ui://patterns/form.md.",
	}, r.document)
}

func (r *Resources) add(s *mcpserver.Server, name, title, mimeType, about string, read func(context.Context) ([]byte, error)) {
	uri := scheme + name
	s.AddResource(&mcp.Resource{URI: uri, Name: name, Title: title, Description: about, MIMEType: mimeType},
		func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			data, err := read(ctx)
			return contents(uri, mimeType, data, err)
		})
}

// patterns is where the guides of patterns are, which are listed as they are found.
const patterns = "patterns/"

// maxPatterns bounds how many are listed.
const maxPatterns = 100

// listPatterns adds the guides of patterns to the last page of the list of resources.
func (r *Resources) listPatterns(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListResourcesResult)
		if err != nil || !ok || list == nil || list.NextCursor != "" {
			return res, err
		}
		more := *list
		more.Resources = slices.Clone(list.Resources)
		for _, name := range r.ops.Documents(patterns, maxPatterns) {
			short, isGuide := strings.CutSuffix(strings.TrimPrefix(name, patterns), ".md")
			if !isGuide {
				continue
			}
			more.Resources = append(more.Resources, &mcp.Resource{
				URI: escapeName(name), Name: name, MIMEType: markdownType,
				Title:       "Pattern: " + strings.ReplaceAll(short, "-", " "),
				Description: "A worked example: files to write, calls, and points to keep.",
			})
		}
		return &more, nil
	}
}

// documentName is the name of the document that a URI of ours names, with or without escapes.
func documentName(uri string) string {
	name := strings.TrimPrefix(uri, scheme)
	if unescaped, err := url.PathUnescape(name); err == nil {
		return unescaped
	}
	return name
}

// anyName finds documents whose names the SDK does not match with the template: those with spaces
// and letters of any language that are not escaped.
func (r *Resources) anyName(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		read, ok := req.(*mcp.ReadResourceRequest)
		e, is := errors.AsType[*jsonrpc.Error](err)
		if ok && is && e.Code == jsonrpc.CodeInvalidParams && strings.HasPrefix(read.Params.URI, scheme) {
			return r.document(ctx, read)
		}
		return res, err
	}
}

// document reads a file below resources.
func (r *Resources) document(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	name := documentName(req.Params.URI)
	data, err := r.ops.Document(name)
	return contents(req.Params.URI, typeOf(name, data), data, err)
}

// escapeName returns the URI of a document, fully escaped.
func escapeName(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return scheme + strings.Join(parts, "/")
}

func contents(uri, mimeType string, data []byte, err error) (*mcp.ReadResourceResult, error) {
	switch {
	case fault.KindOf(err) == fault.NotFound:
		data := fault.Must(json.Marshal(map[string]string{"uri": uri})) // the SDK's own are not JSON for every URI
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Resource not found", Data: data}
	case err != nil:
		return nil, err
	}
	c := &mcp.ResourceContents{URI: uri, MIMEType: mimeType}
	if isText(mimeType) && utf8.Valid(data) {
		c.Text = string(data)
	} else {
		c.Blob = data
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
}

// types are the media types that systems do not know or disagree about.
var types = map[string]string{".md": markdownType, ".lua": "text/x-lua", ".txt": "text/plain", ".sh": "text/x-sh"}

func typeOf(name string, data []byte) string {
	ext := strings.ToLower(path.Ext(name))
	if t := types[ext]; t != "" {
		return t
	}
	if t, _, err := mime.ParseMediaType(mime.TypeByExtension(ext)); err == nil {
		return t
	}
	if utf8.Valid(data) {
		return "text/plain"
	}
	return "application/octet-stream"
}

func isText(mimeType string) bool {
	return strings.HasPrefix(mimeType, "text/") || mimeType == jsonType || mimeType == "image/svg+xml" || strings.HasSuffix(mimeType, "javascript")
}

func (r *Resources) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	res := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	if ref := req.Params.Ref; ref == nil || ref.Type != "ref/resource" || req.Params.Argument.Name != "path" {
		return res, nil
	}
	names := r.ops.Documents(req.Params.Argument.Value, completions+1)
	if len(names) > completions {
		names, res.Completion.HasMore = names[:completions], true
	}
	if names != nil {
		res.Completion.Values = names
	}
	return res, nil
}

// Notify notifies subscribers of changes of the state, until ctx is done. Changes in quick
// succession are one notification. Resources without a subscriber are not read.
func (r *Resources) Notify(ctx context.Context, s *mcpserver.Server) {
	var last, version string // what subscribers were last notified of
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.changes:
		}
		if wake.After(ctx, settle) != nil {
			return
		}
		wanted := r.subscribers.URIs(s)
		// An error means that the app has stopped.
		if joined, ok := wanted[stateURI]; ok {
			state, err := r.ops.State(ctx, DefaultSession)
			if err == nil && (joined || string(state) != last) {
				last = string(state)
				s.Updated(ctx, stateURI)
			}
		}
		if joined, ok := wanted[variablesURI]; ok {
			if joined {
				version = ""
			}
			if list, v, err := r.ops.Variables(ctx, DefaultSession, version); err == nil && list != nil {
				version = v
				s.Updated(ctx, variablesURI)
			}
		}
	}
}
