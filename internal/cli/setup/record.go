package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ui-mcp/internal/cli/settings"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
)

// Records are in a folder, one for each file of settings that we have added to. Without them,
// removing an entry still works; it may leave an empty table, or other whitespace than there was.
type records struct{ dir string } // "" keeps none

// recordFormat is the newest format of records that this program reads, and the one that it writes.
const recordFormat = 1

// A record is what restores a file.
type record struct {
	Format  int      `json:"format"`
	File    string   `json:"file"`
	Made    bool     `json:"made"`    // there was no such file
	Table   bool     `json:"table"`   // the file had no table of servers
	Folders []string `json:"folders"` // that were made for it, the innermost first
	Steps   []step   `json:"steps"`
}

// A step undoes one change, if the file is still as that has left it.
type step struct {
	Program string `json:"program"`
	After   string `json:"after"` // the hash of the file
	Start   int    `json:"start"` // of the bytes that Text replaces
	End     int    `json:"end"`
	Text    []byte `json:"text"`
	made    bool
	table   bool
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (r records) path(file string) string {
	return filepath.Join(r.dir, hashOf([]byte(realPath(file)))[:32]+".json")
}

// of returns the record of a file, which is empty if there is none that can be read.
func (r records) of(file string) record {
	var found record
	if r.dir != "" {
		if text, err := regular.ReadFile(r.path(file), maxSettings); err == nil && json.Unmarshal(text, &found) != nil {
			found = record{}
		}
	}
	return found
}

// check returns an error if a newer version has written the record of a file.
func (r records) check(file string) error {
	if r.dir == "" {
		return nil
	}
	text, err := regular.ReadFile(r.path(file), maxSettings)
	if err != nil {
		return nil // there is none
	}
	if err := files.CheckFormat(text, recordFormat); err != nil {
		return fmt.Errorf("%s, by which it is restored: %w", r.path(file), err)
	}
	return nil
}

// undo returns the step that restores a file, after a change that adds to it.
func (r records) undo(ch change) *step {
	original, made, table := ch.before, ch.before == nil, false
	found := r.of(ch.file)
	if ch.effect == repoints {
		last := found.last(ch.before)
		if last == nil {
			return nil // another program or the person has written the entry
		}
		original = last.apply(ch.before)
	}
	if ch.effect == adds && !ch.client.HasTable(ch.before) {
		table = true
	}
	start := 0
	for start < min(len(original), len(ch.after)) && original[start] == ch.after[start] {
		start++
	}
	end := 0
	for end < min(len(original), len(ch.after))-start && original[len(original)-1-end] == ch.after[len(ch.after)-1-end] {
		end++
	}
	return &step{After: hashOf(ch.after), Start: start, End: len(ch.after) - end, Text: bytes.Clone(original[start : len(original)-end]), made: made, table: table}
}

// last returns the step that has left a file as it is, or nil.
func (r record) last(text []byte) *step {
	if n := len(r.Steps); n > 0 && text != nil && r.Steps[n-1].After == hashOf(text) {
		return &r.Steps[n-1]
	}
	return nil
}

// apply restores what was there before the step.
func (s step) apply(text []byte) []byte {
	if s.Start < 0 || s.Start > s.End || s.End > len(text) {
		return text
	}
	return append([]byte{}, slices.Concat(text[:s.Start], s.Text, text[s.End:])...) // not nil
}

// restore returns a file as it was before a program's entry was added, or nil if it did not exist;
// if anything else has changed since, it returns the file without the entry, which remove removes.
func (r records) restore(ch change, program string, remove func([]byte) ([]byte, error)) ([]byte, error) {
	found := r.of(ch.file)
	text, err := remove(ch.before)
	if err != nil {
		return nil, err
	}
	if last := found.last(ch.before); last != nil && last.Program == program {
		text = last.apply(ch.before)
	} else if found.Table {
		if text, err = settings.RemoveTable(ch.client.Format, text, ch.client.Table); err != nil {
			return nil, err
		}
	}
	if found.Made && len(bytes.Trim(text, "{} \t\r\n")) == 0 {
		return nil, nil
	}
	return text, nil
}

// keep records a change that was made. A failure costs only the whitespace.
func (r records) keep(ch change, program string, folders []string) {
	if r.dir == "" {
		return
	}
	found := r.of(ch.file)
	found.Format, found.File = recordFormat, realPath(ch.file)
	known := found.last(ch.before) // what comes after an unknown change cannot be undone step by step
	switch {
	case ch.effect == removes && known != nil && known.Program == program:
		found.Steps = found.Steps[:len(found.Steps)-1]
	case ch.effect == repoints && known != nil && known.Program == program && ch.undo != nil:
		ch.undo.Program = program
		found.Steps[len(found.Steps)-1] = *ch.undo
	case ch.effect == adds && ch.undo != nil:
		ch.undo.Program = program
		found.Steps = append(found.Steps, *ch.undo)
		found.Made = found.Made || ch.undo.made
		found.Table = found.Table || ch.undo.table
		found.Folders = append(folders, found.Folders...)
	default:
		found.Steps = slices.DeleteFunc(found.Steps, func(s step) bool { return s.Program == program })
	}
	if ch.after == nil || len(found.Steps) == 0 && !(found.Table && ch.client.HasTable(ch.after)) {
		for _, folder := range found.Folders {
			_ = os.Remove(folder) // others may have put something there
		}
		_ = os.Remove(r.path(ch.file))
		return
	}
	text, err := json.Marshal(found)
	if err == nil {
		_ = files.Write(r.path(ch.file), text, 0o600)
	}
}

// close removes the folder, and the one for it, if they are empty.
func (r records) close() {
	_ = os.Remove(r.dir)
	_ = os.Remove(filepath.Dir(r.dir))
}

// realPath returns the file that a path leads to, through links.
func realPath(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	} else if !errors.Is(err, fs.ErrNotExist) {
		return file
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		return filepath.Join(dir, filepath.Base(file))
	}
	return file
}
