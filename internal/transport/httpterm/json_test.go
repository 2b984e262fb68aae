package httpterm

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRequireJSON(t *testing.T) {
	tests := []struct {
		method, contentType, body string
		status                    int
	}{
		{"POST", "application/json", "{}", 200},
		{"POST", "application/json; charset=utf-8", "{}", 200},
		{"POST", "Application/JSON;charset=UTF-8", "{}", 200},
		{"POST", "application/json; charset=latin1", "{}", 415},
		{"POST", "application/json;;;", "{}", 415},
		{"POST", "text/plain", "{}", 415},
		{"POST", "application/x-www-form-urlencoded", "a=b", 415},
		{"POST", "", "{}", 415},
		{"POST", "", "", 415},
		{"PUT", "text/plain", "{}", 415},
		{"PATCH", "text/plain", "{}", 415},
		{"GET", "", "", 200},
		{"GET", "text/plain", "{}", 415},
		{"DELETE", "", "", 200},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.contentType, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "/", strings.NewReader(test.body))
			if test.contentType != "" {
				r.Header.Set("Content-Type", test.contentType)
			}
			w := httptest.NewRecorder()
			requireJSON(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if w.Code != test.status {
				t.Errorf("status = %d %s, want %d", w.Code, w.Body, test.status)
			}
		})
	}
}
