package permission

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/popup/question"
)

func request(t *testing.T, input string, rules string) Request {
	t.Helper()
	r := Request{Client: "Claude Code", Project: "/p"}
	text := `{"tool_name": "Bash", "tool_input": ` + input + `, "permission_suggestions": ` + rules + `}`
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// What is displayed is all of what a tool is given, and no part passes for another.
func TestDescribe(t *testing.T) {
	for name, tt := range map[string]struct{ input, want string }{
		"a command":               {`{"description": "List", "command": "ls -l"}`, "command: ls -l\ndescription: List"},
		"lines that would forge":  {`{"command": "rm -rf x\ndescription: harmless"}`, "command:\n    rm -rf x\n    description: harmless"},
		"characters that deceive": {`{"command": "a\u202eb\u001b[2K\rc"}`, `command: a\u202eb\x1b[2K\rc`},
		"an edit":                 {`{"new_string": "b", "file_path": "/f", "old_string": "a\nc"}`, "file_path: /f\nold_string:\n    - a\n    - c\nnew_string:\n    + b"},
		"other values":            {`{"n": 1, "list": [ {"a": null} ], "no": null, "t\nu": true}`, "list: [{\"a\":null}]\nn: 1\nno: null\nt u: true"},
		"no object":               {`["x"]`, `["x"]`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, request(t, tt.input, "[]").Spec().Quote); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	const rules = `[{"type": "addRules", "behavior": "allow", "destination": "localSettings", "rules": [{"toolName": "Bash", "ruleContent": "ls:*"}, {"toolName": "Read"}]},
		{"type": "setMode", "mode": "acceptEdits", "destination": "session"}, {"type": "addDirectories", "directories": ["/q"], "destination": "userSettings"}]`
	for name, tt := range map[string]struct {
		input, rules string
		want         []string
	}{
		"no rules":                {`{}`, `[]`, []string{"Allow", "Deny"}},
		"the client's rules":      {`{}`, rules, []string{"Allow", "Allow, and from now on Bash(ls:*), Read in this project, for you; the mode acceptEdits in this session; /q in all your projects", "Deny"}},
		"no arguments":            {`null`, rules, []string{"Deny"}},
		"a rule with more":        {`{}`, `[{"type": "setMode", "mode": "plan", "destination": "session", "directories": ["/"]}]`, []string{"Allow", "Deny"}},
		"an unknown rule":         {`{}`, `[{"type": "addRules", "behavior": "ask", "destination": "session", "rules": [{"toolName": "X"}]}]`, []string{"Allow", "Deny"}},
		"one of two is unknown":   {`{}`, `[{"type": "setMode", "mode": "plan", "destination": "session"}, {"type": "new", "destination": "session"}]`, []string{"Allow", "Deny"}},
		"too long for an option":  {`{}`, `[{"type": "setMode", "mode": "` + strings.Repeat("x", 600) + `", "destination": "session"}]`, []string{"Allow", "Deny"}},
		"longer than can be read": {`{"command": "` + strings.Repeat("x", question.MaxQuote) + `"}`, rules, []string{"Deny"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := request(t, tt.input, tt.rules).Spec()
			q, err := s.Question()
			if err != nil || q.Default != "" || !q.IfPresent || q.Severity != question.Danger {
				t.Fatalf("%+v, %v", q, err)
			}
			var got []string
			for _, o := range q.Options {
				got = append(got, o.Label)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The person reads where the tool runs.
func TestWhere(t *testing.T) {
	for cwd, want := range map[string]string{"": "In /p", "/p/": "In /p/", "/q": "In /q, for the project /p"} {
		r := request(t, `{}`, `[]`)
		if r.Cwd = cwd; r.Spec().Message != want {
			t.Errorf("%q: %q, want %q", cwd, r.Spec().Message, want)
		}
	}
}

// Only what a person chose is a decision, and the client is told what they were shown.
func TestDecide(t *testing.T) {
	r := request(t, `{}`, `[{"type": "setMode", "mode": "plan", "destination": "session", "secretly": true}]`)
	for name, tt := range map[string]struct {
		answer question.Answer
		want   string
	}{
		"allowed":        {question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: Allow}, `{"behavior":"allow"}`},
		"always":         {question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: always}, `{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"plan","destination":"session"}]}`},
		"denied":         {question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: Deny}, `{"behavior":"deny","message":"The person does not allow this."}`},
		"by default":     {question.Answer{Outcome: question.Default, Source: question.FromDefault, Value: Allow}, ""},
		"dismissed":      {question.Answer{Outcome: question.Dismissed}, ""},
		"a text":         {question.Answer{Outcome: question.Answered, Source: question.FromText, Value: Allow}, ""},
		"nothing at all": {question.Answer{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if d, ok := r.Decide(tt.answer); ok {
				text, err := json.Marshal(d)
				if err != nil {
					t.Fatal(err)
				}
				got = string(text)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestQuestions(t *testing.T) {
	r := request(t, `{"metadata": 1, "questions": [{"question": "Which?", "header": "DB", "options": [{"label": "A", "description": "a"}, {"label": "B"}], "multiSelect": true}, {"question": "Name?", "options": [{"label": "X"}, {"label": "Y"}]}]}`, `[]`)
	specs, err := r.Specs()
	if err != nil || len(specs) != 2 || specs[0].Title != "Claude Code asks (1 of 2): DB" || !specs[0].Multiple || specs[0].Options[0].Value != "A" || !specs[1].IfPresent {
		t.Fatalf("%+v, %v", specs, err)
	}
	got, err := r.Answered([]question.Answer{{Values: []string{"A", "B"}, Text: "and C", Source: question.FromOption}, {Value: "Z", Text: "Z", Source: question.FromText}})
	if err != nil {
		t.Fatal(err)
	}
	var input struct{ Answers map[string]string }
	if err := json.Unmarshal(got, &input); err != nil || input.Answers["Which?"] != "A, B, and C" || input.Answers["Name?"] != "Z" || !strings.Contains(string(got), "metadata") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := request(t, `{"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "A"}]}]}`, `[]`).Specs(); err == nil {
		t.Error("two equal options are a question")
	}
}
