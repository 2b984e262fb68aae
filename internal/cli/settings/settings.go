// Package settings edits the text of settings files of other programs: JSON, also with comments and
// trailing commas, and TOML. It adds, changes and removes one entry, and leaves all other bytes as
// they are: comments, order, indentation and line ends.
//
// It is pure: it reads and writes no file.
package settings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// A Format is the language of a settings file.
type Format string

const (
	JSON Format = "JSON" // comments and trailing commas are allowed
	TOML Format = "TOML"
)

// A Field is one member of an entry.
type Field struct {
	Key   string
	Value any // a string, a bool or a []string
}

// Raw is JSON that is written as it is.
type Raw string

// An Entry is the value that is added: a table with its members in order, or, if its only field has
// no key, the value of that.
type Entry []Field

// ErrByHand means that a file is valid, but writes something in a way that this package cannot
// edit. The file is fine, so a person can edit it.
var ErrByHand = errors.New("it has to be edited by hand")

// utf8BOM begins some files that were written on Windows.
var utf8BOM = []byte("\xef\xbb\xbf")

// Get returns the entry at a path, decoded, or nil if there is none. The path has two parts: the
// table of entries, and the name of one.
func Get(f Format, text []byte, path [2]string) (map[string]any, error) {
	d, err := parse(f, text)
	if err != nil {
		return nil, err
	}
	return d.get(path)
}

// Decode returns all that a file says.
func Decode(f Format, text []byte) (map[string]any, error) {
	d, err := parse(f, text)
	if err != nil {
		return nil, err
	}
	return d.decode()
}

// Add returns text with an entry at a path, where there must be none.
func Add(f Format, text []byte, path [2]string, e Entry) ([]byte, error) {
	return edit(f, text, func(d document) ([]byte, error) { return d.add(path, e) })
}

// Replace returns text with an entry in place of the one at a path.
func Replace(f Format, text []byte, path [2]string, e Entry) ([]byte, error) {
	removed, err := Remove(f, text, path)
	if err != nil {
		return nil, err
	}
	return Add(f, removed, path, e)
}

// SetCommand returns text in which the entry at a path starts another program. The rest of the
// entry stays. The program is the member "command", or its first element if that is a list.
func SetCommand(f Format, text []byte, path [2]string, program string) ([]byte, error) {
	return edit(f, text, func(d document) ([]byte, error) { return d.setCommand(path, program) })
}

// Remove returns text without the entry at a path. The table of entries stays, even if it is empty.
func Remove(f Format, text []byte, path [2]string) ([]byte, error) {
	return edit(f, text, func(d document) ([]byte, error) { return d.remove(path) })
}

// RemoveTable returns text without a table of entries, if that is empty, and otherwise text.
func RemoveTable(f Format, text []byte, table string) ([]byte, error) {
	return edit(f, text, func(d document) ([]byte, error) { return d.removeTable(table) })
}

// A document is a parsed file. Its methods return the new text, without a byte order mark.
type document interface {
	decode() (map[string]any, error)
	get(path [2]string) (map[string]any, error)
	add(path [2]string, e Entry) ([]byte, error)
	setCommand(path [2]string, program string) ([]byte, error)
	remove(path [2]string) ([]byte, error)
	removeTable(table string) ([]byte, error)
}

func parse(f Format, text []byte) (document, error) {
	text = bytes.TrimPrefix(text, utf8BOM)
	if f == TOML {
		return parseTOML(text)
	}
	return parseJSON(text)
}

func entryIn(all map[string]any, path [2]string) (map[string]any, error) {
	table, ok := all[path[0]].(map[string]any)
	if !ok && all[path[0]] != nil {
		return nil, fmt.Errorf("%w: %s is not a table", ErrByHand, path[0])
	}
	entry, ok := table[path[1]].(map[string]any)
	if !ok && table[path[1]] != nil {
		return map[string]any{"": table[path[1]]}, nil // something that is no server
	}
	return entry, nil
}

// edit applies a change, and parses the result: an edit never makes a file invalid.
func edit(f Format, text []byte, change func(document) ([]byte, error)) ([]byte, error) {
	d, err := parse(f, text)
	if err != nil {
		return nil, err
	}
	changed, err := change(d)
	if err != nil {
		return nil, err
	}
	if _, err := parse(f, changed); err != nil {
		return nil, fmt.Errorf("%w: the result would be invalid: %w", ErrByHand, err)
	}
	if bytes.HasPrefix(text, utf8BOM) {
		changed = append(bytes.Clone(utf8BOM), changed...)
	}
	return changed, nil
}

// A splice replaces the bytes of a text from start to end.
type splice struct {
	start, end int
	text       string
}

// apply returns a text with splices, which are in order and do not overlap.
func apply(text []byte, splices ...splice) []byte {
	var b bytes.Buffer
	last := 0
	for _, s := range splices {
		b.Write(text[last:s.start])
		b.WriteString(s.text)
		last = s.end
	}
	b.Write(text[last:])
	return b.Bytes()
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

const blanks = " \t\r\n"

// indentOf returns the whitespace with which the line begins that holds the byte at a position.
func indentOf(text []byte, at int) string {
	line := string(text[bytes.LastIndexByte(text[:at], '\n')+1 : at])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
