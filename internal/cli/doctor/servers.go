package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"

	uimcp "ui-mcp"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/install"
	"ui-mcp/internal/listen"
)

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// running is what the folder of the user's servers is for.
const running = "running servers"

// folder examines who can use the folder of servers.
func (e *examination) folder() {
	dir, err := discovery.Dir(e.Vars)
	if err != nil {
		e.add(Problem, "folder", "Set HOME.", "%v", err)
		return
	}
	if !exists(dir) {
		if err := makeable(dir); err != nil {
			e.add(Problem, "folder", "Make the first folder of that path that is missing, or set another one: XDG_RUNTIME_DIR, XDG_CACHE_HOME or HOME.", "%s: %s cannot be made: %v", running, dir, err)
			return
		}
		e.add(OK, "folder", "", "%s: %s is made when one starts", running, dir)
	} else if _, err := discovery.Open(e.Vars, e.quiet); err != nil {
		e.add(Problem, "folder", "Servers refuse it. Remove it, or: chmod go= "+dir, "%s: %v", running, err)
	} else {
		e.add(OK, "folder", "", "%s: only you can use %s", running, dir)
	}
}

func (e *examination) servers(ctx context.Context) {
	before := len(e.checks)
	dir, err := discovery.Dir(e.Vars)
	if err != nil {
		return // reported
	}
	unknown := false
	if exists(dir) {
		_, err := discovery.Open(e.Vars, e.quiet)
		unknown = err != nil
	}
	for _, s := range discovery.Look(e.Vars) {
		if s.Token != "" {
			e.app(ctx, s)
		}
		if s.Socket != "" {
			e.terminal(ctx, s)
		}
	}
	switch {
	case unknown:
		e.add(Note, "server", "Look again when the problem with the folder is solved.", "whether others run is unknown")
	case len(e.checks) == before:
		e.add(OK, "server", "", "none runs")
	}
}

func (e *examination) app(ctx context.Context, s discovery.Server) {
	what := fmt.Sprintf("ui-mcp, process %d", s.PID)
	if s.Address == "" {
		e.add(OK, "server", "", "%s, displays no app yet", what)
		return
	}
	if s.Dir != "" {
		what += fmt.Sprintf(", shows %s at http://%s, and", s.Dir, s.Pages)
	}
	what += fmt.Sprintf(" serves agents at http://%s", s.Address)
	var answer struct {
		Result struct {
			Version string `json:"version"`
		} `json:"result"`
	}
	err := ask(ctx, http.MethodPost, "http://"+s.Address+"/mcp", s.Token, `{"jsonrpc":"2.0","id":1,"method":"healthCheck"}`, nil, &answer)
	bundled, _ := install.Version(uimcp.Readme) // a test of the module excludes errors
	e.answered(what, answer.Result.Version, bundled, fmt.Sprintf("End it: kill %d. The client that started it starts another one.", s.PID), err)
}

// terminal examines a server of terminals, or a program that has sessions beside other tasks.
func (e *examination) terminal(ctx context.Context, s discovery.Server) {
	name, what := s.Name, fmt.Sprintf("terminals %q, process %d", s.Name, s.PID)
	if s.Address != "" && s.Token == "" {
		what += ", at http://" + s.Address
	}
	var answer struct {
		Version string `json:"version"`
	}
	get := func(path string, answer any) error {
		dial := func(context.Context, string, string) (net.Conn, error) { return listen.Dial(s.Socket) }
		return ask(ctx, http.MethodGet, "http://localhost"+path, "", "", dial, answer)
	}
	err := get("/server/info", &answer)
	e.answered(what, answer.Version, e.Version, fmt.Sprintf("End it, with its sessions: kill %d", s.PID), err)
	if err != nil {
		return
	}
	var others []json.RawMessage
	if get("/servers", &others) != nil || len(others) == 0 { // programs with sessions beside other tasks know none
		return
	}
	list := "wsh servers"
	if name != "default" {
		list += " -L " + name
	}
	e.add(Note, "other servers", fmt.Sprintf("%q says whether they answer.", list), "the terminals %q know %d on other machines, which were not examined", name, len(others))
}

// answered adds what a server has answered, or why it has not. own is the version that it would
// have if it were this program.
func (e *examination) answered(what, server, own, do string, err error) {
	own = version.Number(own)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.add(Problem, "server", "If it was stopped, as by Ctrl-Z, kill -CONT lets it go on. "+do, "%s, does not answer within %v", what, answerTime)
	case err != nil:
		e.add(Problem, "server", do, "%s, does not answer: %v", what, err)
	case version.Number(server) != own:
		e.add(Note, "server", "Restart it to have the same version everywhere.", "%s, has version %s, and this is %s", what, server, own)
	default:
		e.add(OK, "server", "", "%s, version %s", what, server)
	}
}

// maxAnswer bounds the answer of a server, in bytes.
const maxAnswer = 1 << 20

// ask sends a request, over connections that dial makes, or to its address, and reads the JSON of
// the answer.
func ask(ctx context.Context, method, url, token, body string, dial func(ctx context.Context, network, address string) (net.Conn, error), answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	transport := &http.Transport{DialContext: dial} // without a proxy: the servers are on this machine
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport, Timeout: answerTime}).Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered %s", res.Status)
	}
	return json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(answer)
}
