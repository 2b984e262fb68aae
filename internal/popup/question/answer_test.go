package question

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAccept(t *testing.T) {
	one := Question{Options: yesNo}
	many := Question{Options: yesNo, Multiple: true}
	both := Question{Options: yesNo, AllowText: true}
	text := Question{AllowText: true}
	files := Question{AllowText: true, Files: 2}
	named := Question{Options: yesNo, Files: 1}
	two := []File{{Name: "a.png", Size: 1}, {Name: "b.pdf", Size: 2}}
	for name, tt := range map[string]struct {
		q       Question
		r       Reply
		want    Answer
		wantErr string
	}{
		"an option":            {one, Reply{Action: Submit, Values: []string{"no"}}, Answer{Outcome: Answered, Source: FromOption, Value: "no"}, ""},
		"another value":        {one, Reply{Action: Submit, Values: []string{"maybe"}}, Answer{}, `no option has the value "maybe"`},
		"two of one":           {one, Reply{Action: Submit, Values: []string{"yes", "no"}}, Answer{}, "only one option may be chosen"},
		"nothing":              {one, Reply{Action: Submit}, Answer{}, "nothing is chosen"},
		"a text for an option": {one, Reply{Action: Submit, Text: "yes"}, Answer{}, "this question takes no text: choose an option"},
		"several":              {many, Reply{Action: Submit, Values: []string{"no", "yes"}}, Answer{Outcome: Answered, Source: FromOption, Value: "yes", Values: []string{"yes", "no"}}, ""},
		"one of several":       {many, Reply{Action: Submit, Values: []string{"no"}}, Answer{Outcome: Answered, Source: FromOption, Value: "no", Values: []string{"no"}}, ""},
		"one twice":            {many, Reply{Action: Submit, Values: []string{"no", "no"}}, Answer{}, `"no" is chosen twice`},
		"a text":               {text, Reply{Action: Submit, Text: "a b"}, Answer{Outcome: Answered, Source: FromText, Value: "a b", Text: "a b"}, ""},
		"a blank text":         {text, Reply{Action: Submit, Text: " "}, Answer{}, "the text is empty"},
		"a long text":          {text, Reply{Action: Submit, Text: strings.Repeat("x", MaxReply+1)}, Answer{}, "the text has 65537 bytes: the limit is 65536"},
		"bytes":                {text, Reply{Action: Submit, Text: "\xff"}, Answer{}, "the text is not valid UTF-8"},
		"text beside a choice": {both, Reply{Action: Submit, Values: []string{"no"}, Text: "not today"}, Answer{Outcome: Answered, Source: FromOption, Value: "no", Text: "not today"}, ""},
		"text for a choice":    {both, Reply{Action: Submit, Text: "later"}, Answer{Outcome: Answered, Source: FromText, Value: "later", Text: "later"}, ""},
		"a file":               {files, Reply{Action: Submit, Files: two[:1]}, Answer{Outcome: Answered, Source: FromFile, Files: two[:1]}, ""},
		"files with a text":    {files, Reply{Action: Submit, Files: two, Text: "these"}, Answer{Outcome: Answered, Source: FromText, Value: "these", Text: "these", Files: two}, ""},
		"a file named yes":     {named, Reply{Action: Submit, Files: []File{{Name: "yes"}}}, Answer{Outcome: Answered, Source: FromFile, Files: []File{{Name: "yes"}}}, ""},
		"a path":               {files, Reply{Action: Submit, Text: "/tmp/a.png"}, Answer{Outcome: Answered, Source: FromText, Value: "/tmp/a.png", Text: "/tmp/a.png"}, ""},
		"too many files":       {files, Reply{Action: Submit, Files: append(two, two...)}, Answer{}, "there are 4 files: this question takes 2"},
		"files nobody wants":   {text, Reply{Action: Submit, Files: two[:1], Text: "x"}, Answer{}, "there are 1 files: this question takes 0"},
		"too large files":      {files, Reply{Action: Submit, Files: []File{{Size: 2 << 20}, {Size: 2 << 20}}}, Answer{}, "the files have 4194304 bytes: at most 3 MiB can be added. Type the path of a larger one"},
		"files of a refusal":   {files, Reply{Action: Decline, Files: two}, Answer{Outcome: Declined}, ""},
		"dismissed":            {one, Reply{Action: Dismiss}, Answer{Outcome: Dismissed}, ""},
		"declined":             {one, Reply{Action: Decline}, Answer{Outcome: Declined}, ""},
		"something else":       {one, Reply{Action: "shrug"}, Answer{}, `unknown action "shrug"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.q.Accept(tt.r)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if (err == nil) != (tt.wantErr == "") || err != nil && err.Error() != tt.wantErr {
				t.Errorf("err = %v, want %s", err, tt.wantErr)
			}
		})
	}
}

func TestExpire(t *testing.T) {
	for name, tt := range map[string]struct {
		q    Question
		want Answer
	}{
		"without a default": {Question{Options: yesNo}, Answer{Outcome: TimedOut}},
		"with one":          {Question{Options: yesNo, Default: "no"}, Answer{Outcome: Default, Source: FromDefault, Value: "no"}},
		"several":           {Question{Options: yesNo, Multiple: true, Default: "no"}, Answer{Outcome: Default, Source: FromDefault, Value: "no", Values: []string{"no"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.q.Expire(TimedOut)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// An outcome other than an answer says what to do; an answer needs no advice.
func TestAdvice(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range []Outcome{Answered, Default, TimedOut, Dismissed, Declined, Withdrawn, NoHuman} {
		advice := o.Advice()
		if (Answer{Outcome: o}).HasValue() != (advice == "") {
			t.Errorf("%s: advice %q", o, advice)
		}
		if advice != "" && seen[advice] {
			t.Errorf("%s says what another outcome says", o)
		}
		seen[advice] = true
	}
}
