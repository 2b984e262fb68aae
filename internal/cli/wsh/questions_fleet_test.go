//go:build unix

package wsh

import (
	"context"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
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

// ask asks an agent's question at a host, as another program there, and returns the value of the
// answer, or "".
func (m machines) ask(host, title string) (value string) {
	b := persons.Broker(m.t, popup.Options{})
	gone := make(chan struct{}) // the host is, or is not asked any more
	leave := questions.New(b, rand.Text()).Reach(func() []questions.Program {
		at := nearby.New("agent", "1.0", slog.New(slog.DiscardHandler)).Beside([]discovery.Server{{Watched: true, Socket: filepath.Join(m.dir, host, "wsh", "default.sock")}}, nil)[0]
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
	}, popup.AskOptions{Asked: popup.Asked{ID: strings.Repeat("Q", 26), Asker: question.ByAgent}}, popup.WaitOptions{})
	return a.Value
}
