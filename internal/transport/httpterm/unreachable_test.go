package httpterm_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

// defective are terminals that do not work.
type defective struct{ terminals.Terminals }

func (defective) Do(context.Context, terminals.Grant, *terminals.Operation, any, any) error {
	return fault.New(fault.Internal, "the sky falls")
}

// An error of the program itself, which no client can bring about.
func TestDefect(t *testing.T) {
	w := httptest.NewRecorder()
	asOwner(httpterm.New(defective{})).ServeHTTP(w, httptest.NewRequest("GET", "/sessions", nil))
	if d := opcases.Diff(`{"error":{"code":"internal_error","message":"the sky falls"}}`, w.Body.String()); w.Code != http.StatusInternalServerError || d != "" {
		t.Errorf("%d %s", w.Code, d)
	}
}

// The answer to a request that arrives too late for the handlers and too early for the listener to
// refuse it.
func TestStopping(t *testing.T) {
	w := httptest.NewRecorder()
	httpterm.Refuse(w, httptest.NewRequest("GET", "/sessions", nil), http.StatusServiceUnavailable, "The server is stopping.")
	if d := opcases.Diff(`{"error":{"code":"server_unavailable","message":"The server is stopping."}}`, w.Body.String()); w.Code != http.StatusServiceUnavailable || d != "" {
		t.Errorf("%d %s", w.Code, d)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error("headers of security are missing")
	}
}
