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
	"errors"
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
)

// view names the resource. Only the scheme is prescribed.
const view = "ui://mcp-ui-playground/greeting"

//go:embed greeting.html
var greeting string

func main() {
	addr := flag.String("http", "", "serve Streamable HTTP on this loopback `address` instead of standard input and output")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)) // standard output belongs to MCP
	if err := run(ctx, *addr, log); err != nil {
		log.Error("hello", "err", err)
		os.Exit(1)
	}
}

// run serves until ctx is done, or until the client closes standard input.
func run(ctx context.Context, addr string, log *slog.Logger) error {
	server := newServer(log)
	if addr == "" {
		return mcpserver.Serve(ctx, server, &mcpserver.Stdio{In: os.Stdin, Out: os.Stdout, Log: log})
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	log.Info("serving", "url", "http://"+ln.Addr().String()+"/mcp")
	stop := serveHTTP(server, ln, log)
	<-ctx.Done()
	return stop(context.WithoutCancel(ctx))
}

func serveHTTP(s *mcpserver.Server, ln net.Listener, log *slog.Logger) (stop func(context.Context) error) {
	handlers := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: log})
	mux := http.NewServeMux()
	for pattern, h := range handlers.Routes() {
		mux.Handle(pattern, h)
	}
	server := httpserve.Serve(ln, gate.Pages(mux, gate.PageOptions{}), httpserve.Options{Log: log})
	return func(ctx context.Context) error {
		return errors.Join(handlers.Close(ctx), server.Close(ctx))
	}
}

type person struct {
	Name string `json:"name" jsonschema:"who is greeted"`
}

// A hello is the tool's result, for the view.
type hello struct {
	Name     string `json:"name"`
	Greeting string `json:"greeting"`
}

func newServer(log *slog.Logger) *mcpserver.Server {
	s := mcpserver.New(mcpserver.Options{
		Name: "mcp-ui-playground", Title: "Greetings", Version: "1.0.0", Logger: log, Tune: mcpview.Tune,
	})
	// The view is the same for all calls; their data follows in notifications. It needs no relay,
	// since it asks the server for nothing.
	mcpview.AddView(s, mcpview.View{
		URI: view, Name: "greeting-ui", Title: "Greeting", Description: "Displays the greeting of hello_world.", Border: true,
		HTML: func(context.Context) (string, error) {
			log.Info("resources/read", "uri", view)
			return greeting, nil
		},
	})
	mcp.AddTool(s.Server, &mcp.Tool{
		Name:        "hello_world",
		Description: "Greets a person by name.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		Meta:        mcpview.Meta(view),
	}, func(_ context.Context, _ *mcp.CallToolRequest, p person) (*mcp.CallToolResult, hello, error) {
		log.Info("tools/call", "tool", "hello_world")
		out := hello{Name: p.Name, Greeting: "Hello, " + p.Name + "!"}
		// The text is for the model, and for hosts without views.
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.Greeting}}}, out, nil
	})
	return s
}
