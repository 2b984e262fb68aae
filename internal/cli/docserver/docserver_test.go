package docserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/docserver"
)

func call(program string, out io.Writer) commandline.Call {
	return commandline.Call{Streams: commandline.Streams{In: strings.NewReader(""), Out: out, Err: io.Discard}, Program: commandline.Program{Name: program}}
}

// run runs a command that ends by itself, and returns what it prints.
func run(t *testing.T, c docserver.Command) (string, error) {
	t.Helper()
	var out strings.Builder
	err := c.Run(t.Context(), call("ui-mcp", &out))
	return out.String(), err
}

func TestPrint(t *testing.T) {
	t.Parallel()
	list, err := run(t, docserver.Command{List: true})
	if err != nil || !regexp.MustCompile(`(?m)^troubleshooting +Troubleshooting: `).MatchString(list) || strings.Count(list, "\n") < 20 {
		t.Errorf("--list: %v\n%s", err, list)
	}
	var names []struct{ Name, Title, About string }
	list, err = run(t, docserver.Command{List: true, JSON: true})
	if err != nil || json.Unmarshal([]byte(list), &names) != nil || len(names) < 20 || names[0].Name != "for-people" || names[0].Title == "" || names[0].About == "" {
		t.Errorf("--list --json: %v\n%s", err, list)
	}
	text, err := run(t, docserver.Command{Page: "troubleshooting"})
	if err != nil || !strings.HasPrefix(text, "# Troubleshooting\n") {
		t.Errorf("a page: %v\n%.100s", err, text)
	}
	var page struct{ Name, Text string }
	encoded, err := run(t, docserver.Command{Page: "troubleshooting.md", JSON: true})
	if err != nil || json.Unmarshal([]byte(encoded), &page) != nil || page.Name != "troubleshooting" || page.Text != text {
		t.Errorf("a page as JSON: %v\n%.100s", err, encoded)
	}
	for page, want := range map[string]string{"cheatsheet": "# Cheatsheet\n", "patterns/keep": "# Data that stay\n"} {
		if text, err := run(t, docserver.Command{Page: page}); err != nil || !strings.HasPrefix(text, want) {
			t.Errorf("the guide %s: %v\n%.100s", page, err, text)
		}
	}
	if _, err := run(t, docserver.Command{Page: "nosuch"}); err == nil || !strings.Contains(err.Error(), `"ui-mcp docs --list" lists them`) {
		t.Errorf("a page that does not exist: %v", err)
	}
	if err := (docserver.Command{Page: "x", List: true}).Validate(); err == nil {
		t.Error("--list and a page go together")
	}
}

// A site listens on the loopback interface until it is stopped, and only for requests that name it:
// package gate has the others.
func TestServe(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	var running sync.WaitGroup
	running.Go(func() {
		c := docserver.Command{NoOpen: true}
		if err := c.Run(ctx, call("wsh", w)); err != nil {
			t.Error(err)
		}
		w.Close()
	})
	defer running.Wait()
	defer stop()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(line)
	if url == "" {
		t.Fatalf("it prints %q", line)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	get := func(host string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept", "text/html")
		r.Host = host
		res, err := client.Do(r)
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
	if status, body := get(""); status != 200 || !strings.Contains(body, "<title>Documentation</title>") {
		t.Errorf("%d\n%s", status, body)
	}
	if status, body := get("attacker.example"); status != 403 || !strings.Contains(body, "Refused") {
		t.Errorf("another name: %d\n%s", status, body)
	}
	_, port, err := net.SplitHostPort(strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	taken, err := net.LookupPort("tcp", port)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, docserver.Command{NoOpen: true, Port: uint16(taken)}); err == nil || !strings.Contains(err.Error(), "is in use: choose another with --port") {
		t.Errorf("a port that is in use: %v", err)
	}
}
