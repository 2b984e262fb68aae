package uimcp

import (
	"context"
	"os"
	"testing"
	"time"

	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// A screen is a page that displays what it is asked to.
type screen struct{}

func (screen) Name() string             { return "page" }
func (screen) Kind() popup.Kind         { return popup.Page }
func (screen) Presence() popup.Presence { return popup.Possible }

func (screen) Show(ctx context.Context, _ popup.Asked) error {
	<-ctx.Done()
	return nil
}

// A server does not end while it displays what another one asks about its project.
func TestQuestionOfAnotherServerIsAUse(t *testing.T) {
	p, _, _ := newRunning(t)
	p.popups.broker.AddChannel(screen{})
	other, err := popup.New(popup.Options{Workspaces: []string{"/other"}, Others: p.popups.broker.Workspaces})
	if err != nil {
		t.Fatal(err)
	}
	defer questions.New(other, "other").Reach(func() []questions.Program {
		return nearby.New("other", "1.0", quiet).Beside(discovery.Look(os.Environ()), other.Workspaces())
	}, func(func()) (stop func()) { return func() {} })()
	defer other.Close()
	uses := func(want int) func() bool {
		return func() bool {
			p.stay.mu.Lock()
			defer p.stay.mu.Unlock()
			return p.stay.uses == want
		}
	}
	q := question.Question{Title: "Deploy?", Message: "Now?", Options: []question.Option{{Label: "Yes", Value: "yes"}}, Severity: question.Info, Timeout: time.Hour, Workspace: p.popups.broker.Workspaces()[0]}
	id, err := other.Ask(q, popup.AskOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the question uses the server", uses(1))
	if err := other.Withdraw(id); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "nothing uses it", uses(0))
}
