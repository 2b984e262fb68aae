package registry

import (
	"cmp"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/vt"
)

// CreateOptions describe a session to create. The zero value is the person's shell on a terminal of
// 80 columns and 24 rows.
type CreateOptions struct {
	// Name passes [label.CheckName]; "" means the first free number.
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
	// [term.Session.StartRecording].
	Record bool
	// Follow says that somebody is about to read all output from its first byte on: for that
	// reader, the program waits as for one that has left. See [term.OutputOptions.Whole].
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
	// Creator is who creates the session: see [term.Session.AwaitRequest].
	Creator core.Sender
}

// complete checks the options and fills in defaults.
func (o CreateOptions) complete() (CreateOptions, error) {
	if o.Name != "" {
		if err := label.CheckName(o.Name); err != nil {
			return o, err
		}
	}
	o.Cols = cmp.Or(o.Cols, DefaultCols)
	o.Rows = cmp.Or(o.Rows, DefaultRows)
	if err := vt.CheckSize(o.Cols, o.Rows); err != nil {
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
	o.Tags, err = label.ChangeTags(nil, o.Tags, nil)
	return o, err
}
