// Package mcpserver is what all MCP servers of this module share: making a server, declaring tools,
// how each kind of error reaches a client, and the transports: stdio, Streamable HTTP in both
// protocol eras, HTTP with server-sent events, and lines on a connection.
//
// It has no tools. Handlers use domain types and return errors of package fault.
//
// The files: server.go and tool.go are the server and its tools, arguments.go their input. On stdio
// (stdio.go), connections (lines.go), streams of events (sse.go) and Streamable HTTP
// (streamable.go, with its sessions.go) a connection (connection.go) gives each message
// (messages.go) to a session of the right era (eras.go). reply.go is a response with messages.
// http.go has all handlers and closes them. order.go decides which calls wait for which. api.go
// calls tools without MCP. repairs.go is what the SDK does badly.
package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
)

// listTTL is how long a client may keep the lists and the answer to discovery. They change only
// when the program is replaced.
const listTTL = time.Minute

// Options describe a server to its clients.
type Options struct {
	Name         string // the programmatic name, such as "ui-mcp"
	Title        string // the name people see
	Description  string // for people
	Icon         string // its address; "" for none
	Version      string // without a leading "v"
	Instructions string // how the tools work together; clients cut it at 2 KB
	Logger       *slog.Logger

	// Reads returns the order of reading a resource; nil means that no reading has one. Of
	// [InSession] only the default session counts.
	Reads func(uri string) Order

	// News reports whether results of a tool have [News]; nil means none.
	News func(tool string) bool

	// Beside, unless nil, is a server whose calls have one order with those of this one: both have
	// the same operations behind them.
	Beside *Server

	// Tune, unless nil, may set further options of the SDK: handlers of completion and
	// subscriptions, capabilities.
	Tune func(*mcp.ServerOptions)
}

// A Server is an MCP server of the SDK whose calls run in order. Use [New].
type Server struct {
	*mcp.Server
	turns   *turns
	reads   func(uri string) Order // nil leaves reads unordered
	hasNews func(tool string) bool // nil: no results have
	tools   map[string]tool        // by name; complete before the first client connects
}

// A tool is what the server itself knows of a tool.
type tool struct {
	order    Order
	readOnly bool
	input    func() *input
	declare  func() // tells the SDK
	// call runs it without a session of MCP. badInput says that an error is about the arguments.
	call func(ctx context.Context, arguments json.RawMessage) (res Result, badInput bool, err error)
}

// ToolsChanged tells clients that they get other tools when they list them again, because a
// middleware lists others. The capability must be set: see Options.Tune. It is safe for concurrent
// use.
func (s *Server) ToolsChanged() {
	for _, t := range s.tools {
		t.declare() // the SDK then notifies clients
		return
	}
}

// New returns a server without tools. It offers both protocol eras: the initialize handshake and
// the stateless revision 2026-07-28.
//
// All tools must be added before the first client connects. Unless a middleware lists others from
// time to time, the server promises not to change them.
func New(o Options) *Server {
	opts := &mcp.ServerOptions{
		Instructions: o.Instructions,
		Logger:       slog.New(quieter{o.Logger.Handler()}),
		// Left out, the SDK would advertise protocol logging, which is deprecated; our log goes to
		// standard error.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		SetCacheable: setCacheable,
	}
	if o.Tune != nil {
		o.Tune(opts)
	}
	s := &Server{
		Server:  mcp.NewServer(&mcp.Implementation{Name: o.Name, Title: o.Title, Description: o.Description, Version: o.Version, Icons: icons(o.Icon)}, opts),
		turns:   new(turns),
		reads:   o.Reads,
		hasNews: o.News,
		tools:   map[string]tool{},
	}
	if o.Beside != nil {
		s.turns = o.Beside.turns
	}
	s.AddReceivingMiddleware(contain(o.Logger), s.arrived, s.tellNews, s.whileRead)
	return s
}

// A quieter handler leaves out the SDK's information on each session and each update of a resource,
// which would drown all else.
type quieter struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (q quieter) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && q.Handler.Enabled(ctx, l)
}

// icons returns the icon at an address of an SVG, if there is one. Tools and resources have none of
// their own: each list would carry the same one thirty times.
func icons(address string) []mcp.Icon {
	if address == "" {
		return nil
	}
	address = strings.ReplaceAll(address, " ", "%20") // a URI has no blanks, which browsers take
	return []mcp.Icon{{Source: address, MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
}

// setCacheable lets clients keep what cannot change while the server runs, and nothing else: the
// content of a resource is the state of a live app.
func setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	c.CacheScope = "private"
	if _, live := req.GetParams().(*mcp.ReadResourceParams); live {
		return
	}
	c.TTLMs = int(listTTL.Milliseconds())
}

// operational reports whether errors of kind k are for the model to reason about (a tool result
// with isError), as opposed to a request that was wrong in itself.
func operational(k fault.Kind) bool {
	switch k {
	case fault.Precondition, fault.Script, fault.Timeout, fault.Gone, fault.Exhausted, fault.Unreachable:
		return true
	}
	return false
}

// codeFailed is the code of operational errors of methods that have no results with isError, such
// as reading a resource. JSON-RPC reserves it for servers.
const codeFailed = -32000

// wireError maps an error to JSON-RPC.
func wireError(err error) *sdkrpc.Error {
	code := int64(sdkrpc.CodeInternalError)
	switch kind := fault.KindOf(err); {
	case kind == fault.Invalid, kind == fault.NotFound, kind == fault.Exists:
		code = sdkrpc.CodeInvalidParams
	case operational(kind):
		code = codeFailed
	}
	return &sdkrpc.Error{Code: code, Message: err.Error()}
}

// wireForm returns an error as clients get it. One without a code gets it by its kind.
func wireForm(err error) *sdkrpc.Error {
	if we, ok := errors.AsType[*sdkrpc.Error](err); ok {
		return we
	}
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return (*sdkrpc.Error)(e)
	}
	return wireError(err)
}

// catch, deferred, turns a panic into an internal error, with its stack in the log.
func catch(ctx context.Context, log *slog.Logger, method string, err *error) {
	if p := recover(); p != nil {
		log.ErrorContext(ctx, "panic in a method", "method", method, "panic", p, "stack", string(debug.Stack()))
		*err = wireError(fmt.Errorf("internal error in %s: this is a bug in the server; its log has the details", method))
	}
}

// contain limits the harm of a failing method to its own answer: a panic becomes an internal error,
// with its stack in the log, every error gets a code, and the data of every error is JSON.
func contain(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer catch(ctx, log, method, &err)
			res, err = next(ctx, method, req)
			if err == nil {
				return res, nil
			}
			if hasCode(err) {
				return res, withValidData(err)
			}
			if method == "initialize" {
				// The one way left for the SDK's own handler to fail.
				return nil, &sdkrpc.Error{Code: sdkrpc.CodeInvalidRequest, Message: err.Error()}
			}
			we := wireError(err)
			if we.Code == sdkrpc.CodeInternalError && ctx.Err() == nil {
				log.ErrorContext(ctx, "MCP method failed", "method", method, "err", err)
			}
			return nil, we
		}
	}
}
