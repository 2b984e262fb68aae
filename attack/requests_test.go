//go:build linux

package attack

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// An endpoint is a path with the methods to try.
type endpoint struct {
	path    string
	methods []string
}

// route is what a text looks like that is a pattern of [http.ServeMux], or a path.
var route = regexp.MustCompile(`^(?:([A-Z]+) )?(/(?:[\w.~-]|\{[\w.$]+\})*(?:/(?:[\w.~-]|\{[\w.$]+\})*)*)$`)

// variable is a part of a route that stands for any text.
var variable = regexp.MustCompile(`\{[\w.$]+\}`)

// documentedPath is a path in a server's description of its interface.
var documentedPath = regexp.MustCompile(`(?m)^ +"(/[^"\n]*)": \{$`)

// endpoints returns every path that a handler of ours may serve: those that a server of terminals
// describes, and all texts of the sources that look like one, whether they are patterns, rows of a
// table or compared with a path. So a new route is tried without anyone thinking of it.
func endpoints(t *testing.T, openAPI string) []endpoint {
	t.Helper()
	methods := []string{"GET", "POST"}
	if load.Full() {
		methods = append(methods, "PUT", "PATCH", "DELETE", "OPTIONS")
	}
	found := map[string][]string{}
	for _, dir := range []string{"../internal/transport", "../internal/cli"} {
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(lit.Value)
				m := route.FindStringSubmatch(text)
				if err != nil || m == nil {
					return true
				}
				tried := found[m[2]]
				if tried == nil {
					tried = methods
				}
				if m[1] != "" && !slices.Contains(tried, m[1]) {
					tried = append(tried[:len(tried):len(tried)], m[1])
				}
				found[m[2]] = tried
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range documentedPath.FindAllStringSubmatch(openAPI, -1) {
		if found[m[1]] == nil {
			found[m[1]] = methods
		}
	}
	for _, known := range []string{ // of each way to register one
		"/mcp", "/sse", "/message", "/api/{tool}", "/wait", "/state", "/publish/{topic...}", "/popup-ws", "/ws/json", "/sessions/{name}/run",
		"/sessions/{name}/ws/attach", "/sessions/{name}/panel/{id}/write", "/auth/ws-ticket", "/auth/tokens", "/server/bridge", "/server/stop", "/terminals",
	} {
		if found[known] == nil {
			t.Errorf("%s is not among the endpoints", known)
		}
	}
	var out []endpoint
	for path, methods := range found {
		out = append(out, endpoint{variable.ReplaceAllString(path, "1"), methods})
	}
	return out
}

// requests makes a script send requests, which are pairs of methods and URLs, with some headers. It
// returns those that were answered otherwise than by refusing scripts. lost says that requests may
// fail, too, since no server listens.
func (s *server) requests(t *testing.T, list [][2]string, headers map[string]string, lost bool) (served []string) {
	t.Helper()
	var code bytes.Buffer
	fmt.Fprintf(&code, "asked = { done = 0, served = {} }\nlocal lost, at, headers, list = %t, 0, {}, {}\n", lost)
	for name, value := range headers {
		fmt.Fprintf(&code, "headers[%q] = %q\n", name, value)
	}
	for _, r := range list {
		fmt.Fprintf(&code, "list[#list + 1] = { %q, %q }\n", r[0], r[1])
	}
	code.WriteString(`
		local function ask()
			at = at + 1
			local r = list[at]
			if not r then return end
			session:http({ method = r[1], url = r[2], headers = headers, body = r[1] ~= "GET" and "{}" or nil }, function(response, err)
				asked.done = asked.done + 1
				local refused = response and response.status == 403 and response.body:find("session:http", 1, true) or lost and err
				if not refused then
					table.insert(asked.served, r[1] .. " " .. r[2] .. ": " .. (response and response.status .. " " .. response.body:sub(1, 100) or err))
				end
				ask()
			end)
		end
		for i = 1, 16 do ask() end`)
	s.must(t, "ui_run", map[string]any{"code": code.String()})
	wait.Until(t, "the script has made its requests", func() bool {
		return strings.Contains(s.must(t, "ui_run", map[string]any{"code": "return 'done=' .. asked.done .. ';'"}), fmt.Sprintf("done=%d;", len(list)))
	})
	text := s.must(t, "ui_run", map[string]any{"code": "return asked.served"})
	if text == "{}" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &served); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return served
}

// refused is an attack by a script on each endpoint of a server.
func (s *server) refused(name, base string, all []endpoint, headers map[string]string) attack {
	return attack{"S18", "session:http: every endpoint of " + name, false, func(t *testing.T) {
		var list [][2]string
		for _, e := range all {
			for _, method := range e.methods {
				if e.path != "/health" || method != "GET" { // which is open to scripts
					list = append(list, [2]string{method, base + e.path})
				}
			}
		}
		for _, r := range s.requests(t, list, headers, false) {
			t.Errorf("a script was served: %s", r)
		}
	}}
}

// socket returns the Unix socket of a process whose name begins with a prefix.
func (p *process) socket(t *testing.T, prefix string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.home, ".cache", "wsh", prefix+"*.sock"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the sockets of %s are %q, %v", p.command, found, err)
	}
	return found[0]
}

// forwarded returns the URL of a proxy in front of a Unix socket.
func forwarded(t *testing.T, socket string) string {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket)
	}}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Transport: transport,
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: "http", Host: "localhost"}) },
	})
	t.Cleanup(proxy.Close)
	t.Cleanup(transport.CloseIdleConnections)
	return proxy.URL
}

// A script of an app reaches no endpoint of any server of its user, whatever it sends, even if it
// has read the tokens of its own process and of others.
func TestScriptRequests(t *testing.T) {
	beside(t)
	s := startServe(t, "--no-exec", "--toolsets", "ui,popup,terminal")
	wsh := startExposed(t)
	all := endpoints(t, wsh.want(t, 200, "GET", "/openapi.yaml", ""))
	_, pages, _ := net.SplitHostPort(strings.TrimPrefix(s.pages, "http://"))
	_, agent, _ := net.SplitHostPort(strings.TrimPrefix(s.agent, "http://"))
	_, terminals, _ := net.SplitHostPort(strings.TrimPrefix(wsh.url, "http://"))
	token := map[string]string{"Authorization": "Bearer " + ownerToken}
	s.face(
		s.refused("the pages", s.pages, all, nil),
		s.refused("the questions", "http://localhost:"+pages, all, map[string]string{"Origin": "http://localhost:" + pages, "Sec-Fetch-Site": "same-origin"}),
		s.refused("the pages of terminals", "http://localhost:"+pages+"/terminals", all, nil),
		s.refused("the agent", s.agent, all, map[string]string{"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}),
		s.refused("wsh", wsh.url, all, token),
		s.refused("the socket of ui-mcp", forwarded(t, s.socket(t, "ui-mcp-")), all, map[string]string{"Connection": "Upgrade, Ui-Mcp-Script", "Upgrade": "wsh-bridge"}),
		s.refused("the project's socket", forwarded(t, s.socket(t, "project-")), append(all, endpoint{"/project/join", []string{"GET", "POST"}}), map[string]string{"Connection": "Upgrade, Ui-Mcp-Script", "Upgrade": "ui-mcp-project-2"}),
		s.refused("the socket of wsh", forwarded(t, wsh.socket(t, "")), all, map[string]string{"Connection": "Ui-Mcp-Script", "Ui-Mcp-Script": ""}),
	)

	redirect := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			t.Error(err)
		}
		http.Redirect(w, r, r.URL.Query().Get("to"), status)
	}))
	defer redirect.Close()
	hostname, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	var named [][2]string
	for _, host := range []string{"127.0.0.1", "localhost", "LocalHost", "localhost.", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.2", "0.0.0.0", "[::]", "127.1", "2130706433", "ip6-localhost", hostname} {
		for _, to := range []string{pages + "/popup-ws", pages + "/terminals/sessions", agent + "/mcp", agent + "/api/ui_run", terminals + "/mcp", terminals + "/sessions"} {
			at := "http://" + host + ":" + to
			named = append(named, [2]string{"POST", at}, [2]string{"GET", at})
			for _, status := range []int{302, 307} {
				named = append(named, [2]string{"POST", fmt.Sprintf("%s/%d?to=%s", redirect.URL, status, url.QueryEscape(at))})
			}
		}
	}
	s.face(
		attack{"S18", "session:http: names and redirects", false, func(t *testing.T) {
			for _, r := range s.requests(t, named, token, true) {
				t.Errorf("a script was served: %s", r)
			}
		}},
		attack{"S18", "session:http: a tunnel", false, func(t *testing.T) {
			if served := s.requests(t, [][2]string{{"CONNECT", s.agent}, {"CONNECT", wsh.url}}, token, true); len(served) > 0 {
				t.Errorf("it was opened: %q", served)
			}
		}},
		attack{"S18", "session:http: health is open", false, func(t *testing.T) {
			if served := s.requests(t, [][2]string{{"GET", wsh.url + "/health"}}, nil, false); len(served) != 1 || !strings.Contains(served[0], "200") {
				t.Errorf("it answers %q", served)
			}
		}},
	)
	wsh.answers(t)
	s.ends()
}
