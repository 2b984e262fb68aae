package uimcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/httpserve"
)

const bashPrompt = `{"session_id":"s1","cwd":"/","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"make"}],"behavior":"allow","destination":"session"}]}`

const agentQuestion = `{"cwd":"/","hook_event_name":"EVENT","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which?","header":"DB","options":[{"label":"A"},{"label":"B"}]}]}}`

// hook runs the command for a server in a folder.
func hook(ctx context.Context, dir, input string, flags ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = Run(ctx, "0", append([]string{"hook", "--dir", dir}, flags...), commandline.Streams{In: strings.NewReader(input), Out: &o, Err: &e})
	return status, strings.TrimSuffix(o.String(), "\n"), e.String()
}

// What the person decides reaches the client, and nothing else does: then the client goes on by
// itself.
func TestHook(t *testing.T) {
	chosen := func(values ...string) question.Reply { return question.Reply{Action: question.Submit, Values: values} }
	ask := func(event string) string { return strings.Replace(agentQuestion, "EVENT", event, 1) }
	for name, tt := range map[string]struct {
		input  string
		reply  question.Reply
		out    string
		status int
	}{
		"allow":           {bashPrompt, chosen("allow"), `{"hookSpecificOutput":{"decision":{"behavior":"allow"},"hookEventName":"PermissionRequest"}}`, 0},
		"always":          {bashPrompt, chosen("always"), `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"make"}],"behavior":"allow","destination":"session"}]},"hookEventName":"PermissionRequest"}}`, 0},
		"deny":            {bashPrompt, chosen("deny"), `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"The person does not allow this."},"hookEventName":"PermissionRequest"}}`, 0},
		"put away":        {bashPrompt, question.Reply{Action: question.Dismiss}, "", 0},
		"a question":      {ask("PermissionRequest"), chosen("B"), `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"answers":{"Which?":"B"},"questions":[{"header":"DB","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]}},"hookEventName":"PermissionRequest"}}`, 0},
		"before its tool": {ask("PreToolUse"), chosen("B"), `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"answers":{"Which?":"B"},"questions":[{"header":"DB","options":[{"label":"A"},{"label":"B"}],"question":"Which?"}]}}}`, 0},
		"refused":         {ask("PermissionRequest"), question.Reply{Action: question.Decline}, "", 0},
		"other hooks":     {`{"cwd":"/","hook_event_name":"Stop"}`, chosen("allow"), "", 0},
		"no JSON":         {`{`, chosen("allow"), "", commandline.ExitFailure},
	} {
		t.Run(name, func(t *testing.T) {
			dir, _ := servePerson(t, popup.Options{Workspaces: []string{"/"}}, tt.reply)
			if status, out, errs := hook(t.Context(), dir, tt.input); status != tt.status || out != tt.out || (errs != "") != (status != 0) {
				t.Errorf("status %d, output %s, errors %q", status, out, errs)
			}
		})
	}
	if status, out, errs := hook(t.Context(), t.TempDir(), bashPrompt); status != 0 || out+errs != "" {
		t.Errorf("without a server: status %d, output %q, errors %q", status, out, errs)
	}
}

// A project's server is asked on its socket while it has no port. If nobody is there, if it is an
// older one, or if another server was chosen, the client goes on by itself.
func TestHookOnSocket(t *testing.T) {
	run := testkit.ShortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", run)
	home := t.TempDir()
	dir := filepath.Join(home, ".claude", "ui")
	prompt := strings.Replace(bashPrompt, `"cwd":"/"`, fmt.Sprintf(`"cwd":%q`, home), 1)
	silent := func(who string) {
		t.Helper()
		if status, out, errs := hook(t.Context(), dir, prompt); status != 0 || out+errs != "" {
			t.Errorf("%s: status %d, output %q, errors %q", who, status, out, errs)
		}
	}
	folder, err := instance.Open(os.Environ(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	older, err := folder.Registry.Claim(discovery.ProjectName(dir), "")
	if err != nil {
		t.Fatal(err)
	}
	l, err := older.Listen()
	if err != nil {
		t.Fatal(err)
	}
	served := httpserve.Serve(l, http.NotFoundHandler(), httpserve.Options{Log: quiet})
	silent("an older server")
	if err := errors.Join(served.Close(t.Context()), older.Release()); err != nil {
		t.Fatal(err)
	}

	p, err := newProgram(appConfig{Dir: dir, env: env{version: "0"}, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	j, err := p.share(folder)
	if err != nil {
		p.Close()
		t.Fatal(err)
	}
	defer j.close()
	silent("nobody")
	person := persons.NewPage().Be(core.Attended)
	person.Answers(p.popups.broker, persons.Chosen("deny"))
	p.popups.broker.AddChannel(person)
	const denied = `{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"The person does not allow this."},"hookEventName":"PermissionRequest"}}`
	if status, out, errs := hook(t.Context(), dir, prompt); status != 0 || out != denied || errs != "" {
		t.Errorf("status %d, output %s, errors %q", status, out, errs)
	}
	if status, out, errs := hook(t.Context(), dir, prompt, "--mcp-port", "1"); status != 0 || out+errs != "" {
		t.Errorf("another server was chosen: status %d, output %s, errors %q", status, out, errs)
	}
}

// Nobody but the person's own server decides: not what a port file leads to, which a project may
// bring along, and no server that would display a question without what it quotes.
func TestHookAsksNobodyElse(t *testing.T) {
	for name, registered := range map[string]bool{"a port file": false, "an older server": true} {
		t.Run(name, func(t *testing.T) {
			asked := false
			f := &fakeServer{Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = true
				body, _ := io.ReadAll(r.Body)
				if w.Header().Set("Content-Type", "application/json"); strings.Contains(string(body), `"triggerPopup"`) {
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"ask","result":{"selectedValue":"allow","source":"option","outcome":"answered"}}`)
					return
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"ask","error":{"code":-32601,"message":"method not found"}}`)
			})), dir: t.TempDir()}
			t.Cleanup(f.Close)
			f.write(t, "mcp-port")
			if registered {
				f.register(t)
			}
			if status, out, errs := hook(t.Context(), f.dir, bashPrompt); status != 0 || out+errs != "" || asked != registered {
				t.Errorf("status %d, output %q, errors %q, asked: %v", status, out, errs, asked)
			}
		})
	}
}

// What is answered in the client, or given up there, is withdrawn here.
func TestHookAnsweredInClient(t *testing.T) {
	config := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", config)
	if err := os.Mkdir(filepath.Join(config, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	state := func(status string) {
		text := fmt.Sprintf(`{"sessionId":"s1","status":%q}`, status)
		if err := os.WriteFile(filepath.Join(config, "sessions", "1.json"), []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	for name, end := range map[string]func(over <-chan struct{}, stop func(error)){
		"answered": func(over <-chan struct{}, _ func(error)) {
			for i := 0; ; i++ { // the command sees each for long enough, sooner or later
				state([]string{"waiting", "busy"}[i%2])
				select {
				case <-over:
					return
				case <-time.After(2 * lookEvery):
				}
			}
		},
		"given up": func(_ <-chan struct{}, stop func(error)) { stop(errors.New("terminated signal received")) },
	} {
		t.Run(name, func(t *testing.T) {
			state("busy")
			dir, p := servePerson(t, popup.Options{Workspaces: []string{"/"}}, question.Reply{})
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			over := make(chan struct{})
			go func() {
				defer close(over)
				if status, out, errs := hook(ctx, dir, bashPrompt); status != 0 || out+errs != "" {
					t.Errorf("status %d, output %q, errors %q", status, out, errs)
				}
			}()
			asked := <-p.Page.Asked
			end(over, stop)
			<-over
			if a := persons.Outcome(t, p.Broker, asked.ID); a.Outcome != question.Withdrawn {
				t.Errorf("answer %+v", a)
			}
		})
	}
}

// An agent that no longer waits for the person works only if its client says so: they may have
// pressed Esc.
func TestHookInterruptedInClient(t *testing.T) {
	for status, want := range map[string]agents.State{"busy": agents.Working, "idle": "", "": ""} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan agents.State, 1)
		go watch(ctx, "s1", dir, func(does agents.State) { over <- does })
		for i := 0; len(over) == 0; i++ { // it sees each for long enough, sooner or later
			text := fmt.Sprintf(`{"sessionId":"s1","status":%q}`, []string{"waiting", status}[i%2])
			if err := os.WriteFile(filepath.Join(dir, "1.json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			wait.Pause(2 * lookEvery)
		}
		if got := <-over; got != want {
			t.Errorf("%q: %q, want %q", status, got, want)
		}
		cancel()
	}
}

// An event wakes the agent, so often in a row, and only while a page displays something.
func TestHookWakes(t *testing.T) {
	cache(t)
	f := serveFake(t, t.TempDir(), events(`{"x":1}`), nothing, events(`{"x":1}`), events(`[{"event":"send"}]`), events(`{"x":1}`), events(`[{"event":"send"}]`), events(`null`))
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	claim := newClaim(quiet)
	defer claim.Release()
	watch := func(open bool) {
		claim.Announce(func(s *discovery.Server) { s.Dir, s.Address, s.Watched = f.dir, u.Host, open })
		wait.Until(t, "the page", func() bool {
			s, err := serverFlags{dirFlag: dirFlag{f.dir}}.client(0).one(io.Discard)
			return err == nil && s.Watched == open
		})
	}
	const woken = `{"decision":"block","reason":"Events of the app of ui-mcp, one a line, as ui-mcp event prints them:\n{\"event\":\"send\"}\n"}`
	for i, tt := range []struct {
		open bool
		by   string
		want string
	}{
		{false, "false", ""}, {true, "false", woken}, {true, "true", woken}, {true, "true", ""}, {true, "false", ""},
	} {
		watch(tt.open)
		status, out, errs := hook(t.Context(), f.dir, `{"session_id":"s","cwd":"/","hook_event_name":"Stop","stop_hook_active":`+tt.by+`}`, "--wake", "2")
		if status != 0 || out != tt.want || errs != "" {
			t.Errorf("%d: status %d, output %s, errors %q", i, status, out, errs)
		}
	}
}

// What a hook says of its agent: a notification that the agent is idle comes a minute late, and the
// end of the turn has said it.
func TestHookSaysWhatAgentDoes(t *testing.T) {
	for input, want := range map[string]agents.State{
		`{"hook_event_name":"UserPromptSubmit"}`:                                  agents.Working,
		`{"hook_event_name":"BeforeAgent"}`:                                       agents.Working,
		`{"hook_event_name":"PermissionRequest"}`:                                 agents.Asks,
		`{"hook_event_name":"Notification","notification_type":"ToolPermission"}`: agents.Asks,
		`{"hook_event_name":"Notification","notification_type":"idle_prompt"}`:    "",
		`{"hook_event_name":"Stop"}`:                                              agents.Idle,
		`{"hook_event_name":"AfterAgent"}`:                                        agents.Idle,
		`{"hook_event_name":"PreToolUse"}`:                                        "",
	} {
		var in hookInput
		if err := json.Unmarshal([]byte(input), &in); err != nil || in.does() != want {
			t.Errorf("%s: %q, %v, want %q", input, in.does(), err, want)
		}
	}
}
