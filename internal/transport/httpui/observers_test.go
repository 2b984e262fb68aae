package httpui

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/wait"
)

// An observer sees the page of one session, and nothing that a person could use.
func TestObservers(t *testing.T) {
	t.Parallel()
	one, two := newMemorySession(), newMemorySession()
	ui := NewUI(UIOptions{
		Sessions: rooms(map[string]*memorySession{"1": one, "2": two}), HTML: t.TempDir(), Client: builtClient, Fallback: builtHTML, Log: logTo(t),
	})
	observers := NewObservers()
	persons := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "for persons") })
	terminal := func(_ context.Context, name, theme string) ([]byte, error) {
		if name != "dev" {
			return nil, fault.New(fault.NotFound, "no terminal %q", name)
		}
		return []byte("<svg>" + name + theme + "</svg>"), nil
	}
	srv := serveTo(t, observers.Wrap(persons, ui, terminal), observers.Known)
	_, port, _ := strings.Cut(srv.Addr().String(), ":")
	host, leave := observers.Admit("1")
	other, leaveOther := observers.Admit("2")
	leaveOther()
	for name, tt := range map[string]struct {
		method, host, path, dest string
		status                   int
		body                     string
	}{
		"the page":                       {"GET", host, "/1/", "document", 200, "built index"},
		"another name":                   {"GET", "127.0.0.1", "/1/", "document", 200, "for persons"},
		"a name that has ended":          {"GET", other, "/2/", "document", 403, "Refused"},
		"a guess":                        {"GET", "guess.localhost", "/1/", "document", 403, "Refused"},
		"a part of the name":             {"GET", host[1:], "/1/", "document", 403, "Refused"},
		"a name below the name":          {"GET", "x." + host, "/1/", "document", 403, "Refused"},
		"another session":                {"GET", host, "/2/", "document", 404, ""},
		"the variables":                  {"GET", host, "/1/variables", "document", 404, ""},
		"the variables as JSON":          {"GET", host, "/1/variables.json", "", 404, ""},
		"no questions":                   {"GET", host, "/popup.js", "script", 200, ""},
		"nothing is written":             {"POST", host, "/1/", "", 405, ""},
		"a terminal":                     {"GET", host, "/terminals/frame/dev?palette=light", "iframe", 200, base64.StdEncoding.EncodeToString([]byte("<svg>devlight</svg>"))},
		"a terminal for a script":        {"GET", host, "/terminals/frame/dev", "empty", 403, ""},
		"a terminal that is not there":   {"GET", host, "/terminals/frame/none", "iframe", 404, ""},
		"the interface of the terminals": {"GET", host, "/terminals/sessions", "", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), tt.method, "http://"+srv.Addr().String()+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = tt.host + ":" + port
			r.Header.Set("Sec-Fetch-Dest", tt.dest)
			res, err := newClientFor(t).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != tt.status || !strings.Contains(string(body), tt.body) || tt.body == "" && tt.status == 200 && len(body) > 0 {
				t.Errorf("%d %q, %v; want %d %q", res.StatusCode, body, err, tt.status, tt.body)
			}
			if strings.Contains(tt.path, "/frame/") && tt.status == 200 && !strings.Contains(res.Header.Get("Content-Security-Policy"), "sandbox; default-src 'none'") {
				t.Errorf("scripts can read the picture of a terminal: %v", res.Header)
			}
		})
	}
	dial := func(host, session string) (*websocket.Conn, error) {
		conn, _, err := websocket.Dial(t.Context(), "ws://"+srv.Addr().String()+"/ws/"+session, &websocket.DialOptions{HTTPClient: newClientFor(t), Host: host + ":" + port})
		if err == nil {
			t.Cleanup(func() { conn.CloseNow() })
		}
		return conn, err
	}
	conn, err := dial(strings.ToUpper(host), "1")
	if err != nil {
		t.Fatal(err)
	}
	if _, msg, err := conn.Read(t.Context()); err != nil || string(msg) != "snapshot" {
		t.Errorf("the first message: %q, %v", msg, err)
	}
	if one.observed != 1 {
		t.Errorf("the session has %d observers, want 1", one.observed)
	}
	if err := conn.Write(t.Context(), websocket.MessageText, []byte("{}")); err != nil {
		t.Error(err)
	}
	wait.Until(t, "the message arrives as one of an observer", func() bool {
		one.mu.Lock()
		defer one.mu.Unlock()
		return one.ignored == 1
	})
	conn.CloseRead(t.Context()) // answers the end of the connection
	if conn, err = dial(host, "2"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 4404 {
		t.Errorf("another session answers %v", err)
	}
	one.mu.Lock()
	pages := len(one.pages)
	one.mu.Unlock()
	leave()
	wait.Until(t, "the connection ends with the name", func() bool {
		one.mu.Lock()
		defer one.mu.Unlock()
		return len(one.pages) < pages
	})
	if _, err := dial(host, "1"); err == nil {
		t.Error("the name is still good after its end")
	}
	if len(two.pages) > 0 {
		t.Error("the other session has a page")
	}
}
