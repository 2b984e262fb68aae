package uimcp

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/cli/nearby"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/terminals/questions"
	"ui-mcp/internal/testkit/wait"
)

// A server does not end while it displays what another one asks about its project.
func TestQuestionOfAnotherServerIsAUse(t *testing.T) {
	p, _, _ := newRunning(t)
	p.popups.broker.AddChannel(persons.NewPage())
	other := persons.Broker(t, popup.Options{Workspaces: []string{"/other"}, Others: p.popups.broker.Workspaces})
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

// While "ui-mcp serve" keeps a server whose agents have left, the person and the next agent are
// told, but not another serve.
func TestStayForServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		s := newStay(stayOptions{linger: defaultLinger, announce: func(alone bool, until time.Time) {
			said = append(said, fmt.Sprint(alone, !until.IsZero()))
		}})
		ended := make(chan struct{})
		go func() {
			s.wait(t.Context())
			close(ended)
		}()
		settled := func(want ...string) {
			t.Helper()
			time.Sleep(time.Minute) // of the bubble
			synctest.Wait()
			if !slices.Equal(said, want) {
				t.Errorf("said %q, want %q", said, want)
			}
			said = nil
		}
		enter := func(agent, want bool) {
			t.Helper()
			if missed, ok := s.enter(agent); !ok || missed != want {
				t.Errorf("enter(%v) = %v, %v", agent, missed, ok)
			}
		}
		s.use(1) // a page
		enter(false, false)
		settled()
		enter(true, false)
		settled()
		s.leave(true)
		settled("true false")
		enter(false, false)
		enter(true, true)
		settled("false false")
		s.leave(true)
		settled("true false")
		s.leave(false)
		s.leave(false)
		settled("true true")
		enter(false, false)
		settled("true false")
		enter(true, true)
		settled("false false")
		s.use(-1)
		s.leave(true)
		s.leave(false)
		<-ended
	})
}

// A writing is called for each line that is written to it.
type writing func()

func (f writing) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

// A project that closes makes no face, whose notifications nobody would end. The flags of a client
// hold only if it has brought terminals. Nothing is logged with the lock held, since clients may be
// slow to read that.
func TestFacesOfAProject(t *testing.T) {
	cache(t)
	j, logged := &project{}, 0
	log := slog.New(slog.NewTextHandler(writing(func() {
		if logged++; !j.making.TryLock() {
			t.Error("the lock is held")
			return
		}
		j.making.Unlock()
	}), nil))
	p, err := newProgram(appConfig{Dir: filepath.Join(t.TempDir(), ".claude", "ui"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	j.program, logged = p, 0
	j.faces = append(j.faces, p.first)
	if err := os.WriteFile(p.claim.Scripts(), nil, 0o600); err != nil { // where a folder must be
		t.Fatal(err)
	}
	f, ignored, withheld := j.faceOf([]toolset{terminalTools}, []string{"--max-sessions=3"})
	if f == nil || withheld == nil || logged != 1 || len(ignored) != 2 || len(j.flags) > 0 || p.shells.Load() != nil {
		t.Errorf("without terminals: ignored %q, flags %q, %v", ignored, j.flags, withheld)
	}
	n := len(j.faces)
	j.closed = true
	if f, _, _ := j.faceOf([]toolset{uiTools}, nil); f != nil || len(j.faces) != n {
		t.Errorf("closed: %v, %d faces more", f, len(j.faces)-n)
	}
	for _, f := range j.faces {
		f.stop()
	}
}
