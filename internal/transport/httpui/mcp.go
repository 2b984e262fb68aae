package httpui

import (
	"context"
	"encoding/json"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/ui"
)

// An App has the operations behind the endpoints of the MCP port. app.App implements it.
type App interface {
	// Wait blocks until a session has events and passes them all to deliver, or returns nil when
	// timeout has passed. When deliver fails, the events stay in the queue.
	Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error
	// State returns the displayed object.
	State(ctx context.Context, session string) (json.RawMessage, error)
	// Inspect describes in text what a person sees.
	Inspect(ctx context.Context, session string, what ui.Inspection) (string, error)
	// Publish passes a JSON value to the subscribers of a topic.
	Publish(topic string, value json.RawMessage) (listeners int, err error)
	// Variables lists the variables of a session as JSON, unless known is the version of the list.
	Variables(ctx context.Context, session, known string) (list json.RawMessage, version string, err error)
	// Document returns a file of resources/, and Documents the names of those that begin with
	// prefix, sorted, at most limit.
	Document(name string) ([]byte, error)
	Documents(prefix string, limit int) []string
	// AppReadme returns the README.md of an app.
	AppReadme(app string) ([]byte, error)
}

// MCPOptions configure [NewMCP]. App is required.
type MCPOptions struct {
	App App
	// Routes are further handlers by their patterns, as [http.ServeMux] takes them: those that
	// speak MCP.
	Routes map[string]http.Handler
	// Client has the component library that the page of the variables uses, in the folder shoelace.
	Client fs.FS
	// HTML returns the folder of files to serve, {base}/html, or "" while no app is configured; nil
	// serves no files.
	HTML func() string
	// Log gets failures; nil discards them.
	Log *slog.Logger
}

// NewMCP returns the handler of the MCP port.
//
//	GET /wait?timeout=SECONDS&session=ID    events of a session as a JSON array; 204 when none came
//	GET /state?session=ID                   the displayed object as JSON
//	GET /inspect?session=ID&path=PATH&depth=N&max_tokens=N    what a person sees, as text
//	GET /variables?session=ID               a page that shows the variables of a session
//	GET /variables.json?session=ID          the variables as a JSON array
//	POST /publish/TOPIC                     a JSON value for the subscribers of mcp:subscribe
//	GET /api/resource/PATH                  a document of resources/; without PATH, a list of them
//	GET /app/NAME/readme                    the README.md of an app
//	GET /...                                files of HTML
//
// Errors are JSON: {"error": text}. It panics when a route's pattern is bad or taken.
func NewMCP(opts MCPOptions) http.Handler {
	if opts.App == nil {
		panic("httpui: App is required")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	h := &mcpHandler{app: opts.App, log: opts.Log}
	mux := http.NewServeMux()
	mux.HandleFunc("/wait", onlyGet(h.wait))
	mux.HandleFunc("/state", onlyGet(h.state))
	mux.HandleFunc("/inspect", onlyGet(h.inspect))
	mux.HandleFunc("/variables", onlyGet(func(w http.ResponseWriter, _ *http.Request) { writeVariablesPage(w) }))
	mux.HandleFunc("/variables.json", onlyGet(h.variables))
	if opts.Client != nil {
		mux.HandleFunc("GET /shoelace/", func(w http.ResponseWriter, r *http.Request) {
			if !httpio.ServeBuiltIn(w, r, opts.Client, strings.TrimPrefix(r.URL.Path, "/")) {
				httpio.WriteError(w, http.StatusNotFound, "there is no "+r.URL.Path)
			}
		})
	}
	mux.HandleFunc("POST /publish/{topic...}", h.publish)
	mux.HandleFunc("GET /api/resource/{path...}", h.document)
	mux.HandleFunc("GET /app/{app}/readme", h.readme)
	for pattern, route := range opts.Routes {
		mux.Handle(pattern, route)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern == "" {
			if serveHTML(w, r, opts.HTML) {
				return
			}
			refuseRoute(w, r, mux)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// serveHTML answers with a file of a folder, and reports whether there is one.
func serveHTML(w http.ResponseWriter, r *http.Request, dir func() string) bool {
	if dir == nil || r.Method != http.MethodGet && r.Method != http.MethodHead || !isPlain(r.URL.Path) {
		return false
	}
	folder := dir()
	return folder != "" && (&files{dir: folder}).serveFromDir(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

type mcpHandler struct {
	app App
	log *slog.Logger
}

func (h *mcpHandler) state(w http.ResponseWriter, r *http.Request) {
	state, err := h.app.State(r.Context(), sessionOf(r))
	h.answer(w, r, "application/json", state, err)
}

// answer answers with what a session has at this moment.
func (h *mcpHandler) answer(w http.ResponseWriter, r *http.Request, contentType string, body []byte, err error) {
	if err != nil {
		fail(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Cache-Control", "no-store")
	if _, err := w.Write(body); err != nil {
		h.log.Debug("an answer was not delivered", "path", r.URL.Path, "error", err)
	}
}

// sessionOf returns the session that a request names, or the default one.
func sessionOf(r *http.Request) string {
	if id := r.URL.Query().Get("session"); id != "" {
		return id
	}
	return DefaultSession
}

// onlyGet refuses other methods. HEAD is one of them: asking for the headers of events would take
// the events.
func onlyGet(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			httpio.WriteError(w, http.StatusMethodNotAllowed, r.URL.Path+" understands GET only")
			return
		}
		next(w, r)
	}
}

// fail answers with an error. When the server has ended the request, the error says why. When the
// client has disconnected, fail cuts the connection: an answer without content would look like
// success.
func fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		err = context.Cause(r.Context())
		if fault.KindOf(err) != fault.Gone {
			panic(http.ErrAbortHandler)
		}
	}
	writeError(w, err)
}

// refuseRoute answers a request that no route matches: its path is wrong, or only the method.
func refuseRoute(w http.ResponseWriter, r *http.Request, mux *http.ServeMux) {
	if allow := httpio.Allowed(mux, r); allow != "" {
		w.Header().Set("Allow", allow)
		httpio.WriteError(w, http.StatusMethodNotAllowed, r.URL.Path+" understands "+allow+" only")
		return
	}
	if httpio.WantsPage(r) {
		httpio.WritePage(w, http.StatusNotFound, httpio.AppIcon, "There is no such page", "<p>There is nothing at "+html.EscapeString(r.URL.Path)+
			`. This port is for agents; the pages of apps are at another one.</p>
<p>There are <a href="/variables">the variables</a> and <a href="/api/resource/reference.md">guides</a>.</p>`)
		return
	}
	writeError(w, fault.New(fault.NotFound, "there is nothing at %s; see /wait, /state, /inspect and /variables", r.URL.Path))
}
