package gate

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
)

func TestTokenSource(t *testing.T) {
	const good = "sixteen-bytes-ok"
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p, mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
		return p
	}
	plain := file("plain", good+"\n", 0o600)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(plain, link); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		source TokenSource
		token  string
		file   string
		kind   fault.Kind // of an error with a text
		text   string
	}{
		{name: "nothing"},
		{name: "flag", source: TokenSource{Token: good}, token: good},
		{name: "flag over environment", source: TokenSource{Token: good, Env: "another-token-here"}, token: good},
		{name: "file over environment", source: TokenSource{File: plain, Env: "another-token-here"}, token: good, file: plain},
		{name: "environment", source: TokenSource{Env: good}, token: good},
		{name: "environment on an exposed server", source: TokenSource{Env: good, Exposed: true, Make: filepath.Join(dir, "unused")}, token: good},
		{name: "link", source: TokenSource{File: link}, token: good, file: link},
		{name: "Windows line end", source: TokenSource{File: file("crlf", good+"\r\n", 0o400)}, token: good, file: filepath.Join(dir, "crlf")},
		{name: "both", source: TokenSource{Token: good, File: plain}, kind: fault.Invalid, text: "either"},
		{name: "short", source: TokenSource{Token: good[1:]}, kind: fault.Invalid, text: "--token: a token must have 16"},
		{name: "short in the environment", source: TokenSource{Env: "x"}, kind: fault.Invalid, text: "WSH_TOKEN"},
		{name: "a space", source: TokenSource{Token: good + " x"}, kind: fault.Invalid, text: "spaces"},
		{name: "two lines", source: TokenSource{File: file("two", good+"\n"+good+"\n", 0o600)}, kind: fault.Invalid, text: "visible"},
		{name: "empty file", source: TokenSource{File: file("empty", "", 0o600)}, kind: fault.Invalid, text: "16"},
		{name: "no file", source: TokenSource{File: filepath.Join(dir, "none")}, kind: fault.Precondition, text: "none"},
		{name: "a directory", source: TokenSource{File: dir}, kind: fault.Precondition, text: "read the token"},
		{name: "readable by the group", source: TokenSource{File: file("group", good, 0o640)}, kind: fault.Precondition, text: "make it 0600"},
		{name: "readable by all", source: TokenSource{File: file("all", good, 0o604)}, kind: fault.Precondition, text: "make it 0600"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.text, "0600") {
				t.Skip("there are no modes")
			}
			var log bytes.Buffer
			tt.source.Log = slog.New(slog.NewTextHandler(&log, nil))
			token, file, err := tt.source.Load()
			if tt.text != "" {
				if err == nil || fault.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.text) {
					t.Fatalf("error %v (%v), want %v %q", err, fault.KindOf(err), tt.kind, tt.text)
				}
			} else if err != nil || token != tt.token || file != tt.file {
				t.Fatalf("%q from %q, %v", token, file, err)
			}
			if warned := strings.Contains(log.String(), "list of processes"); warned != (tt.source.Token != "" && tt.source.File == "") {
				t.Errorf("warned: %t, %s", warned, &log)
			}
			if strings.Contains(log.String(), good) || err != nil && strings.Contains(err.Error(), good[1:]) {
				t.Errorf("the token is in %q or %v", &log, err)
			}
		})
	}
}

func TestCheckToken(t *testing.T) {
	for token, want := range map[string]bool{
		strings.Repeat("a", minToken-1): false, strings.Repeat("a", minToken): true,
		strings.Repeat("a", maxToken): true, strings.Repeat("a", maxToken+1): false,
		strings.Repeat("!", minToken): true, strings.Repeat("~", minToken): true,
		strings.Repeat(" ", minToken): false, strings.Repeat("\x7f", minToken): false,
	} {
		if err := CheckToken(token); (err == nil) != want {
			t.Errorf("%.20q of %d bytes: %v", token, len(token), err)
		}
	}
}

// An exposed server without a token gets one, which stays the same until its file is removed.
func TestMadeToken(t *testing.T) {
	s := TokenSource{Exposed: true, Make: filepath.Join(t.TempDir(), "default.token"), Log: silent()}
	first, file, err := s.Load()
	if err != nil || file != s.Make || CheckToken(first) != nil || len(first) < 32 {
		t.Fatalf("%q in %q, %v", first, file, err)
	}
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if again, _, err := s.Load(); err != nil || again != first {
		t.Errorf("the next start: %q, %v", again, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if next, _, err := s.Load(); err != nil || next == first {
		t.Errorf("when the file was removed: %q, %v", next, err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Load(); fault.KindOf(err) != fault.Precondition {
			t.Errorf("a file that others can read: %v", err)
		}
	}
}
