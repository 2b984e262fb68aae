//go:build unix

package wsh

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/skills"
)

// fenced matches the examples of a document: how to run them, and what.
var fenced = regexp.MustCompile("(?s)\n```(\\w*)\n(.*?)```\n")

// programs are those that the examples of skills need beyond a shell.
var programs = map[string][]string{
	"wsh-core": {"curl"}, "wsh-tui": {"less", "vim"}, "wsh-agent-orchestration": {"git"},
}

// agent stands in for an agent that asks before it works.
const agent = `printf '> '; read -r task
printf 'Run "go test ./..."? Allow [y/n] '; read -r answer
echo changed one file > REPORT.md
printf 'Done\n> '; read -r task
`

// The examples of each skill can be run as they stand, one after the other, and give the answers
// that stand there. There is a server for each skill, with a session named work.
func TestSkills(t *testing.T) {
	load.Sequential(t) // one command ends before the next starts
	t.Parallel()
	dir := runtimeDir(t)
	for _, d := range skills.Wsh() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, p := range append(programs[d.Name], "bash") {
				if _, err := exec.LookPath(p); err != nil {
					t.Skip(err)
				}
			}
			steps := fenced.FindAllStringSubmatch(d.Body, -1)
			if len(steps) == 0 {
				t.Fatal("there are no examples")
			}
			home := t.TempDir()
			if err := os.WriteFile(filepath.Join(home, "claude"), []byte("#!/bin/sh\n"+agent), 0o700); err != nil {
				t.Fatal(err)
			}
			p := launchIn(t, []string{
				"HOME=" + home, "SHELL=/bin/bash", "PATH=" + home + string(os.PathListSeparator) + os.Getenv("PATH"),
			}, "-L", d.Name)
			defer func() { // no program may write to its home when that is removed
				if status, answer := ask(t, overTCP(t, nil), "POST", p.address+"/server/stop", ""); status != http.StatusNoContent {
					t.Errorf("stop: %d %s", status, answer)
				}
				<-p.ended
			}()
			e := &example{t, p.address, filepath.Join(dir, d.Name+".sock"), connectMCP(t, p.address, "", "", "test", nil)}
			if !strings.HasPrefix(d.Name, "wsh-core") {
				e.prepare(filepath.Join(home, "project"))
			}
			for _, s := range steps {
				switch s[1] {
				case "console":
					e.console(s[2])
				case "json":
					e.tools(s[2])
				case "websocket":
					e.webSocket(s[2])
				default:
					t.Errorf("an example in %q cannot be run:\n%s", s[1], s[2])
				}
			}
		})
	}
}

// The skills name every tool, and no others.
func TestSkillsNameTools(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	address, _ := serve(t, "--bind", "127.0.0.1:0")
	list, err := connectMCP(t, address, "", "", "test", nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	offered, named := map[string]bool{}, map[string]bool{}
	for _, tool := range list.Tools {
		offered[tool.Name] = true
	}
	for _, d := range skills.Wsh() {
		for _, name := range regexp.MustCompile(`wsh_[a-z_]+`).FindAllString(d.Text, -1) {
			named[name] = true
		}
	}
	if diff := cmp.Diff(offered, named); diff != "" {
		t.Errorf("(-offered +named)\n%s", diff)
	}
}

// An example is a server on which the examples of a skill run.
type example struct {
	t       *testing.T
	address string
	socket  string
	client  *mcp.ClientSession
}

// prepare creates the session work, in a repository with a file of a few pages.
func (e *example) prepare(dir string) {
	e.t.Helper()
	testkit.Write(e.t, dir, "notes.txt", strings.Repeat("a line of notes\n", 100))
	if _, err := exec.LookPath("git"); err == nil {
		commit := "git init -q && git add . && git -c user.name=n -c user.email=e commit -qm start"
		cmd := exec.CommandContext(e.t.Context(), "sh", "-c", commit)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			e.t.Fatalf("%v\n%s", err, out)
		}
	}
	e.call("wsh_create_session", map[string]any{"name": "work", "cwd": dir})
}

// console runs command lines, which begin with "$ ", and compares what they print. A command whose
// answer is left out must print nothing.
func (e *example) console(text string) {
	e.t.Helper()
	for step := range strings.SplitSeq(strings.TrimPrefix(text, "$ "), "\n$ ") {
		command, want, _ := strings.Cut(step, "\n")
		want = strings.TrimSpace(want)
		cmd := exec.CommandContext(e.t.Context(), "bash", "-c", command)
		cmd.Env = append(cmd.Environ(), "WSH="+e.address)
		out, err := cmd.Output()
		if err != nil {
			e.t.Fatalf("%s\n%v", command, err)
		}
		if want == "" {
			if len(out) > 0 {
				e.t.Errorf("%s\n%s\nwant no answer", command, out)
			}
		} else if diff := opcases.Diff(want, string(out)); diff != "" {
			e.t.Errorf("%s\n%s", command, diff)
		}
	}
}

// tools calls tools, and compares the results that follow. A person types a y before a call that
// waits for captured keys.
func (e *example) tools(text string) {
	e.t.Helper()
	steps := json.NewDecoder(strings.NewReader(text))
	steps.DisallowUnknownFields()
	tool, got := "", ""
	for {
		var s struct {
			Tool      string          `json:"tool"`
			Arguments map[string]any  `json:"arguments"`
			Result    json.RawMessage `json:"result"`
		}
		switch err := steps.Decode(&s); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			e.t.Fatalf("%v in:\n%s", err, text)
		case s.Tool != "":
			if s.Arguments["keys"] == true {
				e.personTypes("y")
			}
			tool, got = fmt.Sprint(s.Tool, s.Arguments), e.call(s.Tool, s.Arguments)
		default:
			if diff := opcases.Diff(string(s.Result), got); diff != "" {
				e.t.Errorf("%s\n%s\n%s", tool, diff, got)
			}
		}
	}
}

// call calls a tool, which must not fail, and returns the text of its result.
func (e *example) call(tool string, args map[string]any) string {
	e.t.Helper()
	texts, failed := testkit.Call(e.t, e.client, tool, args)
	if failed {
		e.t.Fatalf("%s %v: %s", tool, args, texts)
	}
	return texts[0]
}

// webSocket plays the messages on the socket of the session work: lines that begin with ">" are
// sent, and one with "<" arrives after a person has typed a y.
func (e *example) webSocket(text string) {
	e.t.Helper()
	url := "ws" + strings.TrimPrefix(e.address, "http") + "/sessions/work/ws/json"
	c, _, err := websocket.Dial(e.t.Context(), url, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	defer c.CloseNow()
	read := func(until func(string) bool) {
		e.t.Helper()
		for {
			_, message, err := c.Read(e.t.Context())
			if err != nil {
				e.t.Fatal(err)
			}
			if until(string(message)) {
				return
			}
		}
	}
	for line := range strings.Lines(text) {
		if message, ok := strings.CutPrefix(line, "> "); ok {
			if err := c.Write(e.t.Context(), websocket.MessageText, []byte(message)); err != nil {
				e.t.Fatal(err)
			}
			read(func(m string) bool { return strings.Contains(m, `"result"`) })
			e.personTypes("y")
		} else if want, ok := strings.CutPrefix(line, "< "); ok {
			read(func(m string) bool { return opcases.Diff(want, m) == "" })
		}
	}
}

// personTypes types on a terminal that is attached to the session work until the test ends.
func (e *example) personTypes(text string) {
	e.t.Helper()
	c := attachFrames(e.t, e.socket, "work", socketwire.AttachSession, `{"scrollback":"none","rows":24,"cols":80,"client":{}}`)
	if f, err := c.Read(e.t.Context()); err != nil || f.Kind != socketwire.AttachSessionResponse {
		e.t.Fatalf("frame %02x, error %v", byte(f.Kind), err)
	}
	if err := c.Write(e.t.Context(), socketwire.Frame{Kind: socketwire.StdinInput, Content: []byte(text)}); err != nil {
		e.t.Fatal(err)
	}
}
