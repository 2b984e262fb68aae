package leak_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"ui-mcp/internal/testkit/leak"
)

// A recorder stands in for a test that fails.
type recorder struct {
	testing.TB
	failures []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

const secret = `Tr0ub4dor & "3"/é`

func TestText(t *testing.T) {
	inJSON, err := json.Marshal(map[string]string{"x": secret})
	if err != nil {
		t.Fatal(err)
	}
	wide := []byte{0}
	for _, c := range utf16.Encode([]rune(secret)) {
		wide = append(wide, byte(c), byte(c>>8))
	}
	for name, text := range map[string]string{
		"alone": secret, "in the middle": "a" + secret + "b", "in JSON": string(inJSON), "in Go": fmt.Sprintf("%q", secret), "in hexadecimal": fmt.Sprintf("%x", secret), "in UTF-16": string(wide),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64, later": base64.StdEncoding.EncodeToString([]byte("1" + secret + "2")), "base64url": base64.URLEncoding.EncodeToString([]byte("12" + secret + "34")),
		"bytes": strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(secret)), " ", ","), "[]"),
	} {
		r := &recorder{TB: t}
		leak.For(r, secret).Text("a log", text)
		if len(r.failures) != 1 || !strings.Contains(r.failures[0], "the secret is in a log") {
			t.Errorf("%s: %q", name, r.failures)
		}
	}
	r := &recorder{TB: t}
	s := leak.For(r, secret)
	s.Text("a log", "Tr0ub4dor and more, "+base64.StdEncoding.EncodeToString([]byte("something else")))
	if len(r.failures) > 0 {
		t.Errorf("found where it is not: %q", r.failures)
	}
}

func TestTree(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a/b/c.log": "x " + secret, "a/clean": "x", "d-Tr0ub4dor": "x"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &recorder{TB: t}
	if n := leak.For(r, secret).Tree(dir); n != 3 || len(r.failures) != 1 || !strings.Contains(r.failures[0], "c.log") {
		t.Errorf("%d files, %q", n, r.failures)
	}
	r = &recorder{TB: t}
	if leak.For(r, "Tr0ub4dor").Tree(dir); len(r.failures) != 2 {
		t.Errorf("names: %q", r.failures)
	}
}

func TestProcesses(t *testing.T) {
	n := leak.For(t, "nobody has this: "+t.TempDir()).Processes()
	if runtime.GOOS == "linux" && n == 0 {
		t.Error("no process was searched")
	}
}
