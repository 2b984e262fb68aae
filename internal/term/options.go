package term

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/vt"
)

// CreateOptions describe a session to create. The zero value is the person's shell on a terminal of
// 80 columns and 24 rows.
type CreateOptions struct {
	// Name is 1 to MaxName bytes: letters, digits, "-", "_" and "."; "" means the first free
	// number.
	Name string
	// Command is a command line for the system's shell; "" means the person's shell, interactive,
	// which marks its prompts.
	Command string
	// Dir is where the program starts: an absolute path; "" means the person's home.
	Dir string
	// Env is added to the environment: see [pty.Environment].
	Env        map[string]string
	Cols, Rows int // 1 to vt.MaxSize; 0 means the default
	// Scrollback is how many lines are kept above the screen, 0 to vt.MaxScrollback; nil means the
	// registry's default.
	Scrollback *int
	Tags       []string
	// Record starts the recording that the session keeps with the program's first output: see
	// [Session.StartRecording].
	Record bool
	// Follow says that somebody is about to read all output from its first byte on: for that
	// reader, the program waits as for one that has left. See [OutputOptions.Whole].
	Follow bool
	// AskToType puts what programs type before the persons at the attached terminals, until they
	// have allowed that program to type. What a person types there is not asked about.
	AskToType bool
	// ReplaceTags, if not nil, protects an ended session of the same name that has none of these
	// tags: the name counts as taken.
	ReplaceTags []string
	// Dependent says that the session is of use only to the program that creates it: a server may
	// end with that program. See [Registry.Independent].
	Dependent bool
	// Owner names the program that creates the session, and OwnerLimit is how many sessions of that
	// owner may run at once; 0 means no limit.
	Owner      string
	OwnerLimit int
	// Creator is who creates the session: see [Session.AwaitRequest].
	Creator Sender
}

type sessionOptions struct {
	CreateOptions // complete; Name and Dir, too
	registry      *Registry
	id            string // of newID
	how           shell.Start
}

// complete checks the options and fills in defaults.
func (o CreateOptions) complete() (CreateOptions, error) {
	if o.Name != "" {
		if err := checkName(o.Name); err != nil {
			return o, err
		}
	}
	o.Cols = cmp.Or(o.Cols, DefaultCols)
	o.Rows = cmp.Or(o.Rows, DefaultRows)
	if err := checkSize(o.Cols, o.Rows); err != nil {
		return o, err
	}
	o.Scrollback = cmp.Or(o.Scrollback, new(DefaultScrollback))
	if n := *o.Scrollback; n < 0 || n > vt.MaxScrollback {
		return o, fault.New(fault.Invalid, "a scrollback of %d lines is not possible: it has 0 to %d", n, vt.MaxScrollback)
	}
	if strings.ContainsRune(o.Command, 0) || strings.ContainsRune(o.Dir, 0) {
		return o, fault.New(fault.Invalid, "a command or directory cannot contain a zero byte")
	}
	for name, value := range o.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(value, 0) {
			return o, fault.New(fault.Invalid, "%q is no name of an environment variable, or its value has a zero byte", name)
		}
	}
	var err error
	o.Tags, err = changeTags(nil, o.Tags, nil)
	return o, err
}

func checkSize(cols, rows int) error {
	if cols < 1 || rows < 1 || cols > vt.MaxSize || rows > vt.MaxSize {
		return fault.New(fault.Invalid, "a terminal of %d columns and %d rows is not possible: both are 1 to %d", cols, rows, vt.MaxSize)
	}
	return nil
}

func checkName(name string) error { return fault.With(InvalidName, CheckWord("session name", name)) }

// CheckWord returns an error of kind Invalid unless a word has the characters that names of
// sessions and tags have. what says in the error what it names.
func CheckWord(what, word string) error {
	if !isWord(word, "-_.") || word == "." || word == ".." {
		return fault.New(fault.Invalid, "%q is no %s: it has 1 to %d bytes, which are letters, digits, \"-\", \"_\" and \".\"", safetext.Clip(word, MaxName), what, MaxName)
	}
	return nil
}

// isWord reports whether a word has 1 to MaxName bytes: letters, digits and the given marks.
func isWord(word, marks string) bool {
	return word != "" && len(word) <= MaxName && !strings.ContainsFunc(word, func(r rune) bool {
		return r == unicode.ReplacementChar || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(marks, r)
	})
}

// changeTags returns tags with some added and some removed, sorted.
func changeTags(tags, add, remove []string) ([]string, error) {
	for _, t := range slices.Concat(add, remove) {
		if err := CheckWord("tag", t); err != nil {
			return nil, fault.With(InvalidTag, err)
		}
	}
	out := slices.Concat(tags, add)
	out = slices.DeleteFunc(out, func(t string) bool { return slices.Contains(remove, t) })
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > MaxTags {
		return nil, fault.New(fault.Exhausted, "a session has at most %d tags", MaxTags)
	}
	return out, nil
}
