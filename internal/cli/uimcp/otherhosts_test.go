package uimcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/popup/question"
)

// An answer that comes from another server is the same as if the person had replied here.
func TestReplyOf(t *testing.T) {
	options := []question.Option{{Label: "A", Value: "a"}, {Label: "B", Value: "b"}}
	for name, tt := range map[string]struct {
		q question.Question
		r question.Reply
	}{
		"an option":          {question.Question{Options: options}, question.Reply{Action: question.Submit, Values: []string{"b"}}},
		"several":            {question.Question{Options: options, Multiple: true}, question.Reply{Action: question.Submit, Values: []string{"a", "b"}}},
		"a text":             {question.Question{AllowText: true}, question.Reply{Action: question.Submit, Text: "hello"}},
		"an option and more": {question.Question{Options: options, AllowText: true}, question.Reply{Action: question.Submit, Values: []string{"a"}, Text: "hello"}},
		"a secret":           {question.Question{AllowText: true, Secret: true}, question.Reply{Action: question.Submit, Text: "hello"}},
		"put away":           {question.Question{Options: options}, question.Reply{Action: question.Dismiss}},
		"refused":            {question.Question{Options: options}, question.Reply{Action: question.Decline}},
	} {
		want, err := tt.q.Accept(tt.r)
		if err != nil {
			t.Fatal(err)
		}
		r, ok := replyOf(want)
		got, err := tt.q.Accept(r)
		if diff := cmp.Diff(want, got); !ok || err != nil || diff != "" {
			t.Errorf("%s: %v, %v (-want +got:\n%s)", name, ok, err, diff)
		}
	}
	for _, o := range []question.Outcome{question.Default, question.TimedOut, question.Withdrawn, question.NoHuman} {
		if r, ok := replyOf(question.Answer{Outcome: o, Value: "a"}); ok {
			t.Errorf("%s: %+v", o, r)
		}
	}
}
