// Command server is the target of the official MCP conformance suite: the HTTP handlers of ui-mcp,
// with other tools. The suite asks for tools, resources and prompts with given names, which no
// product has.
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
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/mcpserver"
)

func main() {
	dir := flag.String("dir", "", "directory of the file mcp-port")
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
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handlers, mux := mcpserver.NewHTTP(newServer(log), mcpserver.HTTPOptions{Log: log}), http.NewServeMux()
	for pattern, h := range handlers.Routes() {
		mux.Handle(pattern, h)
	}
	server := httpserve.Serve(l, gate.Pages(mux, gate.PageOptions{}), httpserve.Options{Log: log})
	err = os.MkdirAll(dir, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "mcp-port"), []byte(strconv.Itoa(l.Addr().(*net.TCPAddr).Port)), 0o600)
	}
	if err == nil {
		<-ctx.Done()
	}
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, handlers.Close(ctx), server.Close(ctx))
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
