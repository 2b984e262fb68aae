package uimcp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ends are the functions with which a process begins to listen, calls another one, or starts one.
var ends = map[string][]string{
	"net":       {"Listen", "ListenUnix", "ListenTCP", "ListenConfig", "Dial", "DialTimeout", "Dialer"},
	"http":      {"NewRequest", "NewRequestWithContext", "Client", "Transport", "Server", "Serve", "Get", "Post", "Head"},
	"websocket": {"Dial", "Accept"},
	"ws":        {"Dial"},
	"listen":    {"Dial", "Unix", "Loopback"},
	"nats":      {"Connect"},
	"server":    {"NewServer"}, // of NATS
	"exec":      {"Command", "CommandContext"},
}

// A use is what a file has such functions for: the numbers of wires of docs/architecture.md,
// "endpoint" for what programs of others use, too, "outside" for programs that are not ours, or
// "all" for a helper of several wires.
type use struct{ wires, what string }

// wires has each file of the commands in which such a function is used. One that is added here is a
// decision about the list of wires: a new way between our own programs is a new row in
// docs/architecture.md, or, better, one that is there already.
var wires = map[string]use{
	"internal/app/listen.go":                    {"3 4", "the two ports of ui-mcp"},
	"internal/transport/ws/ws.go":               {"1 3", "the server's end of each WebSocket"},
	"internal/transport/ws/dial.go":             {"all", "the other end"},
	"internal/transport/mux/mux.go":             {"1", "many connections over one"},
	"internal/transport/httpserve/httpserve.go": {"all", "every server of HTTP"},
	"internal/transport/client/client.go":       {"1", "operations"},
	"internal/transport/client/stream.go":       {"1", "streams"},
	"internal/cli/wsh/serving/bind.go":          {"1 4", "the port of wsh server"},
	"internal/discovery/claim.go":               {"1 4", "the socket of a server"},
	"internal/cli/instance/dial.go":             {"1 4", "commands dial the socket, and start a server"},
	"internal/cli/join/join.go":                 {"1 4", "commands upgrade a connection to the server's socket"},
	"internal/cli/reach/http.go":                {"1", "servers at http:// and https://"},
	"internal/cli/reach/ssh.go":                 {"1", "ssh HOST wsh servers pipe"},
	"internal/fleet/hubconn/hubconn.go":         {"6", "a server at a hub"},
	"internal/fleet/hubconn/near.go":            {"6", "whether a hub is near"},
	"internal/fleet/hubserver/hubserver.go":     {"6", "the hub"},
	"internal/cli/wsh/others/hub.go":            {"6", "the hub's owner, over its own socket"},
	"internal/cli/wsh/others/become_windows.go": {"6", "wsh hub starts wsh-hub"},
	"internal/cli/nearby/nearby.go":             {"2", "another program that a person looks at"},
	"internal/cli/uimcp/ask.go":                 {"endpoint", "POST /mcp, as other programs ask, at the port or on the socket"},
	"internal/cli/uimcp/servers.go":             {"endpoint", "/state, /wait and /variables"},
	"internal/cli/doctor/servers.go":            {"endpoint", "what answers, and how"},
	"internal/cli/docserver/docserver.go":       {"endpoint", "the documentation"},
	"internal/cli/uimcp/wire.go":                {"outside", "requests of apps' scripts"},
	"internal/cli/effect/http.go":               {"outside", "requests of apps' scripts"},
	"internal/cli/effect/exec.go":               {"outside", "programs of apps' scripts"},
	"internal/term/pty/process_unix.go":         {"outside", "programs in terminals"},
	"internal/chromium/process.go":              {"outside", "the browser for pictures"},
	"internal/cli/browse/browse.go":             {"outside", "the person's browser"},
	"internal/transport/peer/peer.go":           {"outside", "a trial whether the system names the other end"},
	"internal/listen/tcp.go":                    {"all", "ports of the loopback"},
	"internal/listen/unix.go":                   {"all", "private sockets"},
	"internal/listen/private_unix.go":           {"all", "private sockets"},
	"internal/listen/private_other.go":          {"all", "private sockets"},
}

// docs/architecture.md lists all wires between our own processes, and the code has no others.
func TestWires(t *testing.T) {
	found := map[string][]string{}
	for _, root := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/testkit/") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Field: // a type alone does nothing
					return false
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && slices.Contains(ends[x.Name], n.Sel.Name) {
						found[path] = append(found[path], x.Name+"."+n.Sel.Name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if _, ok := wires[path]; !ok {
			t.Errorf("%s uses %v, and wires in wires_test.go does not say for which wire of docs/architecture.md", path, found[path])
		}
	}
	table := section(t, readText(t, "docs/architecture.md"), "## Processes and wires")
	drawn := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) `).FindAllStringSubmatch(table, -1) {
		drawn[m[1]] = false
	}
	for path, u := range wires {
		if len(found[path]) == 0 {
			t.Errorf("%s is in wires, and uses none of the functions", path)
		}
		for _, wire := range strings.Fields(u.wires) {
			if _, known := drawn[wire]; known {
				drawn[wire] = true
			} else if !slices.Contains([]string{"endpoint", "outside", "all"}, wire) {
				t.Errorf("%s: docs/architecture.md has no wire %s", path, wire)
			}
		}
	}
	for wire, used := range drawn {
		if !used && wire != "5" { // which is a tool of wire 4
			t.Errorf("docs/architecture.md has wire %s, which no file uses", wire)
		}
	}
}
