package uimcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/transport/peer"
)

// unknown is the answer of a system that does not tell whose program sends a request.
func unknown(*http.Request) (peer.Standing, error) {
	return peer.Unknown, errors.New("this system does not tell")
}

// get returns the status and the body of a page.
func get(t *testing.T, c *http.Client, url string) (int, string) {
	t.Helper()
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// newBrowser returns a client that keeps cookies.
func newBrowser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: transport}
}

// Where the system does not tell whose programs connect, serve prints a link with a ticket, and the
// commands send the token.
func TestServeWithUnknownPeers(t *testing.T) {
	registry := cache(t)
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serveCommand{dirFlag: dirFlag{dir}, Demo: "contacts"}.run(ctx, env{Streams: commandline.Streams{Out: w, Err: t.Output()}, version: "dev", peer: unknown})
		ended <- errors.Join(err, w.Close())
	}()
	defer func() {
		stop()
		out.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	var printed strings.Builder
	for b := make([]byte, 1); !strings.Contains(printed.String(), "to stop.\n"); {
		if _, err := io.ReadFull(out, b); err != nil {
			t.Fatalf("%q, %v", printed.String(), err)
		}
		printed.Write(b)
	}
	link := regexp.MustCompile(`http://127\.0\.0\.1:\d+/1/\?ticket=\w+`).FindString(printed.String())
	if link == "" {
		t.Fatalf("no link with a ticket in %q", printed.String())
	}
	page, _, _ := strings.Cut(link, "?")
	person, stranger := newBrowser(t), newBrowser(t)
	if status, body := get(t, stranger, page); status != http.StatusForbidden || !strings.Contains(body, "does not tell whose program asks") {
		t.Errorf("without a ticket: %d %s", status, body)
	}
	for _, url := range []string{link, page} {
		if status, body := get(t, person, url); status != http.StatusOK || !strings.Contains(body, "<html") {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}

	agent := "http://127.0.0.1:" + strconv.Itoa(discovery.ReadPort(filepath.Join(dir, discovery.AgentPortFile)))
	if status, body := get(t, stranger, agent+"/state"); status != http.StatusForbidden || !strings.Contains(body, "programs send the server's token") {
		t.Errorf("a program without the token: %d %s", status, body)
	}
	for _, tt := range []struct{ args, want string }{
		{"state", `"AddressBook"`},
		{"variables", `"path"`},
		{"ask --default no --timeout 1s Deploy?", "no\n"},
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "dev", append(strings.Fields(tt.args), "--dir", dir), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if !strings.Contains(out.String(), tt.want) || errs.Len() > 0 {
			t.Errorf("ui-mcp %s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
	}
	if runtime.GOOS == "windows" {
		return // the scripts are for shells
	}
	push := func() {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_run","arguments":{"code":"mcp.pushState({n = 1})"}}}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, agent+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		servers := registry.List()
		if len(servers) != 1 {
			t.Fatal(servers)
		}
		req.Header.Set("Authorization", "Bearer "+servers[0].Token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := stranger.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		res.Body.Close()
	}
	for _, tt := range []struct {
		script string
		args   []string
		want   string
	}{
		{"state", nil, `"AddressBook"`},
		{"variables", nil, `"path"`},
		{"event", []string{"--once"}, `{"n":1}`},
		{"scripts/wait-for-state.sh", []string{agent}, `{"n":1}`},
	} {
		push()
		ctx, cancel := context.WithCancel(t.Context())
		script := exec.CommandContext(ctx, filepath.Join(dir, tt.script), tt.args...)
		script.WaitDelay = time.Minute
		out, err := script.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		script.Stderr = t.Output()
		if err := script.Start(); err != nil {
			t.Fatal(err)
		}
		var printed strings.Builder
		for b := make([]byte, 1); !strings.Contains(printed.String(), tt.want); {
			if _, err := io.ReadFull(out, b); err != nil {
				t.Errorf("%s: %q, %v", tt.script, printed.String(), err)
				break
			}
			printed.Write(b)
		}
		cancel() // wait-for-state.sh goes on
		_ = script.Wait()
	}
}

// The tools that name a page give links that open it.
func TestLinksWithUnknownPeers(t *testing.T) {
	cache(t)
	p, err := newProgram(appConfig{Dir: filepath.Join(t.TempDir(), ".claude", "ui"), env: env{version: "dev", peer: unknown}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	links := map[string]string{}
	if links["ui_start"], err = p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	links["ui_status"] = p.Status(t.Context()).URL
	displayed, err := p.Display(t.Context(), "1", "contacts")
	if err != nil {
		t.Fatal(err)
	}
	links["ui_display"] = displayed.URL
	links["popup"] = p.popups.pageURL()
	for tool, link := range links {
		if status, body := get(t, newBrowser(t), link); status != http.StatusOK || !strings.Contains(body, "<html") {
			t.Errorf("%s: %s: %d %s", tool, link, status, body)
		}
		if status, _ := get(t, newBrowser(t), link); status != http.StatusForbidden {
			t.Errorf("%s: %s is good twice: %d", tool, link, status)
		}
	}
}
