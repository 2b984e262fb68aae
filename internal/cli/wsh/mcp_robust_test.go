//go:build unix

package wsh

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/terminals"
)

// Every request is answered once, whatever the client sends and whatever the server's state.
// Package mcpbridge has more of both.
func TestBridgeStories(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]func(*testing.T, *bridgeProcess){
		"a line of 64 MiB": func(t *testing.T, b *bridgeProcess) {
			b.initialize().write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 64<<20) + `"}}`)
			if a := b.read(); a.Error == nil || a.Error.Code != -32600 || !strings.Contains(a.Error.Message, "longer than") {
				t.Errorf("%+v", a)
			}
			b.must("wsh_list_sessions", `{}`)
		},
		"the server restarts between calls": func(t *testing.T, b *bridgeProcess) {
			b.initialize().must("wsh_create_session", `{"name":"a","command":"cat"}`)
			for last, restarts := 0, 0; restarts < 3; {
				// A server that has not acted on the first signal yet would be killed by a second.
				if pid, ok := serverPID(t); ok && pid != last {
					last = pid
					restarts++
					_ = syscall.Kill(pid, syscall.SIGTERM) // it may have ended
				}
				b.must("wsh_create_session", `{"command":"cat"}`) // perhaps while that server ends
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			runtimeDir(t)
			b := startBridge(t, "--bind", "127.0.0.1:0")
			story(t, b)
			b.in.Close()
			for {
				line, err := b.out.ReadBytes('\n')
				if err != nil {
					break
				}
				var a answer
				if err := json.Unmarshal(line, &a); err != nil || a.Method == "" && a.ID != float64(1) {
					t.Errorf("at the end: %s", line)
				}
			}
			_ = b.cmd.Wait() // its status is in ProcessState
			if status := b.cmd.ProcessState.ExitCode(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// If no server can run, calls are answered with the reason. Package discovery has folders that
// cannot be trusted.
func TestBridgeEnvironment(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		env  []string
		want string // "" if it works
	}{
		"no home directory":            {[]string{"HOME="}, ""},
		"a relative home directory":    {[]string{"HOME=here", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME="}, "not an absolute path"},
		"a folder that cannot be made": {[]string{"XDG_RUNTIME_DIR=/dev/null/none"}, "the folder of running servers"},
		"a relative folder of caches":  {[]string{"HOME=", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=here"}, "set XDG_RUNTIME_DIR"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "caches") && runtime.GOOS == "darwin" {
				t.Skip("XDG_CACHE_HOME does not count here")
			}
			runtimeDir(t)
			b := startBridgeIn(t, tt.env, "--bind", "127.0.0.1:0")
			b.write(handshake)
			switch a := b.read(); {
			case tt.want == "" && a.Error != nil:
				t.Errorf("%+v", a.Error)
			case tt.want != "" && (a.Error == nil || !strings.Contains(a.Error.Message, tt.want)):
				t.Errorf("%+v, want %q", a.Error, tt.want)
			}
			if status := b.end(); status != 0 {
				t.Errorf("status %d", status)
			}
		})
	}
}

// A server of another version is refused by the number of its protocol, and works again with the
// next call when it has been replaced.
func TestBridgeToOlderServer(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	folder, err := instance.Open(vars(t), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	claim, err := folder.Claim("default", "")
	if err != nil {
		t.Fatal(err)
	}
	l, err := claim.Listen()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /server/info", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"version":"0.0.9","protocol":%d}`, terminals.Protocol-1)
	})
	old := &http.Server{Handler: mux}
	served := make(chan error, 1)
	go func() { served <- old.Serve(l) }()
	b := startBridge(t, "--bind", "127.0.0.1:0")
	b.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`)
	if a := b.read(); a.ID != 1.0 || a.Error == nil || !strings.Contains(a.Error.Message, "version 0.0.9 with protocol 0") || !strings.Contains(a.Error.Message, `"wsh stop" ends the older server`) {
		t.Errorf("initialize: %+v", a.Error)
	}
	if err := errors.Join(old.Close(), claim.Release()); err != nil {
		t.Error(err)
	}
	<-served
	b.initialize().must("wsh_list_sessions", `{}`)
}

// A client without an environment, such as one of the desktop, gets login shells that prepare one.
func TestBareEnvironment(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".profile"), []byte("PREPARED=yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	b := startBridgeIn(t, []string{"HOME=" + home, "SHELL=/bin/bash", "TERM=", "SHLVL=", "LANG=", "LC_ALL=", "LC_CTYPE=", "USER=", "PATH="}).initialize()
	b.must("wsh_create_session", `{"name":"s"}`)
	got := b.must("wsh_run_command", `{"session":"s","input":"echo \"<$PREPARED $LANG $USER>\"; [ -n \"$PATH\" ] && echo found"}`)
	if want := "<yes C.UTF-8 " + u.Username + `>\nfound`; !strings.Contains(got, want) {
		t.Errorf("no %s in %s", want, got)
	}
}
