package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/regular"
)

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

func (s setup) path(c clients.Client, name string) [2]string { return [2]string{c.Table, name} }

// plan returns what is to happen to the settings of a client in a file.
func (s setup) plan(c clients.Client, file string) (change, error) {
	ch := change{client: c, file: file, effect: none}
	info, text, err := read(file)
	if err != nil {
		return ch, err
	}
	ch.before, ch.info, ch.after = text, info, text
	for _, name := range s.names(c) {
		if err := s.planName(&ch, s.path(c, name)); err != nil {
			return ch, err
		}
	}
	if s.Remove && ch.effect == none && ch.note == "" {
		ch.note = "it has no " + s.Program
	}
	if s.Remove {
		ch.dropEmpty()
	}
	return ch, nil
}

// planName adds, corrects or removes the entry of a name, which many programs may have if it is one
// of hooks.
func (s setup) planName(ch *change, path [2]string) error {
	entry, err := settings.Get(ch.client.Format, ch.after, path)
	if err != nil {
		return err
	}
	own, rest := clients.Split(startOf(entry), s.packages)
	switch {
	case entry != nil && own == nil && ch.client.Hooks != nil && (s.Remove || path[1] != clients.Permission):
		ch.say("it has other hooks for %s: add or remove ours by hand, as --print prints it", path[1])
		return nil
	case s.Remove:
		return s.planRemoval(ch, path, entry, own)
	}
	return s.planEntry(ch, path, entry, own, rest)
}

// dropEmpty removes a file that is empty then, unless it is the target of a link. One that is gone
// by now has changed, as write says.
func (ch *change) dropEmpty() {
	if len(bytes.Trim(ch.after, "{} \t\r\n")) > 0 {
		return
	}
	if info, gone := os.Lstat(ch.file); gone != nil || info.Mode().IsRegular() {
		ch.after = nil
	}
}

// names are the entries of the program in a client's settings.
func (s setup) names(c clients.Client) []string {
	if c.Hooks != nil {
		return c.Hooks
	}
	return []string{s.Program}
}

// say adds what a person should know, once.
func (ch *change) say(format string, args ...any) {
	switch text := fmt.Sprintf(format, args...); {
	case text == "" || strings.Contains(ch.note, text):
	case ch.note == "":
		ch.note = text
	default:
		ch.note += "; " + text
	}
}

// planEntry adds one entry, or corrects it.
func (s setup) planEntry(ch *change, path [2]string, entry map[string]any, own, rest start) (err error) {
	c, does := ch.client, none
	switch {
	case entry == nil:
		does = adds
		ch.say("%s", s.reason())
		ch.after, err = settings.Add(c.Format, ch.after, path, s.entry(c, s.arguments(c)))
	case own == nil && c.Hooks != nil:
		return fmt.Errorf("%w: it has other hooks for %s, and ours is to stand beside them", settings.ErrByHand, path[1])
	case own == nil:
		does = replaces
		ch.after, err = settings.Replace(c.Format, ch.after, path, s.entry(c, s.arguments(c)))
	case s.isThis(own), len(s.start) > 1 && s.startable(own):
		ch.say("it starts %s already", own)
	case len(own) == 1 && len(s.start) == 1 && c.Hooks == nil:
		does = repoints
		ch.say("it starts %s now", own)
		ch.after, err = settings.SetCommand(c.Format, ch.after, path, s.start[0])
	default:
		does = repoints
		ch.say("it starts %s now", own)
		wanted := s.entry(c, rest)
		for name := range entry {
			if !slices.ContainsFunc(wanted, func(f settings.Field) bool { return f.Key == name }) {
				does = replaces
				ch.note += fmt.Sprintf(", and has %q, which would go", name)
			}
		}
		ch.after, err = settings.Replace(c.Format, ch.after, path, wanted)
	}
	if ch.effect == none || does == replaces {
		ch.effect = does
	}
	return err
}

// planRemoval removes one entry of ours, and the table if it is then empty.
func (s setup) planRemoval(ch *change, path [2]string, entry map[string]any, own start) (err error) {
	switch {
	case entry == nil:
		return nil
	case own == nil:
		return fmt.Errorf("%q there starts another program: remove it by hand if that is meant", s.Program)
	}
	ch.effect = removes
	if ch.after, err = settings.Remove(ch.client.Format, ch.after, path); err != nil {
		return err
	}
	ch.after, err = settings.RemoveTable(ch.client.Format, ch.after, path[0])
	return err
}

func (s setup) entry(c clients.Client, arguments []string) settings.Entry {
	return s.machine.Entry(c, s.start[0], slices.Concat(s.start[1:], arguments))
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
	text, err := regular.ReadFile(file, clients.MaxSettings)
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
