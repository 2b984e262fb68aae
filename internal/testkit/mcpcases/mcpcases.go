// Package mcpcases has the cases that terminals must pass over MCP, whichever the transport: real
// programs in real sessions. A test connects a client and runs them all.
package mcpcases

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/opcases"
)

// A section is a heading of the specification with its cases.
type section struct {
	name  string
	cases []testCase
}

// A testCase is one behaviour, named as in the specification. It has a session of its own, which
// ends with it and whose name stands for @ in the steps; other names begin with it.
type testCase struct {
	name    string
	command string // of the session; "": a shell; "none": no session
	steps   []step
	run     func(t *testing.T, a *agent, session string) // after the steps, unless nil
}

// A step is a call of a tool, whose name begins with wsh_, or "read" and the URI of a resource. Its
// arguments name the case's session if they name none.
type step struct{ tool, args, want string }

// What a step wants is JSON that the answer must contain (see [opcases.Diff]), or one of these,
// which a text may follow that the answer must contain. "" is success.
const (
	refused = "refused"   // an error of the protocol, for bad parameters
	fails   = "fails "    // a result that is an error
	has     = "has "      // success
	lacks   = "lacks "    // success without the text
	same    = "as before" // the answer of the step before
)

// Run runs all cases as subtests, with one client of one server. The client may do everything, and
// was made with the options of n.
func Run(t *testing.T, client *mcp.ClientSession, n *Notices) {
	a := &agent{client, n}
	reports := a.startWait(t) // it takes some seconds
	number := 0
	for _, section := range sections {
		t.Run(section.name, func(t *testing.T) {
			for _, c := range section.cases {
				number++
				t.Run(c.name, func(t *testing.T) { a.try(t, c, fmt.Sprintf("case-%d-", number)) })
			}
		})
	}
	t.Run("A wait reports progress", reports)
}

// An agent calls tools.
type agent struct {
	*mcp.ClientSession
	notices *Notices
}

func (a *agent) try(t *testing.T, c testCase, session string) {
	if c.command != "none" {
		a.create(t, session, c.command)
	}
	t.Cleanup(func() { a.killAll(session) })
	answer := ""
	for _, s := range c.steps {
		args, want := strings.ReplaceAll(s.args, "@", session), strings.ReplaceAll(s.want, "@", session)
		before := answer
		if s.tool == "read" {
			answer = a.check(t, "read "+args, want, before, a.read(t, args))
		} else {
			answer = a.check(t, s.tool+" "+args, want, before, a.call(t, s.tool, session, args))
		}
	}
	if c.run != nil {
		c.run(t, a, session)
	}
}

// An outcome is what came of a call.
type outcome struct {
	text   string
	failed bool // it is a result that is an error
	err    error
}

// check compares an outcome with what is wanted, and returns its text.
func (a *agent) check(t *testing.T, what, want, before string, o outcome) string {
	t.Helper()
	text, failing := strings.CutPrefix(want, fails)
	part, having := strings.CutPrefix(text, has)
	gone, lacking := strings.CutPrefix(text, lacks)
	differs := ""
	switch {
	case want == refused:
		if testkit.CodeOf(o.err) != jsonrpc.CodeInvalidParams {
			differs = "want invalid params"
		}
		o.err = nil
	case failing:
		o.failed, having, part = !o.failed, true, text
	case want == same:
		want = before
	}
	switch {
	case o.err != nil || o.failed:
		t.Fatalf("%s: %s, %v; want %s", what, o.text, o.err, want)
	case having && !strings.Contains(o.text, part), lacking && strings.Contains(o.text, gone):
		differs = "want: " + want
	case strings.HasPrefix(want, "{") || strings.HasPrefix(want, "["):
		differs = opcases.Diff(want, o.text)
	}
	if differs != "" {
		t.Errorf("%s: %.2000s: %s", what, o.text, differs)
	}
	return o.text
}

// call calls a tool with arguments in JSON. They name the session unless they name another.
func (a *agent) call(t *testing.T, tool, session, args string) outcome {
	t.Helper()
	if !strings.Contains(args, `"session":`) && tool != "create_session" && tool != "list_sessions" {
		args = strings.Replace(`{"session":"`+session+`",`+args[1:], ",}", "}", 1)
	}
	res, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "wsh_" + tool, Arguments: json.RawMessage(args)})
	if err != nil {
		return outcome{err: err}
	}
	return outcome{text: res.Content[0].(*mcp.TextContent).Text, failed: res.IsError}
}

func (a *agent) read(t *testing.T, uri string) outcome {
	res, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return outcome{err: err}
	}
	return outcome{text: res.Contents[0].Text}
}

// do calls a tool, which must succeed, and decodes its answer.
func do[T any](t *testing.T, a *agent, session, tool, args string) (answer T) {
	t.Helper()
	text := a.check(t, tool+" "+args, "", "", a.call(t, tool, session, args))
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return answer
}

// create creates a session; without a command, of a shell.
func (a *agent) create(t *testing.T, name, command string) {
	t.Helper()
	if command == "" {
		command = "bash --norc --noprofile"
	}
	args := fault.Must(json.Marshal(map[string]string{"name": name, "command": command}))
	do[any](t, a, name, "create_session", string(args))
}

// killAll removes the sessions whose names begin so. The test's own context has ended.
func (a *agent) killAll(prefix string) {
	for _, end := range []string{"", "b", "c", "new"} { // one that is not there is no fault
		args := map[string]string{"session": prefix + end, "action": "kill"}
		_, _ = a.CallTool(context.Background(), &mcp.CallToolParams{Name: "wsh_manage_session", Arguments: args})
	}
}
