// Package question is the model of a question to a person and of its answer: what may be asked,
// within which limits, which replies are valid, and what an outcome means for the asker. It is
// pure: it knows neither the time nor a transport, and starts nothing.
package question

import (
	"encoding/json"
	"time"
)

// Limits of what may be asked. Texts count in bytes.
const (
	MaxTitle       = 300
	MaxMessage     = 64 << 10
	MaxOptions     = 100
	MaxLabel       = 500
	MaxValue       = 2000
	MaxDescription = 2000
	MaxImages      = 4
	MaxImage       = 1 << 20 // of one data URI
	MaxReply       = 64 << 10
	MaxFiles       = 8       // of an answer
	MaxFileBytes   = 3 << 20 // of all of them: results of MCP, and messages of pages, can carry that much
	MaxLine        = 1000    // of the answer to a Prompt
	MaxPath        = 4096
	MaxQuote       = 64 << 10
)

// Bounds of how long a question waits. Without a default outcome the least is higher, since a
// person needs time to come, read and think.
const (
	DefaultTimeout = 24 * time.Hour
	MinTimeout     = 30 * time.Second
	MaxTimeout     = 24 * time.Hour
	// MinDefaultTimeout applies to questions with a default outcome.
	MinDefaultTimeout = time.Second
)

// A Severity says how much depends on the answer. It decides how the question looks, how easily it
// is answered, and which channels may show it.
type Severity string

// Severities. The zero value means Info.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Danger  Severity = "danger"
)

// An Option is an answer to choose. Label and Description are plain text. In JSON, a string stands
// for an option whose label and value it is.
type Option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (o *Option) UnmarshalJSON(data []byte) error {
	var label string
	if json.Unmarshal(data, &label) == nil && string(data) != "null" {
		*o = Option{Label: label, Value: label}
		return nil
	}
	type plain Option // without this method
	return json.Unmarshal(data, (*plain)(o))
}

// An Image is shown with the message.
type Image struct {
	Src string `json:"src" jsonschema:"data URI of a PNG, JPEG, GIF or WebP"`
	Alt string `json:"alt,omitempty"`
}

// A Question is a valid question: see [Spec.Question]. It must not be changed.
type Question struct {
	Workspace string        `json:"workspace"` // the path as it was given; "" means the workspace of the server
	Title     string        `json:"title"`
	Message   string        `json:"message"` // Markdown, unless Plain
	Plain     bool          `json:"plain,omitempty"`
	Options   []Option      `json:"options,omitempty"`
	AllowText bool          `json:"allowText,omitempty"`
	Prompt    bool          `json:"prompt,omitempty"` // of a program in a terminal: the text is typed there, options are other things to do
	Quote     string        `json:"quote,omitempty"`  // text of others, displayed below the message in a fixed width
	Multiple  bool          `json:"multiple,omitempty"`
	Default   string        `json:"default,omitempty"` // the outcome if nobody reacts, or ""
	Timeout   time.Duration `json:"timeout"`
	Severity  Severity      `json:"severity"`
	Secret    bool          `json:"secret,omitempty"` // the text must not be displayed, stored or reported
	Reveal    bool          `json:"reveal,omitempty"` // the asker gets the secret all the same
	Images    []Image       `json:"images,omitempty"`
	Files     int           `json:"files,omitempty"`   // how many files an answer may have; see [File]
	Channel   string        `json:"channel,omitempty"` // the one to try first; "" leaves the choice to the broker
	// IfPresent questions are displayed only where the person may be now: no page is opened, and
	// no client or chat asked. If there is no such place, they end at once. Their asker has a
	// dialog of its own, and ends with it, so they are not stored.
	IfPresent bool   `json:"ifPresent,omitempty"`
	About     string `json:"-"` // stands for all that it is about, where it displays a part; for its asker alone
}

// IsRich reports whether a question needs more than plain text and buttons.
func (q Question) IsRich() bool {
	return len(q.Images) > 0 || q.Files > 0 || len(q.Message) > 1500 || len(q.Options) > 10
}

func (q Question) option(value string) (Option, bool) {
	for _, o := range q.Options {
		if o.Value == value {
			return o, true
		}
	}
	return Option{}, false
}
