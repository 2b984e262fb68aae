package httpterm_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

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
