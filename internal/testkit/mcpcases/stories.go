package mcpcases

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/wait"
)

// exceeds runs a command that takes longer than the call waits.
func exceeds(t *testing.T, a *agent, session string) {
	do[any](t, a, session, "run_command", `{"input":"true"}`) // the shell prompts
	var o outcome
	wait.Until(t, "the line is typed in time", func() bool { // not always on a busy machine
		o = a.call(t, "run_command", session, `{"input":"sleep 60","max_wait_ms":300,"timeout_ms":200000}`)
		return !strings.Contains(o.text, "was not typed")
	})
	a.check(t, "run_command", fails+`"state":"running"`, "", o)
	a.check(t, "run_command", fails+`"screen":`, "", o)
}

// blocks waits for silence twice.
func blocks(t *testing.T, a *agent, session string) {
	type quiet struct{ Generation uint64 }
	before := do[quiet](t, a, session, "await_quiesce", `{"timeout_ms":50}`).Generation
	again := fmt.Sprintf(`{"timeout_ms":50,"last_generation":%d`, before)
	a.check(t, "await_quiesce", fails, "", a.call(t, "await_quiesce", session, again+`,"max_wait_ms":200}`))
	do[any](t, a, session, "send_input", `{"input":"x"}`)
	if after := do[quiet](t, a, session, "await_quiesce", again+`}`).Generation; after <= before {
		t.Errorf("generation %d after %d", after, before)
	}
}

func concurrent(t *testing.T, a *agent, session string) {
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			o := a.call(t, "run_command", session, fmt.Sprintf(`{"input":"echo answer-$((%d+100))"}`, i))
			if o.err != nil || o.failed || !strings.Contains(o.text, fmt.Sprintf("answer-%d", i+100)) {
				t.Errorf("call %d: %+v", i, o)
			}
		})
	}
	calls.Wait()
}

var promptNames = strings.Fields("wsh:agent-orchestration wsh:core wsh:drive-process wsh:generative-ui wsh:input-capture wsh:monitor wsh:multi-session wsh:tui wsh:visual-feedback")

func (a *agent) prompt(t *testing.T, name string) string {
	t.Helper()
	res, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return res.Messages[0].Content.(*mcp.TextContent).Text
}

var promptCases = []testCase{
	{name: "List prompts → all 9 returned with correct names", command: "none", run: func(t *testing.T, a *agent, _ string) {
		list, err := a.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range list.Prompts {
			names = append(names, p.Name)
		}
		if fmt.Sprint(names) != fmt.Sprint(promptNames) {
			t.Errorf("%q, want %q", names, promptNames)
		}
	}},
	{name: "Get each prompt → non-empty markdown content", command: "none", run: func(t *testing.T, a *agent, _ string) {
		for _, name := range promptNames {
			if text := a.prompt(t, name); !strings.HasPrefix(text, "# ") {
				t.Errorf("%s: %.100q", name, text)
			}
		}
	}},
	{name: "`wsh:core` contains MCP tool names, not curl", command: "none", run: func(t *testing.T, a *agent, _ string) {
		if text := a.prompt(t, "wsh:core"); !strings.Contains(text, "wsh_run_command") || strings.Contains(text, "curl") {
			t.Error(text)
		}
	}},
}

// beyond are cases that the specification does not name.
var beyond = append([]testCase{
	{name: "Of a long output head and tail are returned, and the scrollback has the lines between", run: func(t *testing.T, a *agent, session string) {
		type ran struct {
			Output  string
			Omitted struct{ From, Before uint64 }
		}
		type page struct{ Lines []string }
		r := do[ran](t, a, session, "run_command", `{"input":"seq 9000"}`)
		head, tail, cut := strings.Cut(r.Output, "[…]\n")
		if !cut {
			t.Fatalf("nothing is omitted of %d bytes", len(r.Output))
		}
		var got, want strings.Builder
		got.WriteString(head)
		for from := r.Omitted.From; from < r.Omitted.Before; {
			lines := do[page](t, a, session, "get_scrollback", fmt.Sprintf(`{"from":%d,"limit":%d,"format":"plain"}`, from, min(500, r.Omitted.Before-from))).Lines
			if len(lines) == 0 {
				t.Fatalf("no line %d", from)
			}
			got.WriteString(strings.Join(lines, "\n") + "\n")
			from += uint64(len(lines))
		}
		got.WriteString(tail)
		for i := range 9000 {
			fmt.Fprintln(&want, i+1)
		}
		if got.String() != want.String() {
			t.Errorf("%d bytes of %d", got.Len(), want.Len())
		}
	}},
}, noticeCases...)
