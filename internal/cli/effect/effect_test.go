package effect_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/ui"
)

const limit = 1 << 16

func TestHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			_, _ = w.Write(make([]byte, limit+1))
		case "/never":
			<-r.Context().Done()
		default:
			w.Header().Add("X-Two", "a")
			w.Header().Add("X-Two", "b")
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte(r.Method + " " + r.Host + " " + r.Header.Get("X-Mine")))
		}
	}))
	t.Cleanup(server.Close)
	do := effect.HTTP(server.Client())

	res, err := do(t.Context(), ui.Request{Method: "PUT", URL: server.URL, Header: map[string]string{"host": "example.org", "x-mine": "1"}, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("PUT example.org 1", string(res.Body)); diff != "" || res.Status != http.StatusTeapot || res.Header["x-two"] != "a, b" {
		t.Errorf("%d %v %s", res.Status, res.Header, diff)
	}
	if _, err := do(t.Context(), ui.Request{Method: "GET", URL: server.URL + "/long", Limit: limit}); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("a long response: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := do(ctx, ui.Request{Method: "GET", URL: server.URL + "/never", Limit: limit}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a response that never comes: %v", err)
	}
	if _, err := do(t.Context(), ui.Request{Method: "GET", URL: "http://127.0.0.1:1/", Limit: limit}); err == nil {
		t.Error("a port that nobody listens at gave an answer")
	}
}

// The commands are this very test, so that there is nothing to install.
func TestMain(m *testing.M) {
	switch os.Getenv("EFFECT_TEST") {
	case "hello":
		var in [100]byte
		n, _ := os.Stdin.Read(in[:])
		_, _ = os.Stdout.WriteString("got " + string(in[:n]))
		_, _ = os.Stderr.WriteString("oh")
		os.Exit(3)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1000)); err != nil {
				os.Exit(1)
			}
		}
	case "sleep":
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func command(t *testing.T, what string) ui.Command {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return ui.Command{Argv: []string{exe}, Dir: t.TempDir(), Env: []string{"EFFECT_TEST=" + what}, Input: []byte("in"), Limit: limit}
}

func TestExec(t *testing.T) {
	res, err := effect.Exec(t.Context(), command(t, "hello"))
	if err != nil {
		t.Fatal(err)
	}
	want := ui.Result{Code: 3, Stdout: []byte("got in"), Stderr: []byte("oh")}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := effect.Exec(t.Context(), command(t, "flood")); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes of standard output") {
		t.Errorf("a flood: %v", err)
	}
	if _, err := effect.Exec(t.Context(), ui.Command{Argv: []string{"/no/such/program"}, Limit: limit}); err == nil {
		t.Error("a program that is not there ran")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := effect.Exec(ctx, command(t, "sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a long sleep: %v", err)
	}
}
