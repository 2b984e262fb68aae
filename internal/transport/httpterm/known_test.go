//go:build linux || darwin

package httpterm_test

import (
	"fmt"
	"testing"
)

// Clients of the known server may ask for sizes outside the limits, and get the nearest possible
// one.
func TestClampedSize(t *testing.T) {
	d := open(t)
	for i, tt := range []struct {
		body       string
		rows, cols int
	}{
		{`{"rows":0,"cols":5000}`, 1, 1000},
		{`{"rows":1001,"cols":0}`, 1000, 1},
		{`{"rows":null,"cols":20}`, 24, 20},
	} {
		var s struct{ Rows, Cols int }
		d.want(201, "POST", "/sessions", tt.body, &s)
		if s.Rows != tt.rows || s.Cols != tt.cols {
			t.Errorf("%s: %+v", tt.body, s)
		}
		d.want(204, "POST", fmt.Sprintf("/sessions/%d/resize", i), `{"rows":0,"cols":70000}`, nil)
		d.want(200, "GET", fmt.Sprintf("/sessions/%d", i), "", &s)
		if s.Rows != 1 || s.Cols != 1000 {
			t.Errorf("resized: %+v", s)
		}
	}
}
