package uimcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
)

// maxAnswer bounds what is read of one answer, in bytes: 10,000 events of a
// kilobyte each are less.
const maxAnswer = 64 << 20

var (
	// errAway says that no server answers: none has been started, or it has ended.
	errAway = errors.New("no server answers")
	// errEnded is an errAway of a server that was there when it was asked.
	errEnded = fmt.Errorf("%w any more", errAway)
)

// A door is the agent's HTTP door of the server that runs on a base directory,
// found by the file mcp-port there. It is not safe for concurrent use.
type door struct {
	dir    string
	client *http.Client
}

func openDoor(dir string) *door {
	// A proxy has nothing to do with this machine.
	return &door{dir: dir, client: &http.Client{Transport: &http.Transport{}}}
}

func (d *door) close() { d.client.CloseIdleConnections() }

// port reads the port file.
func (d *door) port() (port, error) {
	file := filepath.Join(d.dir, "mcp-port")
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return 0, fmt.Errorf("%w: there is no %s", errAway, file)
	}
	if err != nil {
		return 0, err
	}
	var p port
	if err := p.UnmarshalText([]byte(strings.TrimSpace(string(text)))); err != nil || p == 0 {
		return 0, fault.New(fault.Precondition, "%s holds %q, which is no port", file, text)
	}
	return p, nil
}

// An answer is what came back for a request.
type answer struct {
	status int
	body   []byte
}

// get asks for a path at the server's door. Errors that wrap errAway mean that there
// is nobody who could answer.
func (d *door) get(ctx context.Context, path string, query url.Values) (answer, error) {
	p, err := d.port()
	if err != nil {
		return answer{}, err
	}
	u := url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(int(p)), Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := d.client.Do(req)
	if err != nil {
		return answer{}, d.lost(ctx, p, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return answer{}, d.lost(ctx, p, err)
	case len(body) > maxAnswer:
		return answer{}, fault.New(fault.Exhausted, "the server's answer is longer than %d MiB", maxAnswer>>20)
	}
	return answer{res.StatusCode, body}, nil
}

// lost makes an error of a connection that failed.
func (d *door) lost(ctx context.Context, p port, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	away := errEnded
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		away = errAway
	}
	return fmt.Errorf("%w at port %d: %w", away, p, err)
}

// refusal is the error that the server has answered with.
func (a answer) refusal() error {
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(a.body, &said) != nil || said.Error == "" {
		return fault.New(fault.Precondition, "the server answered %d %s", a.status, http.StatusText(a.status))
	}
	return fault.New(fault.Precondition, "the server answered: %s", said.Error)
}

// ends reports whether the server is about to end, or to start anew: it answers, but what
// it serves is closed.
func (a answer) ends() bool {
	return a.status == http.StatusGone || a.status == http.StatusConflict || a.status == http.StatusServiceUnavailable
}

// print asks for a path once and writes the answer.
func (d *door) print(ctx context.Context, out io.Writer, path string, query url.Values) error {
	a, err := d.get(ctx, path, query)
	switch {
	case errors.Is(err, errAway):
		return notRunning(err)
	case err != nil:
		return err
	case a.status != http.StatusOK:
		return a.refusal()
	}
	_, err = fmt.Fprintf(out, "%s\n", strings.TrimRight(string(a.body), "\n"))
	return err
}

// notRunning tells what to do about a server that does not answer.
func notRunning(err error) error {
	return fault.New(fault.Precondition, "%v: start one with the tool ui_start, or with ui-mcp serve", err)
}
