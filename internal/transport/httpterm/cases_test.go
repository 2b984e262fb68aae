package httpterm_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

// Each row gives the answers and errors of its operation, to a caller with the grant in the
// context, and goes to another server that the request names.
func TestCases(t *testing.T) {
	here := opcases.New(t, opcases.Case{})
	for _, row := range httpterm.Rows() {
		succeeds := false
		for _, c := range opcases.All {
			if c.Op != row.Op().Name {
				continue
			}
			t.Run(row.Name()+" "+c.In, func(t *testing.T) { check(t, row, c, opcases.New(t, c), "") })
			if succeeds || c.Err != nil {
				continue
			}
			succeeds = true
			t.Run("on another server/"+row.Name()+" "+c.In, func(t *testing.T) {
				check(t, row, c, opcases.WithServer(here, "build1", opcases.New(t, c)), "build1")
			})
		}
		if !succeeds {
			t.Errorf("%s has no case in which it succeeds", row.Name())
		}
	}
	for _, o := range terminals.All() {
		if o.Kind != terminals.Streaming && !slices.ContainsFunc(httpterm.Rows(), func(r httpterm.Row) bool { return r.Op().Name == o.Name }) {
			t.Errorf("%s has no row in rows.go", o.Name)
		}
	}
}

// check runs a case. server is the one that the request names, or "".
func check(t *testing.T, row httpterm.Row, c opcases.Case, of terminals.Terminals, server string) {
	t.Helper()
	req, err := row.Request(c.In)
	if err != nil {
		t.Fatal(err)
	}
	if server != "" {
		query := req.URL.Query()
		query.Set("server", server)
		req.URL.RawQuery = query.Encode()
	}
	w := httptest.NewRecorder()
	httpterm.New(of).ServeHTTP(w, req.WithContext(terminals.NewContext(req.Context(), c.Grant())))
	if c.Err != nil {
		status, code := row.Outcome(fault.With(c.Err.Detail, fault.New(c.Err.Kind, "x")))
		if d := opcases.Diff(`{"error":{"code":"`+code+`"}}`, w.Body.String()); w.Code != status || d != "" {
			t.Errorf("status %d, %s; want %d %s", w.Code, w.Body, status, code)
		}
		return
	}
	if w.Code != row.Status() {
		t.Fatalf("status %d, want %d: %s", w.Code, row.Status(), w.Body)
	}
	if w.Code == http.StatusNoContent {
		if w.Body.Len() > 0 {
			t.Errorf("a body: %q", w.Body)
		}
	} else if row.IsDownload() {
		if n, err := strconv.Atoi(w.Header().Get("Content-Length")); err != nil || n != w.Body.Len() {
			t.Errorf("%d bytes of %q: %v", w.Body.Len(), w.Header().Get("Content-Length"), err)
		}
	} else if d := opcases.Diff(c.Want, answerOf(t, w)); d != "" {
		t.Error(d)
	}
}

// answerOf returns the answer in JSON, also if it was delivered as a file.
func answerOf(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	contentType := w.Header().Get("Content-Type")
	if contentType == "application/json" {
		return w.Body.String()
	}
	b, err := json.Marshal(terminals.Image{ContentType: contentType, Data: w.Body.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The codes for errors are declared in the table, and no row is offered twice.
func TestRows(t *testing.T) {
	var names []string
	for _, row := range httpterm.Rows() {
		if slices.Contains(names, row.Name()) {
			t.Errorf("%s is offered twice", row.Name())
		}
		names = append(names, row.Name())
		for _, f := range row.Op().Failures() {
			if status, code := row.Outcome(fault.With(f.Detail, fault.New(f.Kind, "x"))); status < 400 || code == "" {
				t.Errorf("%s: %v %s is reported as %d %q", row.Name(), f.Kind, f.Detail, status, code)
			}
		}
	}
}

// A request whose context has no grant may do nothing.
func TestNoGrant(t *testing.T) {
	for _, row := range httpterm.Rows() {
		for _, c := range opcases.All {
			if c.Op != row.Op().Name || c.Err != nil {
				continue
			}
			req, err := row.Request(c.In)
			if err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			httpterm.New(opcases.New(t, c)).ServeHTTP(w, req)
			if d := opcases.Diff(`{"error":{"code":"not_allowed"}}`, w.Body.String()); w.Code != http.StatusForbidden || d != "" {
				t.Errorf("%s: status %d, %s", row.Name(), w.Code, w.Body)
			}
			break
		}
	}
}
