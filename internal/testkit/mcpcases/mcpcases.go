// Package mcpcases has the cases that terminals must pass over MCP, whichever the transport: real
// programs in real sessions. A test connects a client and runs them all.
package mcpcases

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Case is one behaviour, named as in the specification.
type Case struct {
	Section, Name string
	run           func(t *testing.T, a *agent)
}

// Run runs all cases as subtests, with one client of one server. The client may do everything, and
// was made with the options of n.
func Run(t *testing.T, client *mcp.ClientSession, n *Notices) {
	a := &agent{client, n}
	reports := a.startWait(t) // it takes some seconds
	for _, section := range sections {
		t.Run(section.name, func(t *testing.T) {
			for _, c := range section.cases {
				t.Run(c.Name, func(t *testing.T) { c.run(t, a) })
			}
		})
	}
	t.Run("A wait reports progress", reports)
}

type section struct {
	name  string
	cases []Case
}

// An agent calls tools.
type agent struct {
	*mcp.ClientSession
	notices *Notices
}

// object is a JSON object; numbers are float64.
type object = map[string]any

// try calls a tool. It returns the text of the result, and whether it is an error.
func (a *agent) try(t *testing.T, tool string, args object) (text string, isError bool, err error) {
	t.Helper()
	res, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return "", false, err
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError, nil
}

// call calls a tool that must succeed, and decodes its result into v, unless nil.
func (a *agent) call(t *testing.T, tool string, args object, v any) {
	t.Helper()
	text, isError, err := a.try(t, tool, args)
	if err != nil || isError {
		t.Fatalf("%s %v: %s, %v", tool, args, text, err)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s %v: %s: %v", tool, args, text, err)
	}
}

// refused calls a tool with bad parameters.
func (a *agent) refused(t *testing.T, tool string, args object) {
	t.Helper()
	text, _, err := a.try(t, tool, args)
	if codeOf(err) != jsonrpc.CodeInvalidParams {
		t.Errorf("%s %v: %s, %v; want invalid params", tool, args, text, err)
	}
}

// fails calls a tool that must fail with a result that is an error, and returns its text.
func (a *agent) fails(t *testing.T, tool string, args object) string {
	t.Helper()
	text, isError, err := a.try(t, tool, args)
	if err != nil || !isError {
		t.Errorf("%s %v: %s, %v; want a result that is an error", tool, args, text, err)
	}
	return text
}

func codeOf(err error) int64 {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e.Code
	}
	return 0
}

var names atomic.Int64

// session creates a session of a shell, which ends with the test, and returns its name.
func (a *agent) session(t *testing.T) string {
	t.Helper()
	return a.sessionOf(t, "bash --norc --noprofile")
}

func (a *agent) sessionOf(t *testing.T, command string) string {
	t.Helper()
	name := fmt.Sprintf("case-%d", names.Add(1))
	a.call(t, "wsh_create_session", object{"name": name, "command": command}, nil)
	t.Cleanup(func() { a.kill(name) })
	return name
}

// kill removes a session, if it is still there.
func (a *agent) kill(name string) {
	// The test's own context has ended.
	_, _ = a.CallTool(background, &mcp.CallToolParams{Name: "wsh_manage_session", Arguments: object{"session": name, "action": "kill"}})
}

// A screen is a program's screen in the plain format.
type screen struct {
	Lines  []string
	Cursor struct{ Row, Col int }
	Rows   int
	Cols   int
	Mode   string
}

func (s screen) text() string { return strings.Join(s.Lines, "\n") }

// A ran is the result of wsh_run_command in the plain format.
type ran struct {
	Screen     screen
	Generation uint64
	State      string
	ExitCode   *int `json:"exit_code"`
	Output     string
	Omitted    *struct{ From, Before uint64 }
	Error      string
}

func (a *agent) run(t *testing.T, session, input string) (r ran) {
	t.Helper()
	a.call(t, "wsh_run_command", object{"session": session, "input": input, "format": "plain"}, &r)
	return r
}

func (a *agent) screen(t *testing.T, session string) (s screen) {
	t.Helper()
	a.call(t, "wsh_get_screen", object{"session": session, "format": "plain"}, &s)
	return s
}

func (a *agent) await(t *testing.T, session, text string) {
	t.Helper()
	a.call(t, "wsh_await_quiesce", object{"session": session, "wait_for": text}, nil)
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	g, _ := json.Marshal(got) // both are JSON
	w, _ := json.Marshal(want)
	if string(g) != string(w) {
		t.Errorf("%s: %s, want %s", what, g, w)
	}
}

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("no %q in %.2000s", part, text)
	}
}
