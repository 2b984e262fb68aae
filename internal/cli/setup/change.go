package setup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/regular"
)

// maxSettings bounds the settings of a client, in bytes.
const maxSettings = 16 << 20

// An effect is what a change does to the settings of a client.
type effect string

const (
	none     effect = "none"    // they are as they should be
	adds     effect = "add"     // of an entry
	repoints effect = "update"  // of the program of our entry
	replaces effect = "replace" // of an entry of that name that is not ours
	removes  effect = "remove"  // of our entry
)

// A change is what is to happen to the settings of one client.
type change struct {
	client clients.Client
	file   string
	effect effect
	before []byte // nil if there is no file
	after  []byte // nil if the file goes
	note   string // what a person should know
	info   fs.FileInfo
}

// path is where a client's settings have the entry of the program.
func (s setup) path(c clients.Client) [2]string {
	return [2]string{c.Table, cmp.Or(c.Hook, s.Program)}
}

// plan returns what is to happen to the settings of a client in a file.
func (s setup) plan(c clients.Client, file string) (change, error) {
	ch := change{client: c, file: file, effect: none}
	info, text, err := read(file)
	if err != nil {
		return ch, err
	}
	ch.before, ch.info = text, info
	if c.Strict && !settings.IsStandard(text) {
		if _, err := settings.Get(c.Format, text, s.path(c)); err != nil {
			return ch, err
		}
		return ch, fmt.Errorf("it has comments or trailing commas, which %s does not read", c.Name)
	}
	entry, err := settings.Get(c.Format, text, s.path(c))
	if err != nil {
		return ch, err
	}
	if s.Remove {
		return s.planRemoval(ch, entry)
	}
	own, rest := s.split(startOf(entry))
	switch {
	case entry == nil:
		ch.effect = adds
		ch.note = s.reason()
		ch.after, err = settings.Add(c.Format, text, s.path(c), s.entry(c, s.arguments(c)))
	case own == nil && c.Hook != "":
		err = fmt.Errorf("%w: it has other hooks for %s, and ours is to stand beside them", settings.ErrByHand, c.Hook)
	case own == nil:
		ch.effect = replaces
		ch.after, err = settings.Replace(c.Format, text, s.path(c), s.entry(c, s.arguments(c)))
	case s.isThis(own), len(s.start) > 1 && s.startable(own):
		ch.note = "it starts " + own.String() + " already"
	case len(own) == 1 && len(s.start) == 1 && c.Hook == "":
		ch.effect = repoints
		ch.note = "it starts " + own.String() + " now"
		ch.after, err = settings.SetCommand(c.Format, text, s.path(c), s.start[0])
	default:
		ch.effect = repoints
		ch.note = "it starts " + own.String() + " now"
		wanted := s.entry(c, rest)
		for name := range entry {
			if !slices.ContainsFunc(wanted, func(f settings.Field) bool { return f.Key == name }) {
				ch.effect = replaces
				ch.note += fmt.Sprintf(", and has %q, which would go", name)
			}
		}
		ch.after, err = settings.Replace(c.Format, text, s.path(c), wanted)
	}
	return ch, err
}

// planRemoval removes our entry, and what is then empty: the table, and the file, unless it is the
// target of a link.
func (s setup) planRemoval(ch change, entry map[string]any) (change, error) {
	if entry == nil {
		ch.note = "it has no " + s.Program
		return ch, nil
	}
	if own, _ := s.split(startOf(entry)); own == nil {
		return ch, fmt.Errorf("%q there starts another program: remove it by hand if that is meant", s.Program)
	}
	ch.effect = removes
	text, err := settings.Remove(ch.client.Format, ch.before, s.path(ch.client))
	if err == nil {
		text, err = settings.RemoveTable(ch.client.Format, text, ch.client.Table)
	}
	// A file that is gone by now has changed, as write says.
	if info, gone := os.Lstat(ch.file); len(bytes.Trim(text, "{} \t\r\n")) > 0 || gone == nil && !info.Mode().IsRegular() {
		ch.after = text
	}
	return ch, err
}

func (s setup) entry(c clients.Client, arguments []string) settings.Entry {
	return c.Entry(s.start[0], slices.Concat(s.start[1:], arguments))
}

// read returns the content of a file, following links, and nil if there is no such file.
func read(file string) (fs.FileInfo, []byte, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(file); err == nil {
			return nil, nil, errors.New("it is a link to a file that does not exist")
		}
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, plain(err)
	}
	text, err := regular.ReadFile(file, maxSettings)
	if err != nil {
		return nil, nil, plain(err)
	}
	if text == nil {
		text = []byte{}
	}
	return info, text, nil
}

// plain returns an error without the path, which is displayed before it.
func plain(err error) error {
	if wrapped, ok := errors.AsType[*fs.PathError](err); ok {
		return wrapped.Err
	}
	return err
}
