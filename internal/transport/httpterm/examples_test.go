//go:build linux || darwin

package httpterm_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/opcases"
)

// The examples in docs/terminal.md give the answers that stand there.
func TestExamples(t *testing.T) {
	text, err := os.ReadFile("../../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("there are no examples")
	}
	for _, block := range blocks {
		d := open(t)
		for step := range strings.SplitSeq(strings.TrimPrefix(block[1], "$ "), "\n$ ") {
			command, want, _ := strings.Cut(step, "\n")
			want = strings.TrimSpace(want)
			req := curl(t, command, d.address)
			res, err := d.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(res.Body)
			if err := res.Body.Close(); err != nil {
				t.Fatal(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				if len(b) > 0 {
					t.Errorf("%s\n%s\nwant no answer", command, b)
				}
			} else if diff := opcases.Diff(want, string(b)); diff != "" {
				t.Errorf("%s\n%s", command, diff)
			}
		}
	}
}

// words matches the words of a command line, in quotes or not.
var words = regexp.MustCompile(`'([^']*)'|(\S+)`)

// curl returns the request that a curl command makes.
func curl(t *testing.T, command, address string) *http.Request {
	t.Helper()
	var args []string
	for _, m := range words.FindAllStringSubmatch(command, -1) {
		args = append(args, m[1]+m[2])
	}
	method, url, body, kind := "", "", "", ""
	for i := 1; i < len(args); i++ {
		switch args[i] {
		case "-X", "-d", "--json":
			flag := args[i]
			i++
			switch {
			case flag == "-X":
				method = args[i]
			case flag == "-d":
				body, kind = args[i], "application/x-www-form-urlencoded"
			default:
				body, kind = args[i], "application/json"
			}
		default:
			url = args[i]
		}
	}
	if method == "" {
		method = "GET"
		if kind != "" {
			method = "POST"
		}
	}
	path, ok := strings.CutPrefix(url, "localhost:8080")
	if !ok || args[0] != "curl" {
		t.Fatalf("%s: this is not a request to the server", command)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	return req
}
