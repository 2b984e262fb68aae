package popup

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A fakeChannel is a channel whose person is the test.
type fakeChannel struct {
	name      string
	kind      core.Kind
	presence  core.Presence
	displayed chan Asked  // what is put before the person
	taken     chan string // what is taken away again
	fail      error       // unless nil, nothing can be shown
	end       chan error  // ends what is displayed
}

func newFakeChannel(name string, kind core.Kind, presence core.Presence) *fakeChannel {
	return &fakeChannel{
		name: name, kind: kind, presence: presence,
		displayed: make(chan Asked, 2000), taken: make(chan string, 2000), end: make(chan error),
	}
}

func (d *fakeChannel) Name() string            { return d.name }
func (d *fakeChannel) Kind() core.Kind         { return d.kind }
func (d *fakeChannel) Presence() core.Presence { return d.presence }

func (d *fakeChannel) Show(ctx context.Context, a Asked) error {
	if d.fail != nil {
		return d.fail
	}
	d.displayed <- a
	defer func() { d.taken <- a.ID }()
	select {
	case <-ctx.Done():
		return nil
	case err := <-d.end:
		return err
	}
}

// open returns a broker with channels.
func open(t *testing.T, opts Options, channels ...Channel) *Broker {
	t.Helper()
	b, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	for _, c := range channels {
		b.AddChannel(c)
	}
	return b
}

// deploy is a question, changed.
func deploy(t *testing.T, change func(*question.Spec)) question.Question {
	t.Helper()
	s := question.Spec{Request: question.Request{
		WorkspacePath: "/path/to/workspace", Title: "Confirm Action", Message: "Deploy now?",
		Options: []question.Option{{Label: "Yes", Value: "yes"}, {Label: "No", Value: "no"}},
	}}
	if change != nil {
		change(&s)
	}
	q, err := s.Question()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func ask(t *testing.T, b *Broker, q question.Question) string {
	t.Helper()
	return askWith(t, b, q, AskOptions{})
}

func askWith(t *testing.T, b *Broker, q question.Question, opts AskOptions) string {
	t.Helper()
	id, err := b.Ask(q, opts)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func wait(t *testing.T, b *Broker, id string) question.Answer {
	t.Helper()
	a, err := b.Collect(t.Context(), id, WaitOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func choose(value string) question.Reply {
	return question.Reply{Action: question.Submit, Values: []string{value}}
}
