package httpio

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"ui-mcp/internal/fault"
)

func TestReadJSON(t *testing.T) {
	tests := []struct {
		name, contentType, body string
		status                  int // 0: it is read
		text                    string
	}{
		{"JSON", "application/json", `{"a":1}`, 0, ""},
		{"with a charset", "application/json; charset=UTF-8", `{}`, 0, ""},
		{"in another charset", "application/json; charset=latin1", `{}`, 415, "send Content-Type"},
		{"a form", "text/plain", `{}`, 415, "send Content-Type"},
		{"no type", "", `{}`, 415, "send Content-Type"},
		{"a bad type", "application/json;;", `{}`, 415, "send Content-Type"},
		{"just short enough", "application/json", "0123456789", 0, ""},
		{"too long", "application/json", "0123456789X", 413, "longer than 10 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", strings.NewReader(test.body))
			r.Header.Set("Content-Type", test.contentType)
			body, err := ReadJSON(httptest.NewRecorder(), r, 10)
			if test.status == 0 {
				if err != nil || string(body) != test.body {
					t.Errorf("ReadJSON = %q, %v", body, err)
				}
				return
			}
			if err == nil || err.Status != test.status || !strings.Contains(err.Text, test.text) {
				t.Errorf("ReadJSON = %q, %v; want %d with %q", body, err, test.status, test.text)
			}
		})
	}
	r := httptest.NewRequest("POST", "/", iotest.ErrReader(errors.New("reset")))
	r.Header.Set("Content-Type", "application/json")
	if _, err := ReadJSON(httptest.NewRecorder(), r, 10); err == nil || err.Status != 400 {
		t.Errorf("a broken body: %v", err)
	}
}

// Every kind has a status of its own choosing: a new one fails here until somebody decides.
func TestStatus(t *testing.T) {
	for kind, want := range map[fault.Kind]int{
		fault.Internal: 500, fault.Invalid: 400, fault.NotFound: 404, fault.Exists: 409, fault.Precondition: 409,
		fault.Script: 422, fault.Timeout: 408, fault.Gone: 410, fault.Exhausted: 429, fault.Unreachable: 503,
	} {
		if got := Status(fault.New(kind, "x")); got != want {
			t.Errorf("%v: %d, want %d", kind, got, want)
		}
	}
	for kind := fault.Internal; kind <= fault.Unreachable; kind++ {
		if _, ok := statuses[kind]; !ok {
			t.Errorf("%v has no status", kind)
		}
	}
}

func TestWriteError(t *testing.T) {
	w := httptest.NewRecorder()
	WriteError(w, http.StatusTeapot, `"no"`)
	if got := w.Body.String(); w.Code != http.StatusTeapot || got != `{"error":"\"no\""}`+"\n" {
		t.Errorf("answer = %d %q", w.Code, got)
	}
	if got := w.Header().Get("Content-Type") + " " + w.Header().Get("Cache-Control"); got != "application/json no-store" {
		t.Errorf("headers = %s", got)
	}
}
