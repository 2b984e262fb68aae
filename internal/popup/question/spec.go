package question

import (
	"encoding/base64"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
)

// A Spec is a question as its asker writes it. Which member is wrong, and how to mend it, is said by [Spec.Question].
type Spec struct {
	WorkspacePath  string   `json:"workspacePath"`
	Title          string   `json:"title"`
	Message        string   `json:"message"`
	Options        []Option `json:"options"`
	AllowText      bool     `json:"allowText,omitempty"`
	Multiple       bool     `json:"multiple,omitempty"`
	DefaultValue   string   `json:"defaultValue,omitempty"`
	TimeoutSeconds float64  `json:"timeoutSeconds,omitempty"` // 0 means DefaultTimeout
	Severity       Severity `json:"severity,omitempty"`
	Markdown       *bool    `json:"markdown,omitempty"` // nil means true
	Secret         bool     `json:"secret,omitempty"`
	RevealSecret   bool     `json:"revealSecret,omitempty"`
	Images         []Image  `json:"images,omitempty"`
	Channel        string   `json:"channel,omitempty"`
}

// Channels are the names that [Spec.Channel] may have.
var channels = []string{"page", "elicitation", "chat", "terminal"}

// Question checks s. Errors are of kind [fault.Invalid] and name the member. A timeout that is out of bounds is no error:
// it is brought within them.
func (s Spec) Question() (Question, error) {
	if err := s.check(); err != nil {
		return Question{}, err
	}
	q := Question{
		Workspace: s.WorkspacePath,
		Title:     strings.TrimSpace(s.Title),
		Message:   strings.TrimSpace(s.Message),
		Plain:     s.Markdown != nil && !*s.Markdown,
		Options:   append([]Option(nil), s.Options...),
		AllowText: s.AllowText || s.Secret,
		Multiple:  s.Multiple,
		Default:   s.DefaultValue,
		Timeout:   clampTimeout(s.TimeoutSeconds, s.DefaultValue != ""),
		Severity:  s.Severity,
		Secret:    s.Secret,
		Reveal:    s.Secret && s.RevealSecret,
		Images:    append([]Image(nil), s.Images...),
		Channel:   s.Channel,
	}
	if q.Severity == "" {
		q.Severity = Info
	}
	return q, nil
}

func (s Spec) check() error {
	for _, text := range []struct {
		name, value string
		most        int
		needed      bool
	}{
		{"workspacePath", s.WorkspacePath, MaxPath, false},
		{"title", s.Title, MaxTitle, true},
		{"message", s.Message, MaxMessage, true},
		{"defaultValue", s.DefaultValue, MaxReply, false},
	} {
		if err := checkText(text.name, text.value, text.most, text.needed); err != nil {
			return err
		}
	}
	for _, check := range []func(Spec) error{checkOptions, checkKind, checkDefault, checkImages} {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

func checkText(name, value string, most int, needed bool) error {
	switch {
	case needed && strings.TrimSpace(value) == "":
		return fault.New(fault.Invalid, "%q is missing or empty", name)
	case len(value) > most:
		return fault.New(fault.Invalid, "%q has %d bytes: at most %d are taken", name, len(value), most)
	case !utf8.ValidString(value):
		return fault.New(fault.Invalid, "%q is not valid UTF-8", name)
	}
	return nil
}

func checkOptions(s Spec) error {
	if len(s.Options) == 0 && !s.AllowText && !s.Secret {
		return fault.New(fault.Invalid, `"options" is missing or empty: give at least one option, or set "allowText"`)
	}
	if len(s.Options) > MaxOptions {
		return fault.New(fault.Invalid, `"options" has %d entries: at most %d are taken`, len(s.Options), MaxOptions)
	}
	seen := make(map[string]int, len(s.Options))
	for i, o := range s.Options {
		for _, text := range []struct {
			name, value string
			most        int
			needed      bool
		}{
			{"label", o.Label, MaxLabel, true},
			{"value", o.Value, MaxValue, true},
			{"description", o.Description, MaxDescription, false},
		} {
			if err := checkText(text.name, text.value, text.most, text.needed); err != nil {
				return fault.New(fault.Invalid, "options[%d]: %v", i, err)
			}
		}
		if first, twice := seen[o.Value]; twice {
			return fault.New(fault.Invalid, "options[%d] has the value %q, which options[%d] has, too: values must differ", i, o.Value, first)
		}
		seen[o.Value] = i
	}
	return nil
}

// checkKind looks at what goes together.
func checkKind(s Spec) error {
	switch s.Severity {
	case "", Info, Warning, Danger:
	default:
		return fault.New(fault.Invalid, `"severity" is %q: it must be "info", "warning" or "danger"`, s.Severity)
	}
	if math.IsNaN(s.TimeoutSeconds) || s.TimeoutSeconds < 0 {
		return fault.New(fault.Invalid, `"timeoutSeconds" must be a positive number`)
	}
	if s.Multiple && len(s.Options) == 0 {
		return fault.New(fault.Invalid, `"multiple" needs "options" to choose from`)
	}
	if s.Secret && (len(s.Options) > 0 || s.DefaultValue != "") {
		return fault.New(fault.Invalid, `"secret" asks for a text that nobody else may see: leave out "options" and "defaultValue"`)
	}
	if s.RevealSecret && !s.Secret {
		return fault.New(fault.Invalid, `"revealSecret" means something only with "secret"`)
	}
	if s.Channel == "" {
		return nil
	}
	for _, name := range channels {
		if s.Channel == name {
			return nil
		}
	}
	return fault.New(fault.Invalid, `"channel" is %q: it must be one of %s`, s.Channel, strings.Join(channels, ", "))
}

func checkDefault(s Spec) error {
	if s.DefaultValue == "" || s.AllowText {
		return nil
	}
	for _, o := range s.Options {
		if o.Value == s.DefaultValue {
			return nil
		}
	}
	return fault.New(fault.Invalid, `"defaultValue" is %q, which is the value of no option`, s.DefaultValue)
}

// pictures are the types of images, which cannot hold scripts.
var pictures = []string{"data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,"}

func checkImages(s Spec) error {
	if len(s.Images) > MaxImages {
		return fault.New(fault.Invalid, `"images" has %d entries: at most %d are taken`, len(s.Images), MaxImages)
	}
	for i, image := range s.Images {
		if err := checkText("alt", image.Alt, MaxDescription, false); err != nil {
			return fault.New(fault.Invalid, "images[%d]: %v", i, err)
		}
		if len(image.Src) > MaxImage {
			return fault.New(fault.Invalid, "images[%d]: \"src\" has %d bytes: at most %d are taken", i, len(image.Src), MaxImage)
		}
		if !isPicture(image.Src) {
			return fault.New(fault.Invalid, "images[%d]: \"src\" must be a data URI of a PNG, JPEG, GIF or WebP picture in Base64, such as data:image/png;base64,…", i)
		}
	}
	return nil
}

func isPicture(src string) bool {
	for _, prefix := range pictures {
		if data, ok := strings.CutPrefix(src, prefix); ok {
			_, err := base64.StdEncoding.DecodeString(data)
			return err == nil && data != ""
		}
	}
	return false
}

// clampTimeout brings a timeout into its bounds.
func clampTimeout(seconds float64, hasDefault bool) time.Duration {
	if seconds == 0 {
		return DefaultTimeout
	}
	least := MinTimeout
	if hasDefault {
		least = MinDefaultTimeout
	}
	if seconds >= MaxTimeout.Seconds() {
		return MaxTimeout
	}
	return max(time.Duration(seconds*float64(time.Second)), least)
}
