package mcpterm_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpterm"
)

// A strict permission records what it is asked, and refuses what contains "refuse".
type strict struct {
	mu    sync.Mutex // guards the fields below
	asked []string
	about []string
}

// Ask implements [mcpterm.Permission].
func (s *strict) Ask(_ context.Context, about []byte, _, _, quoted string, _ ...popup.Channel) (*mcpserver.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked, s.about = append(s.asked, quoted), append(s.about, string(about))
	if strings.Contains(quoted, "refuse") {
		return nil, fault.New(fault.Precondition, "the person refused this")
	}
	return nil, nil
}

// Answer implements [mcpterm.Permission].
func (s *strict) Answer(string, question.Reply, string) error { return nil }

// taken returns the lines that were asked about since the last call.
func (s *strict) taken(t *testing.T) (lines []string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, message := range s.asked {
		lines = append(lines, strings.Split(strings.TrimSuffix(message, "\n"), "\n")...)
	}
	s.asked = nil
	return lines
}

func confirming(t *testing.T, of terminals.Terminals, p mcpterm.Permission) *mcp.ClientSession {
	t.Helper()
	return connectTo(t, mcpterm.New(mcpterm.Options{
		Terminals: of, Grant: func(context.Context) terminals.Grant { return terminals.Everything },
		Confirm: regexp.MustCompile(`\brm\b`), Permission: p,
	}))
}

// An answer is for exactly what would be entered, and where: calls that look the same in a question
// are about different things.
func TestConfirmIsAboutAll(t *testing.T) {
	r, p := &recorder{answers: map[string]string{"session.get": `{"id":"@1","name":"a"}`}}, &strict{}
	c := confirming(t, r, p)
	long := "rm " + strings.Repeat("x", 2000)
	many := strings.Repeat("rm x\\r", 30)
	for _, args := range []string{`{"session":"a","input":"` + long + `a\r"}`, `{"session":"a","input":"` + long + `b\r"}`,
		`{"session":"a","input":"` + many + `rm y\r"}`, `{"session":"a","input":"` + many + `rm z\r"}`} {
		mustCall(t, c, "wsh_send_input", args)
	}
	mustCall(t, c, "wsh_send_input", `{"session":"a","input":"rm x\r"}`)
	r.answers["session.get"] = `{"id":"@2","name":"a"}` // another session has the name now
	mustCall(t, c, "wsh_send_input", `{"session":"a","input":"rm x\r"}`)
	for _, args := range []string{`{"command":"rm x"}`, `{"command":"rm x","cwd":"/"}`, `{"command":"rm x","env":{"PATH":"/x"}}`} {
		mustCall(t, c, "wsh_create_session", args)
	}
	if all := slices.Compact(slices.Sorted(slices.Values(p.about))); len(all) != 9 {
		t.Errorf("9 different calls are about %d things", len(all))
	}
}

// Nobody is asked about the line that a program reads as a secret, and the person is asked about
// what follows it, and about a line that no program asks for.
func TestConfirmSecret(t *testing.T) {
	notAsked := fault.With(term.NotAsked, fault.New(fault.Precondition, "no program asks"))
	for name, tt := range map[string]struct {
		tool, args string
		fails      error // of what is typed only if a program asks for it
		asked      []string
	}{
		"a password":                   {"wsh_send_input", `{"session":"a","input":"rm refuse\r"}`, nil, nil},
		"a password, as keys":          {"wsh_send_input", `{"session":"a","input":"rm refuse","keys":["Enter"]}`, nil, nil},
		"nobody reads it":              {"wsh_send_input", `{"session":"a","input":"rm refuse\r"}`, notAsked, []string{"rm refuse"}},
		"nobody reads it, as keys":     {"wsh_send_input", `{"session":"a","input":"rm refuse","keys":["Enter"]}`, notAsked, []string{"rm refuse"}},
		"a command behind":             {"wsh_send_input", `{"session":"a","input":"hunter2\rrm refuse\r"}`, nil, []string{"rm refuse"}},
		"a command behind, pasted":     {"wsh_send_input", `{"session":"a","input":"hunter2\nrm refuse\n","paste":true}`, nil, []string{"rm refuse"}},
		"a command behind, in keys":    {"wsh_send_input", `{"session":"a","input":"hunter2\rrm refuse","keys":["Enter"]}`, nil, []string{"rm refuse"}},
		"a command behind C-c":         {"wsh_send_input", `{"session":"a","input":"hunter2\u0003rm refuse\r"}`, nil, []string{"rm refuse"}},
		"a command behind C-d":         {"wsh_send_input", `{"session":"a","input":"\u0004rm refuse\r"}`, nil, []string{"rm refuse"}},
		"a command by wsh_run_command": {"wsh_run_command", `{"session":"a","input":"rm refuse"}`, nil, []string{"rm refuse"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := &recorder{answers: map[string]string{"session.get": `{"state":"secret"}`, "command.run": `{"screen":{},"state":"done"}`}, asks: tt.fails}, &strict{}
			res, err := call(t, confirming(t, r, p), tt.tool, tt.args)
			if err != nil || res.IsError != (tt.asked != nil) {
				t.Errorf("%+v, %v", res, err)
			}
			if asked := p.taken(t); !slices.Equal(asked, tt.asked) {
				t.Errorf("asked %q, want %q", asked, tt.asked)
			}
		})
	}
}

// Text may have been typed although that failed, as when the call was cancelled. Then the screen
// says what Enter would enter.
func TestConfirmAfterFailure(t *testing.T) {
	r, p := &recorder{
		answers: map[string]string{"screen.get": `{"lines":["$ rm x",""],"cursor":{"row":0},"rows":2,"cols":10}`, "wait.idle": `{}`},
		errs:    map[string]error{"input.send": context.Canceled},
	}, &strict{}
	c := confirming(t, r, p)
	if res, err := call(t, c, "wsh_send_input", `{"session":"a","input":"rm x"}`); err == nil && !res.IsError {
		t.Fatal("the input was sent")
	}
	r.errs, r.asked = nil, nil
	if res, err := call(t, c, "wsh_send_input", `{"session":"a","keys":["Enter"]}`); err != nil || !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "needs the person's permission") {
		t.Errorf("Enter was not refused: %q, %v, %v", r.asked, res, err)
	}
}

// The person is asked about matching lines, however they are typed. Refused lines reach no program.
func TestConfirm(t *testing.T) {
	type step struct {
		tool, args string
		asked      []string
		done       string // what the terminals are asked, or "refused"
	}
	const prompted = `{"lines":["$ rm x",""],"cursor":{"row":0},"rows":2,"cols":10}`
	for name, steps := range map[string][]step{
		"a command": {
			{"wsh_run_command", `{"session":"a","input":"rm x"}`, []string{"rm x"}, "command.run"},
			{"wsh_run_command", `{"session":"a","input":"ls"}`, nil, "command.run"},
			{"wsh_run_command", `{"session":"a","input":"rm refuse"}`, []string{"rm refuse"}, "refused"},
			{"wsh_run_command", `{"session":"a","input":"rm refuse","background":true}`, []string{"rm refuse"}, "refused"},
			{"wsh_run_command", `{"session":"a","input":"cd\nrm a\nls\nrm \\\nb\n"}`, []string{"rm a", `rm \`, "rm b"}, "command.run"},
		},
		"a new session": {
			{"wsh_create_session", `{"command":"rm refuse"}`, []string{"rm refuse"}, "refused"},
			{"wsh_create_session", `{"command":"top"}`, nil, "session.create"},
		},
		"text": {
			{"wsh_send_input", `{"session":"a","input":"ls\rrm x\r"}`, []string{"rm x"}, "input.send"},
			{"wsh_send_input", `{"session":"a","input":"cm0gcmVmdXNlDQ==","encoding":"base64"}`, []string{"rm refuse"}, "refused"},
			{"wsh_send_input", `{"session":"a","input":"rm refuse\nls","paste":true}`, []string{"rm refuse"}, "refused"},
		},
		"in pieces": {
			{"wsh_send_input", `{"session":"a","input":"r"}`, nil, "input.send"},
			{"wsh_send_input", `{"session":"b","input":"x\r"}`, nil, "input.send"},
			{"wsh_send_input", `{"session":"a","keys":["n","Backspace","m"]}`, nil, "input.keys"},
			{"wsh_send_input", `{"session":"a","input":" refuse","paste":true}`, nil, "input.paste"},
			{"wsh_send_input", `{"session":"a","keys":["Enter"]}`, []string{"rm refuse"}, "refused"},
			{"wsh_run_command", `{"session":"a","input":"!"}`, []string{"rm refuse!"}, "refused"},
			{"wsh_manage_session", `{"session":"a","action":"rename","new_name":"c"}`, nil, "session.rename"},
			{"wsh_send_input", `{"session":"c","keys":["C-m"]}`, []string{"rm refuse"}, "refused"},
			{"wsh_send_input", `{"session":"c","keys":["C-c","Enter"]}`, nil, "input.keys"},
		},
		"a session of the same name": {
			{"wsh_send_input", `{"session":"a","input":"rm refuse"}`, nil, "input.send"},
			{"wsh_manage_session", `{"session":"a","action":"kill"}`, nil, "session.remove"},
			{"wsh_send_input", `{"session":"a","keys":["Enter"]}`, nil, "input.keys"},
		},
		"by name and by ID": {
			{"wsh_send_input", `{"session":"a","input":"rm"}`, nil, "input.send"},
			{"wsh_run_command", `{"session":"@a","input":" refuse"}`, []string{"rm refuse"}, "refused"},
		},
		// C-x C-e gives the line to an editor, at whose end the shell runs it.
		"by way of an editor": {
			{"wsh_send_input", `{"session":"a","input":"rm refuse"}`, nil, "input.send"},
			{"wsh_send_input", `{"session":"a","keys":["C-x","C-e"]}`, []string{"rm refuse"}, "refused"},
			{"wsh_send_input", `{"session":"a","input":"!\u0018"}`, nil, "input.send"},
			{"wsh_send_input", `{"session":"a","input":"\u0005"}`, []string{"rm refuse!"}, "refused"},
			{"wsh_send_input", `{"session":"b","input":"rm refuse\u0018\u0005"}`, []string{"rm refuse"}, "refused"},
		},
		// The screen says what keys have recalled.
		"recalled": {
			{"wsh_send_input", `{"session":"a","keys":["Up"]}`, nil, "input.keys"},
			{"wsh_send_input", `{"session":"a","keys":["Enter"]}`, nil, "wait.idle screen.get refused"},
			{"wsh_send_input", `{"session":"a","input":"x\u001b[A\r"}`, nil, "input.send wait.idle screen.get refused"},
			{"wsh_send_input", `{"session":"a","keys":["C-c","Up","Enter","a"]}`, nil, "input.keys wait.idle screen.get refused"},
			{"wsh_send_input", `{"session":"a","keys":["Enter","Nothing"]}`, nil, "refused"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{answers: map[string]string{
				"command.run": `{"screen":{},"state":"done"}`, "session.create": `{"name":"new"}`,
				"screen.get": prompted, "wait.idle": `{"screen":` + prompted + `}`,
			}}
			p := &strict{}
			c := confirming(t, r, p)
			for _, s := range steps {
				r.asked = nil
				res, err := call(t, c, s.tool, s.args)
				var done []string
				for _, line := range r.asked {
					if op, _, _ := strings.Cut(line, " "); op != "session.get" {
						done = append(done, op)
					}
				}
				if codeOf(err) == jsonrpc.CodeInternalError {
					t.Errorf("%s %s: %v", s.tool, s.args, err)
				}
				if err != nil || res.IsError {
					done = append(done, "refused")
				}
				if got := strings.Join(done, " "); got != s.done || !slices.Equal(p.taken(t), s.asked) {
					t.Errorf("%s %s: %s, %v, %v", s.tool, s.args, got, res, err)
				}
			}
		})
	}
}

// A busy permission is given, after something else has happened.
type busy struct {
	strict
	meanwhile func()
}

// Ask implements [mcpterm.Permission].
func (b *busy) Ask(context.Context, []byte, string, string, string, ...popup.Channel) (*mcpserver.Result, error) {
	b.meanwhile()
	return nil, nil
}

// If somebody types while the person is asked, what would be entered is not what the person has
// allowed.
func TestConfirmMeanwhile(t *testing.T) {
	for meanwhile, refused := range map[string]bool{
		`{"session":"@a","input":"sudo "}`:      true,
		`{"session":"@a","keys":["x","C-c"]}`:   false,
		`{"session":"@a","input":"ls\r"}`:       false,
		`{"session":"other","input":"sudo "}`:   false,
		`{"session":"@a","input":"cat x \\\r"}`: true,
	} {
		r, p := &recorder{}, &busy{}
		c := confirming(t, r, p)
		p.meanwhile = func() { mustCall(t, c, "wsh_send_input", meanwhile) }
		res, err := call(t, c, "wsh_send_input", `{"session":"a","input":"rm x\r"}`)
		if err != nil || res.IsError != refused {
			t.Errorf("meanwhile %s: refused %v, %v", meanwhile, err == nil && res.IsError, err)
			continue
		}
		if text := res.Content[0].(*mcp.TextContent).Text; refused && !strings.Contains(text, "meanwhile") {
			t.Errorf("meanwhile %s: %s", meanwhile, text)
		}
		if sent := strings.Contains(strings.Join(r.asked, "\n"), `"data":"cm0geA0="`); sent == refused {
			t.Errorf("meanwhile %s: %q", meanwhile, r.asked)
		}
	}
}
