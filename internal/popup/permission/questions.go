package permission

import (
	"encoding/json"
	"fmt"
	"strings"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/safetext"
)

// AskTool is the tool by which an agent's client asks questions of the agent.
const AskTool = "AskUserQuestion"

// Questions are what an agent asks with the tool of its client.
type Questions struct {
	Questions []struct {
		Question string `json:"question"`
		Header   string `json:"header"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
		Multiple bool `json:"multiSelect"`
	} `json:"questions"`
}

// Specs returns the questions to ask, one after the other.
func (r Request) Specs() ([]question.Spec, error) {
	var in Questions
	if err := json.Unmarshal(r.Input, &in); err != nil {
		return nil, err
	}
	var specs []question.Spec
	for i, q := range in.Questions {
		title := fmt.Sprintf("%s asks", r.Client)
		if len(in.Questions) > 1 {
			title += fmt.Sprintf(" (%d of %d)", i+1, len(in.Questions))
		}
		s := question.Spec{Request: question.Request{
			WorkspacePath: r.Project, Title: safetext.Clip(safetext.OneLine(title+": "+q.Header), question.MaxTitle),
			Message: q.Question, AllowText: true, Multiple: q.Multiple,
		}, IfPresent: true}
		for _, o := range q.Options {
			s.Options = append(s.Options, question.Option{Label: o.Label, Value: o.Label, Description: o.Description})
		}
		if _, err := s.Question(); err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	return specs, nil
}

// Answered returns the input of the tool with the person's answers, which are in the order of
// [Request.Specs].
func (r Request) Answered(answers []question.Answer) (json.RawMessage, error) {
	var in Questions
	var input map[string]any
	if err := json.Unmarshal(r.Input, &in); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(r.Input, &input); err != nil {
		return nil, err
	}
	said := map[string]string{}
	for i, a := range answers {
		values := a.Values
		if len(values) == 0 && a.Source == question.FromOption {
			values = []string{a.Value}
		}
		if a.Text != "" {
			values = append(values, a.Text)
		}
		said[in.Questions[i].Question] = strings.Join(values, ", ")
	}
	input["answers"] = said
	return json.Marshal(input)
}
