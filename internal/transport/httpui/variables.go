package httpui

import (
	"context"
	_ "embed"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/ui"
)

//go:embed variables.html
var variablesTemplate string

// variablesPage shows the list at variables.json in the same folder.
var variablesPage = sync.OnceValue(func() []byte {
	return []byte(strings.NewReplacer("STYLE", httpio.Style, "ICON", httpio.AppIcon).Replace(variablesTemplate))
})

// writeVariablesPage answers with the page that shows the variables of a session.
func writeVariablesPage(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	// The content of the page comes from the app, so it must not run even if the page has a
	// mistake. Components fetch their own icons, which are data: URLs.
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; connect-src 'self' data:; img-src data:; base-uri 'none'; form-action 'none'")
	_, _ = w.Write(variablesPage()) // a client that has disconnected needs no answer
}

func (h *mcpHandler) variables(w http.ResponseWriter, r *http.Request) {
	session := sessionOf(r)
	serveVariables(w, r, h.log, func(ctx context.Context, known string) (json.RawMessage, string, error) {
		return h.app.Variables(ctx, session, known)
	})
}

// serveVariables answers with the variables that list returns, or 304 when the client has them.
func serveVariables(w http.ResponseWriter, r *http.Request, log *slog.Logger, list func(ctx context.Context, known string) (json.RawMessage, string, error)) {
	var known string
	if tag := r.Header.Get("If-None-Match"); len(tag) > 2 && tag[0] == '"' && tag[len(tag)-1] == '"' {
		known = tag[1 : len(tag)-1]
	}
	body, version, err := list(r.Context(), known)
	if err != nil {
		fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+version+`"`)
	h.Set("X-Change-Count", strconv.FormatInt(ui.ChangesOf(version), 10))
	if body == nil {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	if _, err := w.Write(body); err != nil {
		log.Debug("variables were not delivered", "error", err)
	}
}
