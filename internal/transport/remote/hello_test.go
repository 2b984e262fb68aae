package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// TestIntroduction has hosts introduce themselves in every way.
func TestIntroduction(t *testing.T) {
	t.Parallel()
	fits := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"1.3","protocol":%d,"more":[1]}`, version, terminals.Protocol)
	newer := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"9.9","protocol":%d}`, version+1, terminals.Protocol)
	otherOperations := fmt.Sprintf(`wsh-fleet %d {"id":"b","name":"build1","version":"9.9","protocol":%d}`, version, terminals.Protocol+1)
	for _, tt := range []struct {
		name, sent string
		kind       fault.Kind
		detail     fault.Detail
		says       []string // nil: they fit
	}{
		{name: "the same version", sent: fits + "\n"},
		{name: "the line of another system", sent: fits + "\r\n"},
		{name: "after what a login prints", sent: "Welcome!\n\nYou have mail.\n" + fits + "\n"},
		{"another version", newer + "\n", fault.Invalid, terminals.HostLacks, []string{"build1", "9.9", "1.2", fmt.Sprint(version+1, "."), fmt.Sprint(version, ".")}},
		{"other operations", otherOperations + "\n", fault.Invalid, terminals.HostLacks, []string{"9.9", "1.2"}},
		{"this host", strings.Replace(fits, `"b"`, `"a"`, 1) + "\n", fault.Exists, "", []string{"this server itself"}},
		{"no host", "bash: wsh: command not found\n", fault.Invalid, "", []string{"command not found"}},
		{"no line", "wsh", fault.Invalid, "", []string{`"wsh"`}},
		{"nothing", "", fault.Unreachable, terminals.HostAway, []string{"does not introduce itself"}},
		{"no ID", strings.Replace(fits, `"b"`, `""`, 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"a name that is a path", strings.Replace(fits, "build1", "a/b", 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"a name that cannot be printed", strings.Replace(fits, "build1", `\u001b[m`, 1) + "\n", fault.Invalid, "", []string{"invalid"}},
		{"no JSON", "wsh-fleet 3 {\n", fault.Invalid, "", []string{"wrongly"}},
		{"too much", strings.Repeat("noise\n", 20_000) + fits + "\n", fault.Invalid, "", []string{"noise"}},
		{"a long line", strings.Repeat("noise", 20_000), fault.Invalid, "", []string{"noise"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, b := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, b) }()
			go func() {
				_, _ = b.Write([]byte(tt.sent))
				if tt.says != nil {
					b.Close()
				}
			}()
			peer, rest, err := greet(t.Context(), a, Hello{ID: "a", Name: "here", Version: "1.2"})
			if tt.says == nil {
				if err != nil || peer.Name != "build1" || peer.Version != "1.3" {
					t.Fatal(err)
				}
				_ = rest.Close()
				return
			}
			if err == nil || fault.KindOf(err) != tt.kind || fault.DetailOf(err) != tt.detail {
				t.Fatalf("%v (%v, %q), want %v, %q", err, fault.KindOf(err), fault.DetailOf(err), tt.kind, tt.detail)
			}
			for _, text := range tt.says {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not say %q", err, text)
				}
			}
		})
	}
}

// A host that says nothing is waited for as long as the caller wants.
func TestSilentIntroduction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := Open(ctx, a, here); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// FuzzHello reads any line as an introduction.
func FuzzHello(f *testing.F) {
	own := Hello{ID: "a", Name: "here", Version: "1"}
	f.Add(string(own.line()))
	f.Add("wsh-fleet 3 {}")
	f.Fuzz(func(t *testing.T, line string) {
		h, err := readHello(bufio.NewReader(strings.NewReader(line)), own)
		if err == nil && (h.ID == "" || h.ID == own.ID || h.Name == "" || strings.ContainsAny(h.Name, "/\x1b\n")) {
			t.Errorf("%+v", h)
		}
	})
}
