package ui

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/keep"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
)

// A keeper keeps one object.
type keeper struct {
	ks   *keeps
	name string
	kept *lua.Kept
	file *keptFile
	held string // who else keeps it; "": this session is the owner, or nobody can be

	clean   int  // the version of the data that the file has
	pending bool // the file may lack something nevertheless
	saving  bool // on a goroutine
	looks   bool // the file is to be looked at after that
	writer  sync.WaitGroup
	result  *saved // what became of it, until done
	started int    // the version that is being saved

	failed  error // why it could not be saved, or nil
	retries int
	retry   time.Time
	blocked error  // why the file could not be read when the object was to get its data, or nil
	fault   string // what is wrong with what something else has written to the file, or ""
	had     bool   // the object has had the data of the file, or there was none
	moved   error  // what mutate has failed with
	notes   []string
	noted   int               // the version that notes are of
	differs bool              // the data differed from the file when they were looked at last
	asides  map[string]string // files that were set aside, and why
}

// open takes the file, and gives the object its data. An error says that this object must not be
// kept in that file.
func (k *keeper) open() error {
	owned, err := k.file.own()
	if !owned && err == nil {
		k.held = k.file.owner()
	}
	k.failed = err
	for _, name := range k.file.asides() {
		k.asides[name] = ""
	}
	content, info, err := k.file.read()
	switch {
	case err != nil:
		k.blocked = err
	case content == nil:
		k.had, k.pending = true, true
	default:
		if err := k.restore(content, info, true); err != nil {
			return err
		}
	}
	k.pending = k.pending || k.failed != nil // so that it is tried again
	k.kept.WalkAll()
	k.clean = k.kept.Version()
	return nil
}

// restore gives the object the data of a file. An error says that they belong to something else.
func (k *keeper) restore(content []byte, info fs.FileInfo, first bool) error {
	doc, err := keep.Decode(content)
	if err != nil {
		return k.broken(content, info, first, err)
	}
	if typ := doc.Nodes[doc.Root].Type; typ != k.kept.Type() {
		was, is := cmp.Or(typ, "without a type"), cmp.Or(k.kept.Type(), "without a type")
		err := fault.New(fault.Precondition, "%s holds an object %s, and this one is %s: give it another name, or change the \"$type\" of the \"data\" in that file if the type was renamed",
			k.file.rel(k.file.file()), was, is)
		if first {
			return err
		}
		k.fault = err.Error()
		return nil
	}
	r := k.kept.Restore(doc, !k.had)
	k.had = true
	k.moved, k.fault, k.blocked, k.pending = r.Err, "", nil, true
	k.file.use(content, info, doc)
	if k.held != "" {
		k.failed = nil // what this session had changed is set aside
	}
	k.file.owed = nil // nothing was saved since, so the file has had it all
	if len(r.Dropped) > 0 || r.Err != nil {
		reason := lostFields(r.Dropped)
		if r.Err != nil {
			reason = "mutate failed"
		}
		k.owe(content, reason)
	}
	return nil
}

// owe has a copy of a file set aside before the next save, and now if this session may save.
func (k *keeper) owe(content []byte, reason string) {
	k.file.owed = append(k.file.owed, owed{content, reason})
	if k.held == "" {
		r := k.file.settle()
		k.note(r)
		if r.err != nil {
			k.failed, k.pending = r.err, true // saving tries again, and does nothing else before
			k.ks.changes++
		}
	}
}

// aside sets content aside. It reports whether that is safe.
func (k *keeper) aside(why string, content []byte, reason string) bool {
	name, err := k.file.setAside(why, content)
	if err != nil {
		k.failed = err
	} else {
		k.asides[name] = reason
	}
	k.ks.changes++
	return err == nil
}

// broken handles a file that is not what it should be. At the start it is set aside; later it stays
// until there is something to save, since something else may be writing it. One of a newer version
// of this program is not broken, and stays.
func (k *keeper) broken(content []byte, info fs.FileInfo, first bool, err error) error {
	if errors.Is(err, keep.ErrNewer) {
		k.blocked = err
		return nil
	}
	k.fault = err.Error()
	if !first || k.held != "" {
		return nil
	}
	if k.aside("broken", content, err.Error()) {
		k.fault, k.pending = "", true
		k.file.use(content, info, nil) // it is safe: the next save replaces it
	} else {
		k.blocked = k.failed
	}
	return nil
}

// full reports whether the file is not used because no more copies of what it has are set aside.
func (k *keeper) full() bool { return errors.Is(k.blocked, errAsides) }

// found is called when looking at the object has ended.
func (k *keeper) found() {
	v := k.kept.Version()
	if v != k.noted || k.kept.Shares() {
		if notes := k.kept.Notes(); !slices.Equal(notes, k.notes) {
			k.notes = notes
			k.ks.changes++
		}
		k.noted = v
	}
	if differs := v != k.clean; differs != k.differs {
		if k.differs = differs; k.held != "" {
			k.ks.changes++
		}
	}
	if k.saving || k.held != "" || k.blocked != nil || v == k.clean && (!k.pending || k.fault != "") {
		return
	}
	if wait := time.Until(k.retry); k.failed != nil && wait > 0 {
		k.ks.arm(wait)
		return
	}
	k.saving, k.started = true, v
	snapshot, changed := k.kept.Snapshot(), v != k.clean
	k.writer.Add(1)
	k.ks.writers.Go(func() {
		defer k.writer.Done()
		result := saved{err: fmt.Errorf("a mistake in this program")}
		if err := executor.Guard(func() error { result = k.file.save(snapshot.Document(), changed); return nil }); err != nil {
			result.err = err
		}
		k.result = &result
		k.ks.exec.Post(k.done)
	})
}

// done takes the result of saving. It may be called again.
func (k *keeper) done() {
	if k.result == nil {
		return
	}
	r := *k.result
	k.result, k.saving = nil, false
	k.note(r)
	switch {
	case r.lost:
		k.held = k.file.owner()
		k.ks.changes++
	case r.err != nil:
		if k.failed == nil || k.failed.Error() != r.err.Error() {
			k.ks.changes++
		}
		k.failed = r.err
		pause := min(keepRetry<<min(k.retries, 10), keepMaxRetry)
		k.retries++
		k.retry = time.Now().Add(pause)
		k.ks.arm(pause)
	case r.left: // what is pending is so still
	default:
		if k.failed != nil || k.fault != "" {
			k.ks.changes++
		}
		k.failed, k.retries, k.fault = nil, 0, ""
		k.clean, k.pending = k.started, false
		k.ks.arm(keepQuiet) // more may have changed meanwhile
	}
	if k.looks && !k.ks.closed {
		k.ks.look()
	}
	k.ks.show()
}

// note records the files that were set aside.
func (k *keeper) note(r saved) {
	for _, name := range r.aside {
		k.asides[name] = r.reason
		k.ks.changes++
	}
}

// saveNow saves what is not saved yet, and waits for it.
func (k *keeper) saveNow() {
	k.done()
	k.kept.WalkAll()
	v := k.kept.Version()
	if k.held != "" || k.blocked != nil {
		if v != k.clean {
			k.unsaved()
		}
		return
	}
	if v != k.clean || k.pending {
		k.started = v
		result := k.file.save(k.kept.Snapshot().Document(), true) // nobody will look at the file again
		k.result = &result
		k.done()
		if result.left { // a newer version's
			k.unsaved()
		}
	}
}

// unsaved sets the data aside that this session could not save, unless the file has them.
func (k *keeper) unsaved() {
	doc := k.kept.Snapshot().Document()
	ours, err := keep.Encode(doc)
	if err != nil {
		k.failed = err
		return
	}
	content, _, _ := k.file.read()
	if theirs, err := keep.Decode(content); err == nil {
		doc.Types, theirs.Types = nil, nil // declarations are no data
		a, err := keep.Encode(doc)
		b, err2 := keep.Encode(theirs)
		if err == nil && err2 == nil && bytes.Equal(a, b) {
			return
		}
	}
	k.aside("unsaved", ours, "the session has ended")
}

// look reports whether something else has done something to the file.
func (k *keeper) look() (changed bool) {
	r := k.file.rescue()
	k.note(r)
	if r.err != nil && k.held == "" {
		k.failed, k.pending = r.err, true // saving tries again
		k.ks.changes++
		k.ks.arm(keepQuiet)
	}
	for name := range k.asides {
		if _, err := os.Lstat(k.file.path(name)); errors.Is(err, fs.ErrNotExist) {
			delete(k.asides, name)
			k.ks.changes++
			changed = changed || k.full() // there is room for another one
		}
	}
	if k.held != "" {
		if owned, err := k.file.own(); owned || err != nil {
			// The other one has ended. What it has saved last counts.
			k.held = ""
			k.ks.changes++
			changed = true
		}
	}
	before, failed := k.file.looked, k.file.lookFailed
	info, err := k.file.stat()
	k.file.lookFailed = err != nil
	if err != nil && k.blocked == nil && !sameFile(before, info) {
		k.file.looked = info
		k.pending = true // saving will say why it cannot
		k.ks.arm(keepQuiet)
		return false
	}
	return changed || !sameFile(before, info) || failed && err == nil
}

// fileChanged reads the file again, in a transaction.
func (k *keeper) fileChanged() {
	content, info, err := k.file.read()
	switch {
	case err != nil:
		return // it is blocked as before, or saving will tell
	case content == nil:
		if k.blocked != nil {
			k.blocked = nil
			k.ks.changes++
		}
		k.pending = k.held == "" // it is made again
		return
	case k.blocked == nil && k.file.known != nil && sha256.Sum256(content) == k.file.hash:
		k.file.known = info
		if k.fault != "" {
			k.fault = ""
			k.ks.changes++
		}
		return
	}
	k.ks.changes++
	if _, err := keep.Decode(content); err != nil {
		if errors.Is(err, keep.ErrNewer) {
			k.blocked, k.fault = err, ""
		} else if !k.full() {
			k.fault = err.Error()
		} else if k.blocked = nil; k.broken(content, info, true, err) == nil && k.blocked == nil {
			k.failed = nil
		}
		return
	}
	k.kept.WalkAll()
	if k.kept.Version() != k.clean {
		if k.held == "" && k.blocked == nil && k.file.known != nil {
			return // both have changed: saving sets the other aside
		}
		// This object never had the data of the file, or does not own it: the file counts.
		ours, err := keep.Encode(k.kept.Snapshot().Document())
		if err != nil || !k.aside("unsaved", ours, "the file was read again") {
			k.file.looked = nil // it is tried again
			return
		}
	}
	if err := k.restore(content, info, false); err != nil {
		k.fault = err.Error()
	}
	k.kept.WalkAll()
	k.clean, k.differs = k.kept.Version(), false
}

// adopt is called when there are new declarations.
func (k *keeper) adopt() {
	r := k.kept.Adopt()
	copied := k.moved != nil // when mutate failed
	if k.moved != nil || r.Err != nil {
		k.moved = r.Err
		k.ks.changes++
	}
	if len(r.Dropped) > 0 && !copied {
		k.writer.Wait() // it uses the file
		if old := k.file.last(); old != nil {
			k.owe(old, lostFields(r.Dropped))
		}
	}
}

// problems returns what the person and the agent must learn about the object.
func (k *keeper) problems() []problem.Problem {
	var list []problem.Problem
	add := func(file string, warning bool, format string, args ...any) {
		list = append(list, problem.Problem{Kind: problem.Keep, Warning: warning, File: k.file.rel(file), Message: fmt.Sprintf(format, args...)})
	}
	file := k.file.file()
	switch {
	case k.blocked != nil:
		add(file, false, "the data of %q cannot be read, and nothing is saved until they can: %v", k.name, k.blocked)
	case k.failed != nil:
		add(file, false, "%q cannot be saved, and is in memory only; it is tried again: %v", k.name, k.failed)
	case k.fault != "":
		add(file, false, "something else has written what cannot be read; the app goes on with its own data: %s", k.fault)
	}
	if k.held != "" {
		if !k.differs {
			add(file, true, "%q is kept by %s: this session shows what that one saves, and saves nothing", k.name, k.held)
		} else {
			add(file, false, "%q is kept by %s: what was changed in this session is not saved", k.name, k.held)
		}
	}
	if k.moved != nil {
		add(file, false, "mutate failed; it is called again when code is loaded: %s", lua.Message(k.moved))
	}
	for _, name := range slices.Sorted(maps.Keys(k.asides)) {
		reason := k.asides[name]
		switch kind := strings.TrimPrefix(name, k.name+"."); {
		case strings.HasPrefix(kind, "broken"):
			add(name, reason == "", "%s could not be read and is kept here (%s): correct it and move it back, or remove it", k.file.rel(file), cmp.Or(reason, "earlier"))
		case strings.HasPrefix(kind, "conflict"):
			add(name, reason == "", "something else has written this to %s while the app had changes of its own, which were saved: copy what is missing there, and remove this file", k.file.rel(file))
		case strings.HasPrefix(kind, "unsaved"):
			add(name, true, "this was changed in a session that did not own %s: copy what is missing there, and remove this file", k.file.rel(file))
		case strings.HasPrefix(kind, "before"):
			add(name, true, "%s as it was before its objects were moved on (%s): remove this file when nothing is missing", k.file.rel(file), cmp.Or(reason, "earlier"))
		}
	}
	for _, note := range k.notes {
		add(file, true, "%s", note)
	}
	return list
}
