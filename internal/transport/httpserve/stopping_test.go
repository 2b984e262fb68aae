package httpserve

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"ui-mcp/internal/testkit"
)

// A request that slips in while the server ends is answered, and by no handler that Close would not
// wait for.
func TestStopping(t *testing.T) {
	for name, tt := range map[string]struct {
		refuse Refuser
		status int
	}{
		"by itself": {nil, http.StatusServiceUnavailable},
		"as asked":  {func(w http.ResponseWriter, _ *http.Request, _ int, _ string) { w.WriteHeader(http.StatusTeapot) }, http.StatusTeapot},
	} {
		t.Run(name, func(t *testing.T) {
			s := Serve(testkit.NewListener(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler runs") }),
				Options{Log: slog.New(slog.DiscardHandler), Refuse: tt.refuse})
			if err := s.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			s.http.Handler.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if w.Code != tt.status || w.Header().Get("Connection") != "close" {
				t.Errorf("status %d, header %v", w.Code, w.Header())
			}
		})
	}
}
