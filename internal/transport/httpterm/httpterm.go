// Package httpterm serves terminal sessions over HTTP: JSON over plain requests, for scripts, curl
// and agents without MCP. It translates requests into the operations of package terminals and adds
// only what HTTP clients need, such as status codes and older names.
//
// Put internal/transport/gate in front of it, which puts the caller's grant into the context of
// each request (see [terminals.NewContext]): a request without one may do nothing. Every response
// with a body is JSON, or a picture that the client asked for; every error, including the gate's,
// is {"error":{"code","message"}}.
//
// A row offers an operation: method, path, query, body, status. Of the rows and the operations'
// types follow the router, api.md, and openapi.yaml, which clients can ask for:
//
//	request ── row ── decoder (path, query, body) ── Terminals.Do ── status and JSON, or a file
package httpterm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/docs"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/terminalspage"
)

// MaxBody is the largest body of a request, in bytes.
const MaxBody = 1 << 20

// New returns the handler, which has more routes, too. It is made for the first request: a server
// that serves an agent's tools as well may never get one.
func New(t terminals.Terminals, more ...func(*http.ServeMux)) http.Handler {
	made := sync.OnceValue(func() http.Handler { return newHandler(t, more) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

func newHandler(t terminals.Terminals, more []func(*http.ServeMux)) http.Handler {
	mux := http.NewServeMux()
	for _, add := range more {
		add(mux)
	}
	mux.HandleFunc("GET /health", httpio.Health)
	mux.HandleFunc("GET /openapi.yaml", httpio.YAML(openAPI))
	mux.HandleFunc("GET /docs", httpio.Document("text/markdown; charset=utf-8", reference))
	terminalspage.Handle(mux)
	formats := map[string]map[string]handler{} // of paths
	for _, r := range rows {
		of, h := r.method+" "+r.path, handler{newDecoder(r), t, map[string]handler{}, false}
		switch {
		case r.formats != nil:
			for _, f := range r.formats {
				formats[of][f] = h
			}
		case r.download != "":
			mux.Handle(of, download{h})
		default:
			formats[of] = h.formats
			mux.Handle(of, h)
		}
	}
	return newRouter(mux)
}

// byFormat has the handler of another row answer a request for one of its formats, and reports
// whether the request is answered.
func (h *handler) byFormat(w http.ResponseWriter, r *http.Request) bool {
	if len(h.formats) == 0 || !strings.Contains(r.URL.RawQuery, "format=") { // parsing takes longer
		return false
	}
	f := r.URL.Query().Get("format")
	if other, ok := h.formats[f]; ok {
		other.ServeHTTP(w, r)
		return true
	}
	if _, err := wire.ParseFormat(f); err == nil {
		return false
	}
	at, err := h.on(server(r))
	if err == nil {
		list := append([]string{string(wire.Styled), string(wire.Plain)}, slices.Sorted(maps.Keys(h.formats))...)
		last := len(list) - 1
		err = terminals.UnlessUnknown(r.Context(), at, terminals.FromContext(r.Context()), r.PathValue("name"), fault.New(fault.Invalid, "there is no format %.40q: it is %s or %s", f, strings.Join(list[:last], ", "), list[last]))
	}
	h.fail(w, err)
	return true
}

func reference() []byte { return fault.Must(docs.Files.ReadFile("api.md")) }

// A handler serves a row.
type handler struct {
	decoder
	terminals terminals.Terminals
	formats   map[string]handler // of rows with the same path, for these formats
	named     bool               // the request that is being served names a server
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h.byFormat(w, r) {
		return
	}
	in, out := h.row.op.New()
	if h.row.op == &terminals.GetServer.Operation {
		w.Header().Set(httpio.WireHeader, httpio.Wire)
	}
	t, err := h.read(r, in)
	if err != nil {
		h.fail(w, err)
		return
	}
	by := terminals.FromContext(r.Context())
	if by.From.Kind == "" { // another host says what its caller is
		by.From.Kind = core.SenderHTTP
	}
	switch err := t.Do(r.Context(), by, h.row.op, in, out); {
	case errors.Is(err, context.Canceled):
		h.fail(w, errNoClient)
	case err != nil && h.row.partial && !reflect.ValueOf(out).Elem().IsZero():
		h.failWith(w, err, out)
	case err != nil:
		h.fail(w, err)
	default:
		switch out := out.(type) {
		case *terminals.None:
			w.WriteHeader(h.row.status())
		case *terminals.Image:
			writeImage(w, r, out)
		default:
			httpio.WriteJSON(w, h.row.status(), out)
		}
	}
}

// writeImage writes an answer that is a file. Its tag follows from its content, so clients that ask
// again only get what has changed.
func writeImage(w http.ResponseWriter, r *http.Request, image *terminals.Image) {
	sum := sha256.Sum256(image.Data)
	header := w.Header()
	header.Set("Content-Type", image.ContentType)
	header.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	header.Set("Cache-Control", "private, no-cache")
	// It can have a page in it, which comes from a program's output: it may not do anything.
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(image.Data))
}

func (h handler) fail(w http.ResponseWriter, err error) { h.failWith(w, err, nil) }

// failWith answers with an error and what is known of the answer, or nil.
func (h handler) failWith(w http.ResponseWriter, err error, answer any) {
	status, code := h.row.codeOf(err)
	if h.named && fault.DetailOf(err) == terminals.HostAway {
		status, code = http.StatusServiceUnavailable, errcode.Stopping // as clients that name one know it
	}
	if answer == nil {
		httpio.WriteCoded(w, status, code, err.Error())
		return
	}
	httpio.WriteJSON(w, status, map[string]any{
		"error": map[string]string{"code": code, "message": err.Error()}, "answer": answer,
	})
}
