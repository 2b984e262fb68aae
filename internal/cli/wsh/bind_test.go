package wsh

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

// An IPv4 address stands for IPv4 alone, and is the address that is reported to the person.
func TestBindToAllOfVersion4(t *testing.T) {
	t.Parallel()
	l, err := bind(t.Context(), "0.0.0.0:0", false, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out strings.Builder
	if err := greet(&out, new(serverCommand).address(l.Addr().String()), ""); err != nil || !strings.Contains(out.String(), "http://0.0.0.0:") {
		t.Errorf("%v, %q", err, out.String())
	}
	if a := reachable(l.Addr()); !strings.HasPrefix(a, "127.0.0.1:") {
		t.Errorf("programs of this machine connect to %s", a)
	}
}

// HEAD is answered as GET is, and other methods are left to the API.
func TestHeadOfMetrics(t *testing.T) {
	t.Parallel()
	r := term.NewRegistry(term.Config{Log: slog.New(slog.DiscardHandler)})
	defer r.Close()
	h := newCounters("1", r).serve(http.NotFoundHandler())
	for method, want := range map[string]int{"GET": http.StatusOK, "HEAD": http.StatusOK, "POST": http.StatusNotFound} {
		request := httptest.NewRequest(method, "/metrics", nil)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request.WithContext(terminals.NewContext(request.Context(), terminals.Everything)))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", method, w.Code, want)
		}
	}
}
