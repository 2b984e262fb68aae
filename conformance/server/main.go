// Command server is the target of the official MCP conformance suite: the app and the HTTP handlers
// of ui-mcp, with other tools. The suite asks for tools, resources and prompts with given names,
// which no product has.
//
// It is a tool of the developers of ui-mcp and is not part of any release. It serves until it is
// interrupted; the port is in the file mcp-port in its directory.
package main

//lint:file-ignore SA1019 the suite also tests deprecated features

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/install"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/web"
)

func main() {
	dir := flag.String("dir", "", "base directory of the app; it should be empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "conformance server:", err)
		os.Exit(1)
	}
}

// run serves until ctx is done.
func run(ctx context.Context, dir string) error {
	if dir == "" {
		return errors.New("-dir is missing")
	}
	client := web.Dist()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	a, err := app.New(app.Options{
		Dir:        dir,
		Source:     install.Source{Files: bundle.Files, Client: client, Readme: uimcp.Readme},
		LuaTimeout: 10 * time.Second,
		ServePages: func(_ *app.App, l net.Listener) (func(context.Context) error, error) {
			return func(context.Context) error { return nil }, l.Close() // the suite opens no page
		},
		ServeAgent: func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			return serve(a, l, client, log), nil
		},
		OpenURL: func(string) error { return errors.New("there is no browser here") },
		Log:     log,
	})
	if err != nil {
		return err
	}
	defer a.Close()
	if _, err := a.Start(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// serve serves the MCP port of ui-mcp, with the fixtures as its tools.
func serve(a *app.App, l net.Listener, client fs.FS, log *slog.Logger) (stop func(context.Context) error) {
	overHTTP := mcpserver.NewHTTP(newServer(log), mcpserver.HTTPOptions{Log: log})
	server := httpserve.Serve(l, gate.Pages(httpui.NewMCP(httpui.MCPOptions{
		App:    a,
		Routes: overHTTP.Routes(),
		Client: client,
		Log:    log,
	}), gate.PageOptions{}), httpserve.Options{Log: log})
	return func(ctx context.Context) error {
		return errors.Join(overHTTP.Close(ctx), server.Close(ctx))
	}
}

// newServer returns a server of ui-mcp that offers everything that the suite tests, including
// deprecated features.
func newServer(log *slog.Logger) *mcpserver.Server {
	s := mcpserver.New(mcpserver.Options{
		Name: "ui-mcp-conformance", Title: "Conformance fixtures", Version: "0.0.0", Logger: log,
		Tune: func(o *mcp.ServerOptions) {
			o.Capabilities = &mcp.ServerCapabilities{
				Completions: &mcp.CompletionCapabilities{},
				Logging:     &mcp.LoggingCapabilities{},
				Prompts:     &mcp.PromptCapabilities{ListChanged: true},
				Resources:   &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true},
				Tools:       &mcp.ToolCapabilities{ListChanged: true},
			}
			o.CompletionHandler = complete
			// The SDK keeps the list of subscribers.
			o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
			o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
		},
	})
	addContentTools(s.Server)
	addHeaderTool(s)
	addNotifyingTools(s.Server)
	addSessionTools(s.Server)
	addRoundTripTools(s.Server)
	addResources(s.Server)
	addPrompts(s.Server)
	return s
}
