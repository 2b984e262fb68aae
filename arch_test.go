// The tests in this file hold the module to the structure that docs/architecture.md describes.

package uimcp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// module is the path of the module and a slash.
var module = func() string {
	data, err := os.ReadFile("go.mod")
	if err != nil {
		panic(err)
	}
	return modfile.ModulePath(data) + "/"
}()

// layers lists every package, lowest layer first. A package may import only packages of lower
// layers. Adding a package means adding it here: choosing its layer is the design decision.
var layers = [][]string{
	{ // how assets are embedded, how goroutines wait, and characters and their looks
		"internal/packed", "internal/wake", "internal/term/sgr", "internal/term/charclass",
	},
	{ // vocabulary and assets: the standard library only
		".", "internal/fault", "internal/executor", "internal/regular", "internal/environ", "internal/machine", "internal/safetext", "internal/richtext", "internal/term/scrollback", "bundle", "docs", "packaging", "skills", "web",
	},
	{ // models: no goroutine, no I/O, no clock
		"internal/finding", "internal/ui/path", "internal/ui/lua/chunk", "internal/ui/lua/pattern", "internal/ui/spell", "internal/ui/wire", "internal/markdown", "internal/term/vt", "internal/term/escape", "internal/popup/workspace", "internal/term/pattern", "internal/term/agents", "internal/term/tty", "internal/term/label",
	},
	{ // models built on those
		"internal/ui/viewdef", "internal/ui/lua/kept", "internal/ui/problem", "internal/popup/question", "internal/term/cells", "internal/term/keys", "internal/term/expect", "internal/fleet/presence",
	},
	{ // and on those
		"internal/ui/variable", "internal/ui/check", "internal/term/overlay", "internal/term/typed", "internal/term/core", "internal/popup/wire", "internal/popup/core", "internal/popup/permission",
	},
	{ // and on those
		"internal/ui/act", "internal/term/dialog", "internal/term/render", "internal/popup/markup",
	},
	{ // and on those
		"internal/term/render/picture", "internal/cli/attach/outer", "internal/term/lookback", "internal/cli/attach/chooser",
	},
	{ // each owns one effect
		"internal/ui/lua", "internal/ui/hotload", "internal/events", "internal/files", "internal/term/pty", "internal/term/shell", "internal/term/record", "internal/term/typeahead", "internal/term/mailbox", "internal/term/clients", "internal/listen",
	},
	{ // built on those: what scripts start, secrets, profiles of browsers
		"internal/ui/lua/async", "internal/secret", "internal/chromium",
	},
	{ // sessions, installation
		"internal/ui", "internal/install", "internal/popup", "internal/discovery", "internal/term", "internal/look",
	},
	{ // the sessions of a server
		"internal/term/registry",
	},
	{ // how terminals look as JSON
		"internal/terminals/wire",
	},
	{ // terminals and questions brought together
		"internal/termask",
	},
	{ // each operation once: on live apps with their life cycle, and on terminals
		"internal/app", "internal/terminals",
	},
	{ // which other hosts may do what; questions offered to them
		"internal/fleet/keys", "internal/terminals/questions",
	},
	{ // what HTTP handlers and connections share, without a domain
		"internal/transport/socketwire", "internal/transport/httpio", "internal/transport/inflight", "internal/transport/jsonrpc", "internal/transport/ws", "internal/transport/peer", "internal/transport/mux", "internal/transport/relay", "internal/transport/site",
	},
	{ // and what is built on that
		"internal/transport/sse",
	},
	{ // transport plumbing
		"internal/transport/terminalspage", "internal/transport/errcode", "internal/transport/httpserve", "internal/transport/mcpbridge", "internal/transport/mcpserver", "internal/transport/popuprpc",
	},
	{ // who may use the transports, and how persons are attached; views in conversations
		"internal/transport/gate", "internal/transport/attachedterm", "internal/transport/mcpview",
	},
	{ // transports: decode, call, encode
		"internal/transport/mcpui", "internal/transport/httpui", "internal/transport/httppopup", "internal/transport/mcppopup", "internal/transport/mcpapps", "internal/transport/mcpterm", "internal/transport/httpterm", "internal/transport/wsterm", "internal/transport/embeddedterm", "internal/transport/docsite", "internal/fleet/place",
	},
	{ // the client of the transports of terminals
		"internal/transport/client",
	},
	{ // what a hub and its clients agree on
		"internal/fleet/hub",
	},
	{ // connections between hosts, and the hub's server
		"internal/fleet/hubserver", "internal/fleet/hubconn", "internal/transport/remote",
	},
	{ // hosts of a hub
		"internal/fleet/member",
	},
	{ // the sessions of all hosts
		"internal/fleet",
	},
	{ // the models of command lines, and when commands end; settings of other programs as text
		"internal/cli/commandline", "internal/cli/version", "internal/cli/ending", "internal/cli/settings", "internal/cli/browse",
	},
	{ // the programs that start servers of MCP
		"internal/cli/clients",
	},
	{ // what command lines share
		"internal/cli/completion", "internal/cli/manual", "internal/cli/footprint", "internal/cli/effect", "internal/cli/instance", "internal/cli/attach", "internal/cli/reach",
	},
	{ // how commands join a server
		"internal/cli/join",
	},
	{ // programs that show each other's questions
		"internal/cli/nearby",
	},
	{ // what both commands say about the machine, and how clients get to know them
		"internal/cli/doctor", "internal/cli/setup", "internal/cli/docserver",
	},
	{ // what the commands of wsh share
		"internal/cli/wsh/caller",
	},
	{ // commands that print what sessions display, and those about other machines
		"internal/cli/wsh/display", "internal/cli/wsh/others",
	},
	{ // commands that run, attach and serve
		"internal/cli/wsh/attaching", "internal/cli/wsh/run", "internal/cli/wsh/serving",
	},
	{ // command lines: they wire everything and own the process
		"internal/cli/uimcp", "internal/cli/wsh", "internal/cli/wshhub",
	},
	{ // mains
		"cmd/ui-mcp", "cmd/wsh", "cmd/wsh-hub", "packaging/build", "conformance/model", "conformance/server", "examples/hello", "internal/packed/pack", "tools/types",
	},
	{ // for tests only: nothing else may import them
		"internal/testkit/flood", "internal/testkit/leak", "internal/testkit/load", "internal/testkit/mutants", "internal/testkit/netns", "internal/testkit/persons", "internal/testkit/signals", "internal/testkit/wait",
	},
	{
		"internal/testkit", "internal/testkit/actcases", "internal/testkit/opcases",
	},
	{
		"internal/testkit/browser", "internal/testkit/clidocs", "internal/testkit/mcpcases",
	},
	{
		"internal/testkit/apphost",
	},
}

// confined says where an import that would spread a concern may appear, and why. As in the go
// command, a path ending in /... stands for a tree.
var confined = map[string]struct {
	only []string
	why  string
}{
	"net/http/...": {[]string{"internal/transport/", "internal/cli/", "conformance/", "examples/", "internal/testkit/apphost"},
		"the domain does not know it is served over HTTP"},
	"github.com/modelcontextprotocol/go-sdk/...": {[]string{"internal/transport/mcp", "internal/cli/", "conformance/", "examples/", "internal/testkit"},
		"MCP is one transport among several"},
	"github.com/coder/websocket/...":           {[]string{"internal/transport/ws"}, "one package runs WebSocket connections"},
	"github.com/yuin/gopher-lua/...":           {[]string{"internal/ui/lua", "internal/ui/lua/"}, "one package owns the Lua VM, those below its folder its values"},
	"github.com/fsnotify/fsnotify/...":         {[]string{"internal/ui/hotload", "internal/discovery"}, "one package watches files of apps, and one the folder of servers"},
	"github.com/clipperhouse/displaywidth/...": {[]string{"internal/term/charclass"}, "one package knows how wide characters are"},
	"github.com/yuin/goldmark/...":             {[]string{"internal/markdown"}, "one package renders Markdown"},
	"github.com/pelletier/go-toml/...":         {[]string{"internal/cli/"}, "command lines read configuration files"},
	"github.com/tailscale/hujson/...":          {[]string{"internal/cli/settings"}, "one package edits settings of other programs"},
	"github.com/creack/pty/...":                {[]string{"internal/term/pty"}, "one package opens terminals"},
	"crypto/hmac":                              {[]string{"internal/secret"}, "one package keeps and compares secrets"},
	"crypto/subtle":                            {[]string{"internal/secret"}, "one package keeps and compares secrets"},
	"github.com/nats-io/nats.go/...":           {[]string{"internal/fleet/hubconn"}, "one package speaks NATS"},
	"github.com/nats-io/nats-server/...":       {[]string{"internal/fleet/hubserver"}, "it makes a program larger by two fifths of wsh"},
	module + "internal/fleet/hubserver":        {[]string{"internal/cli/wshhub"}, "wsh and ui-mcp do without its server of NATS"},
	module + "internal/cli/wshhub":             {[]string{"cmd/wsh-hub"}, "wsh and ui-mcp do without its server of NATS"},
	"github.com/gofrs/flock/...":               {[]string{"internal/files"}, "one package locks files"},
	"os/exec":                                  {[]string{"internal/cli/", "packaging/", "internal/term/pty", "internal/chromium", "internal/testkit", "conformance/model"}, "starting processes should be rare and visible"},
	"log":                                      {nil, "use the *slog.Logger that is passed in"},
}

type pkg struct {
	imports []string
	doc     bool
}

// load reads the import clauses of every Go file in the module, whatever its build constraints. It
// reads the files itself, rather than asking go list, for two reasons: go list sees only the host's
// GOOS, and go test would cache the result, since it does not know what a child process has read.
func load(t *testing.T) map[string]*pkg {
	t.Helper()
	const root = "."
	pkgs := map[string]*pkg{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (name == "testdata" || name == "node_modules" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		p := pkgs[filepath.ToSlash(rel)]
		if p == nil {
			p = &pkg{}
			pkgs[filepath.ToSlash(rel)] = p
		}
		p.doc = p.doc || f.Doc != nil
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			p.imports = append(p.imports, imp)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

func TestLayers(t *testing.T) {
	pkgs := load(t)
	layer := map[string]int{}
	for i, l := range layers {
		for _, p := range l {
			if _, ok := pkgs[p]; !ok {
				t.Errorf("%s is listed in layers but does not exist", p)
			}
			layer[p] = i
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pkgs)) {
		l, ok := layer[name]
		if !ok {
			t.Errorf("%s has no layer: add it to layers in arch_test.go", name)
			continue
		}
		for _, imp := range pkgs[name].imports {
			dep, ours := strings.CutPrefix(imp, module)
			if ours && layer[dep] >= l {
				t.Errorf("%s (layer %d) must not import %s (layer %d)", name, l, dep, layer[dep])
			}
		}
	}
}

func TestConfinedImports(t *testing.T) {
	for name, p := range load(t) {
		for _, imp := range p.imports {
			for pattern, rule := range confined {
				tree, ok := strings.CutSuffix(pattern, "/...")
				if imp != tree && !(ok && strings.HasPrefix(imp, tree+"/")) {
					continue
				}
				if !slices.ContainsFunc(rule.only, func(o string) bool { return strings.HasPrefix(name, o) }) {
					t.Errorf("%s must not import %s: %s", name, imp, rule.why)
				}
			}
		}
	}
}

func TestPackageDocs(t *testing.T) {
	for name, p := range load(t) {
		if !p.doc {
			t.Errorf("%s has no package comment", name)
		}
	}
}

// selections calls visit with each use X.Name in the package's Go files, tests included.
func selections(t *testing.T, pkg string, visit func(at token.Position, x, name string)) {
	t.Helper()
	fset := token.NewFileSet()
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok {
					visit(fset.Position(n.Pos()), x.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// A package of more than largePackage lines says at its top what it is for, its main types, what
// passes through it and what always holds: in explained lines or more.
const (
	largePackage = 1000
	explained    = 10
)

func TestLargePackagesAreExplained(t *testing.T) {
	for name := range load(t) {
		lines, comment := 0, 0
		for _, file := range sources(t, name) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(data), "\n")
			f, err := parser.ParseFile(token.NewFileSet(), file, data, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			if f.Doc != nil {
				comment = max(comment, len(f.Doc.List))
			}
		}
		if lines > largePackage && comment < explained {
			t.Errorf("%s has %d lines, and a package comment of %d: say what it is for, its main types, the flow and the invariant, in %d lines or more", name, lines, comment, explained)
		}
	}
}

// meanings are the words of the glossary in docs/architecture.md that were once used for other
// things, too, with the packages in which a type may have that name: it is what the glossary says.
var meanings = map[string][]string{
	"broker":      {"internal/popup", "internal/termask", "internal/transport/httppopup", "internal/transport/mcppopup", "internal/transport/popuprpc"},
	"claim":       {"internal/discovery", "internal/transport/gate"},
	"executor":    {"internal/executor"},
	"gate":        {"internal/transport/gate"},
	"grant":       {"internal/terminals"},
	"instance":    {"internal/ui/variable"},
	"link":        {"internal/term/vt"},
	"operation":   {"internal/terminals"},
	"transaction": {},
	"view":        {"internal/testkit/apphost", "internal/transport/mcpapps", "internal/transport/mcppopup", "internal/transport/mcpview", "internal/transport/relay"},
}

func TestTypesKeepToTheGlossary(t *testing.T) {
	words, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for word := range meanings {
		if !strings.Contains(string(words), "\n| "+word+" | ") {
			t.Errorf("the glossary lacks %s", word)
		}
	}
	for name := range load(t) {
		for _, file := range sources(t, name) {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range f.Decls {
				types, ok := decl.(*ast.GenDecl)
				if !ok || types.Tok != token.TYPE {
					continue
				}
				for _, spec := range types.Specs {
					word := strings.ToLower(spec.(*ast.TypeSpec).Name.Name)
					if in, ok := meanings[word]; ok && !slices.Contains(in, name) {
						t.Errorf("%s has a type named %s: is it what the glossary in docs/architecture.md says? If not, name it by what it has", name, word)
					}
				}
			}
		}
	}
}

// sources returns the files of a package that are not tests.
func sources(t *testing.T, name string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(name, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
}

// pure are the models that decide what happens: a test can replay whatever they have been given.
var pure = []string{"internal/term/core", "internal/popup/core", "internal/term/tty", "internal/term/escape", "internal/term/typed", "internal/term/agents", "internal/term/overlay", "internal/fleet/presence"}

// Pure packages read no clock, set no timer, start no goroutine, have no channel and do no I/O.
func TestPure(t *testing.T) {
	pkgs := load(t)
	impure := []string{"os", "os/exec", "net", "sync", "sync/atomic", "context", "io", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", module + "internal/executor"}
	clock := []string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}
	for _, name := range pure {
		for _, imp := range pkgs[name].imports {
			if slices.Contains(impure, imp) {
				t.Errorf("%s is pure, and must not import %s", name, imp)
			}
		}
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		fset := token.NewFileSet()
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
					t.Errorf("%s is pure, and has a goroutine or a channel", fset.Position(n.Pos()))
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clock, n.Sel.Name) {
						t.Errorf("%s is pure, and must not call time.%s", fset.Position(n.Pos()), n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// Standard output carries MCP messages. Only a command may write to it.
func TestStdout(t *testing.T) {
	for pkg := range load(t) {
		if strings.HasPrefix(pkg, "internal/cli/") || strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "examples/") || pkg == "internal/testkit/mutants" {
			continue
		}
		selections(t, pkg, func(at token.Position, x, name string) {
			if x == "os" && name == "Stdout" || x == "fmt" && strings.HasPrefix(name, "Print") {
				t.Errorf("%s: %s.%s: standard output belongs to MCP", at, x, name)
			}
		})
	}
}

// HTTP is served in one place, which refuses requests of scripts of apps: a server of its own would
// serve them. Requests in package mux are connections, whose own requests that place serves.
func TestOneServer(t *testing.T) {
	for pkg := range load(t) {
		if pkg == "internal/transport/httpserve" || pkg == "internal/transport/mux" || strings.HasPrefix(pkg, "internal/testkit") {
			continue
		}
		selections(t, pkg, func(at token.Position, x, name string) {
			if x == "http" && slices.Contains([]string{"Server", "Serve", "ServeTLS", "ListenAndServe", "ListenAndServeTLS"}, name) && !strings.HasSuffix(at.Filename, "_test.go") {
				t.Errorf("%s: http.%s: use httpserve.Serve", at, name)
			}
		})
	}
}

// judges are the packages that judge characters besides safetext, and why.
var judges = map[string]string{
	"internal/safetext":   "it is what the others use",
	"internal/term/cells": "it cuts joined characters",
	"internal/term/keys":  "it writes keys, and which of them are characters",
	"internal/term/typed": "it follows keys, and which of them are characters",
}

// Text that may come from anyone is made harmless in one place: a second version would let through
// what the first does not.
func TestOneSafetext(t *testing.T) {
	names := map[string][]string{
		"unicode": {"IsControl", "IsPrint", "IsGraphic", "Cc", "Cf", "Bidi_Control", "Other", "C"},
		"strconv": {"IsPrint", "IsGraphic", "QuoteRune", "QuoteToGraphic"},
	}
	for pkg := range load(t) {
		if judges[pkg] != "" || strings.HasPrefix(pkg, "internal/testkit") {
			continue
		}
		selections(t, pkg, func(at token.Position, x, name string) {
			if slices.Contains(names[x], name) && !strings.HasSuffix(at.Filename, "_test.go") {
				t.Errorf("%s: %s.%s: use safetext", at, x, name)
			}
		})
	}
	for pkg := range judges {
		found := false
		selections(t, pkg, func(_ token.Position, x, name string) { found = found || slices.Contains(names[x], name) })
		if !found {
			t.Errorf("%s judges no characters any more", pkg)
		}
	}
}

// openers are the files of the program that open files without package regular, and why none of
// these can be a named pipe or a device that another user has put there.
var openers = map[string]string{
	"internal/regular/regular.go":               "it is what the others use",
	"internal/cli/uimcp/uimcp.go":               "the null device",
	"internal/cli/wsh/environment.go":           "/etc/passwd",
	"internal/cli/wsh/run/run.go":               "a named pipe that it has made",
	"internal/cli/wsh/caller/tty_unix.go":       "the terminal that standard input is",
	"internal/cli/wsh/caller/tty_windows.go":    "the console",
	"internal/cli/wsh/logs.go":                  "in a folder that only the user may write to",
	"internal/cli/instance/dial.go":             "in a folder that only the user may write to",
	"internal/term/record/list.go":              "it looks at the file before and after it opens it",
	"internal/term/record/folder.go":            "it makes new files only",
	"internal/files/files.go":                   "it makes new files only",
	"internal/transport/peer/table_linux.go":    "/proc",
	"internal/cli/footprint/footprint_linux.go": "/proc",
	"internal/term/pty/reading_linux.go":        "/proc",
	"internal/term/pty/list_linux.go":           "/proc",
	"internal/ui/lua/trial.go":                  "the null device",
}

// Opening a named pipe waits until another process opens its other end, so what may be lying in a
// project is opened with package regular.
func TestOpens(t *testing.T) {
	found := map[string]bool{}
	for name := range load(t) {
		if strings.HasPrefix(name, "internal/testkit") || strings.HasPrefix(name, "conformance/") || strings.HasPrefix(name, "examples/") || name == "packaging/build" || name == "internal/packed/pack" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok || !slices.Contains([]string{"Open", "OpenFile", "ReadFile"}, sel.Sel.Name) {
					return true
				}
				var of string
				switch x := sel.X.(type) {
				case *ast.Ident:
					of = x.Name
				case *ast.SelectorExpr:
					of = x.Sel.Name
				}
				if of != "os" && of != "root" {
					return true
				}
				file := filepath.ToSlash(file)
				found[file] = true
				if _, ok := openers[file]; !ok {
					t.Errorf("%s: %s.%s waits for ever if a named pipe is there: use package regular", fset.Position(n.Pos()), of, sel.Sel.Name)
				}
				return true
			})
		}
	}
	for file := range openers {
		if !found[file] {
			t.Errorf("%s opens no files any more: take it off the list", file)
		}
	}
}

// sleepers are the files of tests that may sleep outside of testing/synctest, and why.
var sleepers = map[string]string{
	"bench/term_test.go":                 "benchmarks pace their reads",
	"bench/page_test.go":                 "keys come one by one, as from a person",
	"bench/attach_test.go":               "programs run for a while before they are measured",
	"bench/first_answer_test.go":         "an idle server is measured for a while",
	"bench/shell_test.go":                "an idle server is measured for a while",
	"internal/cli/effect/effect_test.go": "the test binary is also a program that sleeps",
}

// Tests wait for conditions: time.Sleep belongs into the bubbles of testing/synctest. Where it is
// the time on the clock that decides, wait.Pause says so.
func TestNoSleeps(t *testing.T) {
	after := regexp.MustCompile(`(?m)^\s*<-time\.After\(`)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") || path == "arch_test.go" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		inBubble := strings.Contains(text, "synctest") || strings.Contains(text, "bubble(")
		if _, ok := sleepers[filepath.ToSlash(path)]; (strings.Contains(text, "time.Sleep(") || after.MatchString(text)) && !inBubble && !ok {
			t.Errorf("%s sleeps: wait for a condition, or use testing/synctest, or wait.Pause", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// No package compiles a regular expression or parses a template when it is initialized: each
// process would pay for all of them, also one that only prints its version. sync.OnceValue does it
// when it is first needed.
func TestNothingIsCompiledEarly(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(filepath.ToSlash(path), "internal/testkit/") {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			vars, ok := decl.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			ast.Inspect(vars, func(n ast.Node) bool {
				seen++
				if called, ok := n.(*ast.SelectorExpr); ok {
					if of, ok := called.X.(*ast.Ident); ok && (of.Name == "regexp" && called.Sel.Name == "MustCompile" || of.Name == "template" && called.Sel.Name == "Must") {
						t.Errorf("%s: use sync.OnceValue", fset.Position(n.Pos()))
					}
				}
				_, later := n.(*ast.FuncLit)
				return !later
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Error("no variables were found")
	}
}
