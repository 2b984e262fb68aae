package question

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
)

// A Request is a question as agents write it.
type Request struct {
	Title          string   `json:"title" jsonschema:"a few words"`
	Message        string   `json:"message" jsonschema:"the question, in Markdown, with what the person must know to answer"`
	Options        []Option `json:"options,omitempty" jsonschema:"answers to choose from; needed unless allowText"`
	AllowText      bool     `json:"allowText,omitempty" jsonschema:"the person may type an answer"`
	Multiple       bool     `json:"multiple,omitempty" jsonschema:"several options may be chosen"`
	DefaultValue   string   `json:"defaultValue,omitempty" jsonschema:"the outcome when nobody reacts in time"`
	TimeoutSeconds float64  `json:"timeoutSeconds,omitempty" jsonschema:"after which a defaultValue counts, from 1; leave it out without one (30 to 86400; default 86400)"`
	Severity       Severity `json:"severity,omitempty" jsonschema:"info (default), warning or danger"`
	WorkspacePath  string   `json:"workspacePath,omitempty" jsonschema:"absolute path of the project; default: this server's"`
	Secret         bool     `json:"secret,omitempty" jsonschema:"asks for a password or key, which you do not get"`
	Images         []Image  `json:"images,omitempty" jsonschema:"shown above the choices"`
	Files          int      `json:"files,omitempty" jsonschema:"how many files the person may add, up to 8: you get their paths, and see pictures"`
	Channel        string   `json:"channel,omitempty" jsonschema:"page, elicitation, chat or terminal; default: where the person is"`
}

// Question is [Spec.Question].
func (r Request) Question() (Question, error) { return Spec{Request: r}.Question() }

// A Spec is a question as programs write it. The errors of [Spec.Question] say which member is
// wrong, and how to fix it.
type Spec struct {
	Request
	Markdown     *bool  `json:"markdown,omitempty"` // nil means true
	RevealSecret bool   `json:"revealSecret,omitempty"`
	Quote        string `json:"quote,omitempty"`     // see [Question.Quote]
	IfPresent    bool   `json:"ifPresent,omitempty"` // see [Question.IfPresent]
	// PopupID is what the asker calls the question: as the ID in [Asked].
	PopupID string `json:"popupId,omitempty"`
	// Relayed says that another server has checked the timeout, of which it sends what is left, and
	// the title.
	Relayed bool `json:"-"`
}

// channels are the valid values of [Spec.Channel].
var channels = []string{"page", "elicitation", "chat", "terminal"}

// Question checks s. Errors are of kind [fault.Invalid] and name the member.
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
		AllowText: s.AllowText || s.Secret || s.Files > 0, // a path, where no file can be chosen
		Multiple:  s.Multiple,
		Default:   s.DefaultValue,
		Timeout:   s.timeout(),
		Severity:  s.Severity,
		Secret:    s.Secret,
		Reveal:    s.Secret && s.RevealSecret,
		Images:    append([]Image(nil), s.Images...),
		Files:     s.Files,
		Channel:   s.Channel,
		Quote:     s.Quote,
		IfPresent: s.IfPresent,
	}
	if !q.Plain && !s.Relayed { // the server that was asked first has done it
		q.Title = plainTitle(q.Title)
	}
	q.Severity = cmp.Or(q.Severity, Info)
	return q, nil
}

func (s Spec) check() error {
	return cmp.Or(
		checkText("workspacePath", s.WorkspacePath, MaxPath, false),
		checkText("title", s.Title, MaxTitle, true),
		checkText("message", s.Message, MaxMessage, true),
		checkText("defaultValue", s.DefaultValue, MaxReply, false),
		checkText("quote", s.Quote, MaxQuote, false),
		checkOptions(s), checkKind(s), checkTimeout(s), checkDefault(s), checkImages(s),
	)
}

func checkText(name, value string, most int, needed bool) error {
	switch {
	case needed && strings.TrimSpace(value) == "":
		return fault.New(fault.Invalid, "%q is missing or empty", name)
	case len(value) > most:
		return fault.New(fault.Invalid, "%q has %d bytes: the limit is %d", name, len(value), most)
	case !utf8.ValidString(value):
		return fault.New(fault.Invalid, "%q is not valid UTF-8", name)
	}
	return nil
}

func checkOptions(s Spec) error {
	if len(s.Options) == 0 && !s.AllowText && !s.Secret && s.Files == 0 {
		return fault.New(fault.Invalid, `"options" is missing or empty: give at least one option, or set "allowText"`)
	}
	if len(s.Options) > MaxOptions {
		return fault.New(fault.Invalid, `"options" has %d entries: the limit is %d`, len(s.Options), MaxOptions)
	}
	seen := make(map[string]int, len(s.Options))
	for i, o := range s.Options {
		if err := cmp.Or(
			checkText("label", o.Label, MaxLabel, true),
			checkText("value", o.Value, MaxValue, true),
			checkText("description", o.Description, MaxDescription, false),
		); err != nil {
			return fault.New(fault.Invalid, "options[%d]: %v", i, err)
		}
		if first, twice := seen[o.Value]; twice {
			return fault.New(fault.Invalid, "options[%d] has the value %q, as options[%d] does: values must differ", i, o.Value, first)
		}
		seen[o.Value] = i
	}
	return nil
}

// checkKind checks the members that depend on each other.
func checkKind(s Spec) error {
	switch s.Severity {
	case "", Info, Warning, Danger:
	default:
		return fault.New(fault.Invalid, `"severity" is %q: it must be "info", "warning" or "danger"`, s.Severity)
	}
	if s.Multiple && len(s.Options) == 0 {
		return fault.New(fault.Invalid, `"multiple" needs "options" to choose from`)
	}
	if s.Secret && (len(s.Options) > 0 || s.DefaultValue != "") {
		return fault.New(fault.Invalid, `"secret" asks for a text that nobody else may see: leave out "options" and "defaultValue"`)
	}
	if s.Files < 0 || s.Files > MaxFiles {
		return fault.New(fault.Invalid, `"files" is %d: it must be from 0 to %d`, s.Files, MaxFiles)
	}
	if s.Secret && s.Files > 0 {
		return fault.New(fault.Invalid, `"secret" asks for a text that nobody else may see: leave out "files"`)
	}
	if s.IfPresent && s.DefaultValue != "" {
		return fault.New(fault.Invalid, `"ifPresent" leaves it to the asker what happens where nobody is: leave out "defaultValue"`)
	}
	if s.RevealSecret && !s.Secret {
		return fault.New(fault.Invalid, `"revealSecret" means something only with "secret"`)
	}
	if s.Channel == "" || slices.Contains(channels, s.Channel) {
		return nil
	}
	return fault.New(fault.Invalid, `"channel" is %q: it must be one of %s`, s.Channel, strings.Join(channels, ", "))
}

// checkTimeout refuses times that a person could not keep, rather than changing them silently.
func checkTimeout(s Spec) error {
	least := MinTimeout.Seconds()
	switch {
	case s.Relayed:
		least = 0
	case s.DefaultValue != "":
		least = MinDefaultTimeout.Seconds()
	}
	// Written so that NaN fails.
	if s.TimeoutSeconds == 0 || s.TimeoutSeconds >= least && s.TimeoutSeconds <= MaxTimeout.Seconds() {
		return nil
	}
	return fault.New(fault.Invalid, `"timeoutSeconds" is %v: it must be between %v and %v, or from %v with a "defaultValue"; leave it out to wait for a day`,
		s.TimeoutSeconds, MinTimeout.Seconds(), MaxTimeout.Seconds(), MinDefaultTimeout.Seconds())
}

// timeout is how long the question waits; s has been checked.
func (s Spec) timeout() time.Duration {
	if s.TimeoutSeconds == 0 {
		return DefaultTimeout
	}
	return max(time.Duration(s.TimeoutSeconds*float64(time.Second)), time.Millisecond)
}

// checkDefault accepts any text as the default of a question without options.
func checkDefault(s Spec) error {
	fits := func(o Option) bool { return o.Value == s.DefaultValue }
	if s.DefaultValue == "" || len(s.Options) == 0 || slices.ContainsFunc(s.Options, fits) {
		return nil
	}
	return fault.New(fault.Invalid, `"defaultValue" is %q: no option has that value`, s.DefaultValue)
}

// pictures are the types of images. None of them can hold scripts.
var pictures = []string{"data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,"}

func checkImages(s Spec) error {
	if len(s.Images) > MaxImages {
		return fault.New(fault.Invalid, `"images" has %d entries: the limit is %d`, len(s.Images), MaxImages)
	}
	for i, image := range s.Images {
		if err := checkText("alt", image.Alt, MaxDescription, false); err != nil {
			return fault.New(fault.Invalid, "images[%d]: %v", i, err)
		}
		if len(image.Src) > MaxImage {
			return fault.New(fault.Invalid, "images[%d]: \"src\" has %d bytes: the limit is %d", i, len(image.Src), MaxImage)
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
