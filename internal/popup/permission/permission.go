// Package permission makes questions of what an agent's client asks its person, and what the client
// understands of the answers: whether a tool may be used, and the agent's own questions.
//
// It is pure. What it is given was written by an agent, perhaps on behalf of strangers: it is
// displayed whole, as harmless text, or cannot be allowed.
package permission

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
)

// A Request asks whether a tool may be used.
type Request struct {
	Client  string          // its name
	Project string          // its directory
	Cwd     string          `json:"cwd"` // where the tool runs, if that is elsewhere
	Tool    string          `json:"tool_name"`
	Input   json.RawMessage `json:"tool_input"`
	Rules   []Rule          `json:"permission_suggestions"` // by which the client would not ask again
}

// A Rule is a change of what a client allows. Members that are not here do not reach the client:
// nobody was shown them.
type Rule struct {
	Type  string `json:"type"`
	Rules []struct {
		Tool    string `json:"toolName"`
		Content string `json:"ruleContent,omitempty"`
	} `json:"rules,omitempty"`
	Behavior    string   `json:"behavior,omitempty"`
	Mode        string   `json:"mode,omitempty"`
	Directories []string `json:"directories,omitempty"`
	Destination string   `json:"destination"`
}

// A Decision is the answer to a [Request], as clients read it.
type Decision struct {
	Behavior string          `json:"behavior"` // Allow or Deny
	Message  string          `json:"message,omitempty"`
	Input    json.RawMessage `json:"updatedInput,omitempty"`
	Rules    []Rule          `json:"updatedPermissions,omitempty"`
}

// Behaviors of a [Decision], which are values of options, too.
const Allow, Deny = "allow", "deny"

const always = "always" // an option

// Spec returns the question. It has no default, and a single key does not answer it.
func (r Request) Spec() question.Spec {
	plain := false
	s := question.Spec{Request: question.Request{
		WorkspacePath: r.Project, Severity: question.Danger,
		Title:   fmt.Sprintf("May %s use %s?", safetext.Clip(safetext.OneLine(r.Client), 100), safetext.Clip(safetext.OneLine(r.Tool), 150)),
		Message: "In " + safetext.OneLine(cmp.Or(r.Cwd, r.Project)),
	}, Markdown: &plain, IfPresent: true, Quote: describe(r.Input)}
	if r.Cwd != "" && r.Project != "" && filepath.Clean(r.Cwd) != filepath.Clean(r.Project) {
		s.Message += ", for the project " + safetext.OneLine(r.Project)
	}
	var arguments map[string]json.RawMessage
	switch client := safetext.Clip(safetext.OneLine(r.Client), 100); {
	case r.Tool == "" || json.Unmarshal(r.Input, &arguments) != nil || arguments == nil:
		s.Message += "\n" + client + " does not say for what, so it can be allowed only there."
	case len(s.Quote) > question.MaxQuote || len(safetext.OneLine(r.Tool)) > 150:
		s.Quote = safetext.Clip(s.Quote, question.MaxQuote)
		s.Message += "\nIt is too long to be displayed whole, so it can be allowed only in " + client + "."
	default:
		s.Options = append(s.Options, question.Option{Label: "Allow", Value: Allow})
		if label, ok := r.always(); ok {
			s.Options = append(s.Options, question.Option{Label: label, Value: always})
		}
	}
	s.Options = append(s.Options, question.Option{Label: "Deny", Value: Deny})
	return s
}

// Decide returns what the client is told. It reports false if the person has not decided, so that
// the client goes on asking.
func (r Request) Decide(a question.Answer) (d Decision, ok bool) {
	if a.Outcome != question.Answered || a.Source != question.FromOption {
		return d, false
	}
	switch a.Value {
	case Allow:
		return Decision{Behavior: Allow}, true
	case always:
		return Decision{Behavior: Allow, Rules: r.Rules}, true
	case Deny:
		return Decision{Behavior: Deny, Message: "The person does not allow this."}, true
	}
	return d, false
}

// destinations say where a client keeps rules, and for how long.
var destinations = map[string]string{
	"session": "in this session", "localSettings": "in this project, for you", "projectSettings": "in this project, for everyone", "userSettings": "in all your projects",
}

// always describes the rules, of which the client's own dialog offers all or none. It reports false
// if there are none, or some that cannot be told in an option.
func (r Request) always() (label string, ok bool) {
	var parts []string
	for _, rule := range r.Rules {
		var what []string
		switch {
		case rule.Type == "addRules" && rule.Behavior == Allow && rule.Mode == "" && rule.Directories == nil:
			for _, of := range rule.Rules {
				if of.Content != "" {
					of.Tool += "(" + of.Content + ")"
				}
				what = append(what, of.Tool)
			}
		case rule.Type == "setMode" && rule.Mode != "" && rule.Rules == nil && rule.Behavior == "" && rule.Directories == nil:
			what = append(what, "the mode "+rule.Mode)
		case rule.Type == "addDirectories" && rule.Mode == "" && rule.Rules == nil && rule.Behavior == "":
			what = rule.Directories
		}
		where := destinations[rule.Destination]
		if len(what) == 0 || where == "" {
			return "", false
		}
		parts = append(parts, strings.Join(what, ", ")+" "+where)
	}
	label = safetext.OneLine("Allow, and from now on " + strings.Join(parts, "; "))
	return label, len(parts) > 0 && len(label) <= question.MaxLabel
}

// diffMarks are put before the lines of the two texts of an edit.
var diffMarks = map[string]string{"old_string": "- ", "new_string": "+ "}

// describe returns the arguments of a tool as text. Lines of a value are indented, so that none
// passes for another argument.
func describe(input json.RawMessage) string {
	var arguments map[string]json.RawMessage
	if json.Unmarshal(input, &arguments) != nil {
		return safetext.Lines(string(input))
	}
	names := slices.SortedFunc(maps.Keys(arguments), func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	var b strings.Builder
	for _, name := range names {
		var text string
		if json.Unmarshal(arguments[name], &text) != nil || string(arguments[name]) == "null" {
			text = compact(arguments[name])
		}
		mark, isDiff := diffMarks[name]
		b.WriteString(safetext.OneLine(name) + ":")
		if text = safetext.Lines(text); !isDiff && !strings.Contains(text, "\n") {
			b.WriteString(" " + text + "\n")
			continue
		}
		b.WriteByte('\n')
		for line := range strings.SplitSeq(text, "\n") {
			b.WriteString("    " + mark + line + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// rank orders arguments: what the agent says about its call comes last, and of an edit the file
// first, and what there was before what there will be.
func rank(name string) string {
	switch name {
	case "file_path":
		return ""
	case "description":
		return "\U0010FFFF"
	case "old_string":
		return "new_string"
	case "new_string":
		return "new_string\x00"
	}
	return name
}

func compact(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}
