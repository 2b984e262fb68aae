// Package question is the model of a question to a person and of what comes of it: what may be asked, with which limits,
// which replies fit, and how an outcome is put into words for whoever asked. It is pure: it knows neither time nor
// transport, and starts nothing.
package question

import "time"

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
	MaxPath        = 4096
)

// Bounds of how long a question waits. Models are bad at choosing: without a default outcome, what is too short is
// lengthened, since a person needs time to come, read and think.
const (
	DefaultTimeout = 24 * time.Hour
	MinTimeout     = 30 * time.Second
	MaxTimeout     = 24 * time.Hour
	// MinDefaultTimeout applies where a default says what happens if nobody reacts.
	MinDefaultTimeout = time.Second
)

// A Severity says how much depends on the answer. It changes the look of the question, nothing else.
type Severity string

// Severities. The zero value means Info.
const (
	Info    Severity = "info"
	Warning Severity = "warning"
	Danger  Severity = "danger"
)

// An Option is an answer to choose. Label and Description are plain text.
type Option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
}

// An Image is shown with the message.
type Image struct {
	Src string `json:"src"` // a data URI of a PNG, JPEG, GIF or WebP picture
	Alt string `json:"alt,omitempty"`
}

// A Question is one that has been checked: see [Spec.Question]. It must not be changed.
type Question struct {
	Workspace string        `json:"workspace"` // the path as it was given; "" is the asker's way to say "yours"
	Title     string        `json:"title"`
	Message   string        `json:"message"` // Markdown, unless Plain
	Plain     bool          `json:"plain,omitempty"`
	Options   []Option      `json:"options,omitempty"`
	AllowText bool          `json:"allowText,omitempty"`
	Multiple  bool          `json:"multiple,omitempty"`
	Default   string        `json:"default,omitempty"` // the outcome if nobody reacts; "" is none
	Timeout   time.Duration `json:"timeout"`
	Severity  Severity      `json:"severity"`
	Secret    bool          `json:"secret,omitempty"` // the text is not to be seen, kept or told
	Reveal    bool          `json:"reveal,omitempty"` // the asker wants the secret all the same
	Images    []Image       `json:"images,omitempty"`
	Channel   string        `json:"channel,omitempty"` // to be tried first; "" leaves the choice to the broker
}

// IsRich reports whether a question has more than a channel of plain text and buttons can show.
func (q Question) IsRich() bool {
	return len(q.Images) > 0 || len(q.Message) > 1500 || len(q.Options) > 10
}

// option returns the option of a value.
func (q Question) option(value string) (Option, bool) {
	for _, o := range q.Options {
		if o.Value == value {
			return o, true
		}
	}
	return Option{}, false
}
