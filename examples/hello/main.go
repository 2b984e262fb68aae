// Command hello is an MCP server with a view inside the chat, as small as such a server can be. Its
// tool hello_world greets a person; a host that supports MCP Apps displays the greeting in the view
// that greeting.html is, and any other host shows the text.
//
//	hello             # MCP on standard input and output
//	hello -http ADDR  # Streamable HTTP at http://ADDR/mcp
//
// It is an example, which docs/mcp-apps.md explains, and is not part of any release.
package main

import (
	"context"
	_ "embed" // for the view
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// view names the resource. Only the scheme is prescribed.
	view = "ui://mcp-ui-playground/greeting"
	// viewType is what makes HTML a view. Hosts compare it literally.
	viewType = "text/html;profile=mcp-app"
	// extension is the name of MCP Apps among the capabilities.
	extension = "io.modelcontextprotocol/ui"
)

//go:embed greeting.html
var greeting string

func main() {
	addr := flag.String("http", "", "serve Streamable HTTP on this loopback `address` instead of standard input and output")
	flag.Parse()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)) // standard output belongs to MCP
	if err := run(context.Background(), *addr, log); err != nil {
		log.Error("hello", "err", err)
		os.Exit(1)
	}
}

// run serves until the client closes standard input, or for ever on an address.
func run(ctx context.Context, addr string, log *slog.Logger) error {
	server := newServer(log)
	if addr == "" {
		return server.Run(ctx, &mcp.StdioTransport{})
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Info("serving", "url", "http://"+ln.Addr().String()+"/mcp")
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true}, // clients of both generations of the protocol
	))
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return srv.Serve(ln)
}

// A person is the tool's input.
type person struct {
	Name string `json:"name" jsonschema:"who is greeted"`
}

// A hello is what the view gets.
type hello struct {
	Name     string `json:"name"`
	Greeting string `json:"greeting"`
}

func newServer(log *slog.Logger) *mcp.Server {
	capabilities := &mcp.ServerCapabilities{}
	capabilities.AddExtension(extension, nil)
	server := mcp.NewServer(&mcp.Implementation{Name: "mcp-ui-playground", Version: "1.0.0"}, &mcp.ServerOptions{Capabilities: capabilities})

	// The view is the same for all calls: their data follows in notifications. With no domains in
	// _meta.ui.csp it may load nothing.
	meta := mcp.Meta{"ui": map[string]any{"prefersBorder": true}}
	server.AddResource(&mcp.Resource{Name: "greeting-ui", URI: view, MIMEType: viewType, Meta: meta},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			log.Info("resources/read", "uri", view)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: view, MIMEType: viewType, Text: greeting, Meta: meta}}}, nil
		})

	mcp.AddTool(server, &mcp.Tool{
		Name:        "hello_world",
		Description: "Greets a person by name.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		Meta: mcp.Meta{
			"ui":             map[string]any{"resourceUri": view},
			"ui/resourceUri": view, // for hosts that know only the key of the drafts
		},
	}, func(_ context.Context, _ *mcp.CallToolRequest, p person) (*mcp.CallToolResult, hello, error) {
		log.Info("tools/call", "tool", "hello_world")
		out := hello{Name: p.Name, Greeting: "Hello, " + p.Name + "!"}
		// The text is for the model, and for hosts without views.
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.Greeting}}}, out, nil
	})
	return server
}
