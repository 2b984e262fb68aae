// Package mcpview adds views in a conversation to an MCP server (the extension MCP Apps, revision
// 2026-01-26): the capability, the resources that are views, the metadata of tools with a view, and
// the tool through which views call a [relay.Hub].
//
// It does not know what views display.
package mcpview

import (
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/relay"
)

const (
	// Extension is the name of the extension in capabilities.
	Extension = "io.modelcontextprotocol/ui"
	// AppURI is the URI of the view of ui-mcp, which tools of several packages name.
	AppURI = "ui://ui-mcp/app.html"
	// MIMEType is the media type of a view. Hosts compare it literally.
	MIMEType = "text/html;profile=mcp-app"
)

// Tune declares the extension and the resources that it needs.
func Tune(o *mcp.ServerOptions) {
	o.Capabilities.AddExtension(Extension, map[string]any{"mimeTypes": []string{MIMEType}})
	if o.Capabilities.Resources == nil {
		o.Capabilities.Resources = &mcp.ResourceCapabilities{}
	}
}

// Meta returns the metadata of a tool that has a view, for [mcpserver.Tool]. The flat key is that
// of older hosts.
func Meta(uri string) map[string]any {
	return map[string]any{"ui": map[string]any{"resourceUri": uri}, "ui/resourceUri": uri}
}

// Declared reports whether the client that calls a tool, in its context, has declared that it
// displays views. Not every client that declares it does.
func Declared(ctx context.Context) bool {
	call := mcpserver.CallOf(ctx)
	return call != nil && declares(call)
}

// declares reports whether the client of a request has declared the extension: since 2026-07-28 in
// the request, before that when the session began.
func declares[P mcp.Params](req *mcp.ServerRequest[P]) bool {
	if isStateless(req) {
		if _, ok := req.Params.GetMeta()[mcp.MetaKeyClientCapabilities]; !ok {
			return false // the SDK would take another request's
		}
	}
	caps := req.ClientCapabilities()
	if caps == nil {
		return false
	}
	settings, ok := caps.Extensions[Extension]
	if !ok {
		return false
	}
	// A client that names types displays only those.
	data, err := json.Marshal(settings)
	var s struct {
		MIMETypes []string `json:"mimeTypes"`
	}
	if err != nil || json.Unmarshal(data, &s) != nil {
		return false
	}
	return len(s.MIMETypes) == 0 || slices.Contains(s.MIMETypes, MIMEType)
}

func isStateless[P mcp.Params](req *mcp.ServerRequest[P]) bool {
	return req.ProtocolVersion() >= mcpserver.StatelessSince
}

// A View is a resource that hosts display in the conversation.
type View struct {
	URI, Name, Title, Description string
	// Border says whether the host should draw a border and a background.
	Border bool
	// HTML returns the document. It is called at each reading.
	HTML func(ctx context.Context) (string, error)
}

// AddView adds a view to the resources of s. It has no network and no permissions.
func AddView(s *mcpserver.Server, v View) {
	meta := mcp.Meta{"ui": map[string]any{
		"csp":           map[string]any{"connectDomains": []string{}, "resourceDomains": []string{}},
		"prefersBorder": v.Border,
	}}
	s.AddResource(&mcp.Resource{
		URI: v.URI, Name: v.Name, Title: v.Title, Description: v.Description, MIMEType: MIMEType, Meta: meta,
	}, func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		html, err := v.HTML(ctx)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{
			{URI: v.URI, MIMEType: MIMEType, Text: html, Meta: meta},
		}}, nil
	})
}

// AddRelay adds the tool by which views call hub. Models should not see it: hosts that know the
// extension hide it, it is not listed for clients of sessions without the extension, and calls of
// clients without it fail. log gets a line for each call, without its messages.
func AddRelay(s *mcpserver.Server, name string, hub *relay.Hub, log *slog.Logger) {
	s.AddReceivingMiddleware(hide(name))
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:        name,
		Title:       "For views only",
		Description: "Carries messages between a view in the conversation and the server. Views call it; a model must not.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Meta:        map[string]any{"ui": map[string]any{"visibility": []string{"app"}}},
		Schemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[json.RawMessage](): {},
			reflect.TypeFor[relay.Frame](): {Type: "object", Properties: map[string]*jsonschema.Schema{
				"c": {Type: "string"}, "m": {}, "p": {Type: "string"}, "more": {Type: "boolean"},
			}, Required: []string{"c"}},
		},
	}, func(ctx context.Context, in relay.Call) (mcpserver.Result, error) {
		if !Declared(ctx) {
			return mcpserver.Result{}, fault.New(fault.NotFound, "%s is for views in a conversation, and this client has not declared that it shows any", name)
		}
		ctx, cancel := mcpserver.UntilGone(ctx)
		defer cancel()
		start := time.Now()
		r := hub.Call(ctx, in)
		log.Info("relay", "view", short(in.View), "hello", in.Hello != nil, "out", len(in.Out), "in", len(r.In),
			"ack", in.Ack, "bye", in.Bye, "error", string(r.Error), "ms", time.Since(start).Milliseconds())
		data, err := jsonrpc.Marshal(r)
		if err != nil {
			return mcpserver.Result{}, fault.Wrap(fault.Internal, err, "encode a reply")
		}
		// Text only: hosts have been seen to drop structured content.
		res := mcpserver.Text(string(data))
		if r.Error != "" {
			res = res.AsError()
		}
		return res, nil
	})
}

// short returns enough of a view's ID to tell views apart in a log. With the whole ID, others could
// act for the view.
func short(id string) string { return id[:min(len(id), 6)] }

// hide leaves a tool out of the list of a session whose client has not declared the extension. In
// revisions without sessions, the list must be the same for all clients.
func hide(name string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			list, isList := req.(*mcp.ListToolsRequest)
			tools, ok := res.(*mcp.ListToolsResult)
			if err != nil || !isList || !ok || isStateless(list) || declares(list) {
				return res, err
			}
			shown := *tools
			shown.Tools = slices.DeleteFunc(slices.Clone(tools.Tools), func(t *mcp.Tool) bool { return t.Name == name })
			return &shown, nil
		}
	}
}
