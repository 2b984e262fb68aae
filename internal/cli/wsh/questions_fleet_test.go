//go:build unix

package wsh

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/popuplink"
)

// at gives a person a terminal on a host, which runs a script.
func (m machines) at(name string, cols, rows int, script string) *person {
	m.t.Helper()
	var exports strings.Builder
	for _, v := range m.env(name) {
		exports.WriteString("export '" + v + "'; ")
	}
	return sit(m.t, cols, rows, exports.String()+script)
}

// What programs ask on one host, a person answers at a terminal that is attached on another one:
// whether a line may be entered, and what another program of the host asks, whose answer survives
// the host.
func TestQuestionsOfHosts(t *testing.T) {
	load.Long(t, "is tested in internal/fleet, in one process")
	m := newMachines(t)
	serverOfB, serverOfA := m.start("b", "--confirm", `\brm\b`), m.start("a")
	a, b := apiOf(t, serverOfA), apiOf(t, serverOfB)
	add(t, a, "ssh://b", terminals.Healthy)
	do(t, b, terminals.CreateSession, terminals.NewSession{Name: "s", Command: "PS1='ready> ' exec sh"})
	on := terminals.Target{Session: "s"}
	do(t, b, terminals.AwaitText, terminals.TextQuery{Target: on, Text: "ready>"})
	send := func(line string) <-chan error {
		sent := make(chan error, 1)
		go func() {
			_, err := terminals.SendInput.Do(t.Context(), b, terminals.Everything, terminals.Input{Target: on, Data: []byte(line + "\r")})
			sent <- err
		}()
		return sent
	}

	// Nobody is at a terminal of a: the program learns at once that nobody can be asked.
	if err := wait.For(t, "the refusal", send("echo no''body rm")); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "nobody can be asked") {
		t.Errorf("without a person: %v", err)
	}
	p := m.at("a", 70, 20, `"$WSH" --name here -c cat`)
	p.sees("here")
	m.followed("b")
	sent := send("echo all''owed rm")
	p.sees("asked on b")
	p.sees("1  Allow")
	p.sees("echo all''owed rm")
	if err := pressAll(p, sent, "1", "\r"); err != nil {
		t.Errorf("allowed: %v", err)
	}
	if found := do(t, b, terminals.AwaitText, terminals.TextQuery{Target: on, Pattern: `^allowed rm$`}); found.Text == "" {
		t.Errorf("%+v", found)
	}

	// A server that is reached over HTTP with its owner's token.
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("the-token-of-the-owner-of-c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	serverOfC := m.start("c", "--token-file", token)
	do(t, a, terminals.AddServer, terminals.NewServer{Address: serverOfC.address, Token: "the-token-of-the-owner-of-c"})
	awaitServer(t, a, "c", terminals.Healthy)
	asked := make(chan error, 1)
	ask := func(host string) {
		if m.ask(host, "Which branch?") == "" {
			asked <- errors.New("no answer")
			return
		}
		asked <- nil
	}
	m.followed("c")
	go ask("c")
	p.sees("asked on c")
	if err := pressAll(p, asked, "1"); err != nil {
		t.Errorf("on c: %v", err)
	}

	// b is killed while another program asks there; the person answers meanwhile.
	go ask("b")
	p.sees("asked on b")
	p.sees("Which branch?")
	down := filepath.Join(m.dir, "b", "down")
	if err := errors.Join(os.WriteFile(down, nil, 0o600), serverOfB.cmd.Process.Kill()); err != nil {
		t.Fatal(err)
	}
	if err := wait.For(t, "the end of the call", asked); err == nil {
		t.Error("the program has an answer of a server that was killed")
	}
	awaitServer(t, a, "b", terminals.Unavailable)
	p.answers("Which branch?", "2")
	if err := os.Remove(down); err != nil {
		t.Fatal(err)
	}
	m.start("b")
	awaitServer(t, a, "b", terminals.Healthy)
	m.followed("b")
	if value := m.ask("b", "Which branch?"); value != "next" {
		t.Errorf("asked again after b was killed: %q", value)
	}
	if screen := strings.Join(p.lines(), "\n"); strings.Contains(screen, "Which branch?") {
		t.Errorf("the person is asked twice:\n%s", screen)
	}
}

// answers presses a key until a question is not displayed any more.
func (p *person) answers(title, key string) {
	p.t.Helper()
	var pressed time.Time
	wait.Until(p.t, "the person has answered", func() bool {
		if !strings.Contains(strings.Join(p.lines(), "\n"), title) {
			return true
		}
		if time.Since(pressed) > 2*time.Second { // keys count once the question has been displayed for a moment
			p.types(key)
			pressed = time.Now()
		}
		return false
	})
}

// followed waits until a host knows that a person can be reached on another one.
func (m machines) followed(name string) {
	m.t.Helper()
	wait.Until(m.t, name+" is followed", func() bool {
		known, err := os.ReadFile(filepath.Join(m.dir, name, "wsh", "default.json"))
		return err == nil && strings.Contains(string(known), `"watched":true`)
	})
}

// ask asks an agent's question at a host, as another program there, and returns the value of the
// answer, or "".
func (m machines) ask(host, title string) (value string) {
	b, err := popup.New(popup.Options{})
	if err != nil {
		m.t.Fatal(err)
	}
	defer b.Close()
	gone := make(chan struct{}) // the host is, or is not asked any more
	leave := questions.New(b, rand.Text()).Reach(func() []questions.Program {
		at := popuplink.Beside([]discovery.Server{{Watched: true, Socket: filepath.Join(m.dir, host, "wsh", "default.sock")}}, nil)[0]
		follow, ends := at.Follow, sync.OnceFunc(func() { close(gone) })
		at.Follow = func(ctx context.Context, s terminals.QuestionStream) error {
			defer ends()
			return follow(ctx, s)
		}
		return []questions.Program{at}
	}, func(func()) (stop func()) { return func() {} })
	defer leave()
	ctx, cancel := context.WithCancel(m.t.Context())
	go func() {
		<-gone
		cancel()
	}()
	a, _ := b.AskAndWait(ctx, question.Question{ // without an answer, value says it
		Title: title, Message: "Choose one.", Options: []question.Option{{Label: "Main", Value: "main"}, {Label: "Next", Value: "next"}}, Severity: question.Info, Timeout: time.Hour,
	}, popup.AskOptions{ID: strings.Repeat("Q", 26), Asker: question.ByAgent}, popup.WaitOptions{})
	return a.Value
}
