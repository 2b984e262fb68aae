package question

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"ui-mcp/internal/fault"
)

// A Posed is a question as it crosses between servers: [Posed.Question] checks what has come from
// another one.
type Posed struct {
	Spec
	Prompt bool `json:"prompt,omitempty"` // see [Question.Prompt]
}

// Posed returns the question as it crosses, if it is open for that long. What is not UTF-8, as in
// names of folders, does not cross: U+FFFD is in its place, as JSON would have it.
func (q Question) Posed(left time.Duration) Posed {
	q = q.WithoutFiles(true)
	markdown := !q.Plain
	for _, text := range []*string{&q.Workspace, &q.Title, &q.Message, &q.Quote} { // the asker's own words were checked
		*text = strings.ToValidUTF8(*text, "\ufffd")
	}
	return Posed{
		Spec: Spec{Request: Request{
			WorkspacePath: q.Workspace, Title: q.Title, Message: q.Message, Options: q.Options, AllowText: q.AllowText,
			Multiple: q.Multiple, DefaultValue: q.Default, TimeoutSeconds: max(left.Seconds(), 0.001),
			Severity: q.Severity, Secret: q.Secret, Images: q.Images, Channel: q.Channel,
		}, Markdown: &markdown, RevealSecret: q.Reveal, Quote: q.Quote, IfPresent: q.IfPresent},
		Prompt: q.Prompt,
	}
}

// Question returns the question. Its errors are like the errors of [Spec.Question].
func (p Posed) Question() (Question, error) {
	s := p.Spec
	s.Relayed = true
	secret := s.Secret && p.Prompt
	if secret { // beside the secret there are other things to do
		s.Secret, s.RevealSecret, s.AllowText = false, false, true
	}
	q, err := s.Question()
	if err == nil && p.Prompt && !q.AllowText {
		err = fault.New(fault.Invalid, `"prompt" needs "allowText": what is typed is a line of text`)
	}
	if err != nil {
		return Question{}, err
	}
	q.Prompt, q.Secret = p.Prompt, s.Secret || secret
	return q, nil
}

// Digest stands for all that a person is shown of the question: a reply to one of another digest is
// a reply to another question.
func (p Posed) Digest() string {
	p.TimeoutSeconds = 0                     // which is less each time
	text := fault.Must(json.Marshal(struct { // texts and booleans, in the order that all versions have
		WorkspacePath string   `json:"workspacePath"`
		Title         string   `json:"title"`
		Message       string   `json:"message"`
		Options       []Option `json:"options"`
		Request                // and of it what is not named here
		Markdown      *bool    `json:"markdown,omitempty"`
		Secret        bool     `json:"secret,omitempty"`
		RevealSecret  bool     `json:"revealSecret,omitempty"`
		Images        []Image  `json:"images,omitempty"`
		Channel       string   `json:"channel,omitempty"`
		Prompt        bool     `json:"prompt,omitempty"`
		Quote         string   `json:"quote,omitempty"`
	}{p.WorkspacePath, p.Title, p.Message, p.Options, p.Request, p.Markdown, p.Secret, p.RevealSecret, p.Images, p.Channel, p.Prompt, p.Quote}))
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
