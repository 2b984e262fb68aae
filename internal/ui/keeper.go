package ui

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
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
	held string // who else saves it; "": this session does
	// begins says that this session saves it from now on, once it has taken what the file has;
	// barred is why nobody of this server can, or nil.
	begins bool
	barred error

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
	unread  error  // why what the file has cannot be taken, or nil
	had     bool   // the object has had the data of the file, or there was none
	aside   bool   // there is a previous version
	reason  string // why, or "" if it was there before
	unmoved error  // what mutate has failed with
	notes   []string
	noted   int  // the version that notes are of
	differs bool // the data differed from the file when they were looked at last
}

// open takes the file, and gives the object its data. An error says that this object must not be
// kept in that file.
func (k *keeper) open() error {
	k.claim()
	k.kept.WalkAll()
	k.clean = k.kept.Version()
	k.fileChanged()
	if fault.KindOf(k.unread) == fault.Precondition {
		return k.unread
	}
	k.look()
	return nil
}

// claim finds out whether this session may save.
func (k *keeper) claim() {
	own := func(saved bool) (by string, wanted bool, err error) {
		return k.ks.owners.own(k, k.ks.paged(), saved)
	}
	by, wanted, err := own(false)
	if wanted && !k.saving {
		k.kept.WalkAll()
		if k.blocked() || k.kept.Version() == k.clean && !k.pending {
			by, _, err = own(true)
		}
	}
	if wanted {
		k.ks.arm(keepQuiet) // it is saved first, or was
	}
	if k.begins = k.held != "" && by == ""; !k.begins && by != k.held {
		k.held, k.failed = by, nil
		k.ks.changes++
	}
	if fmt.Sprint(err) != fmt.Sprint(k.barred) {
		k.barred = err
		k.ks.changes++
		k.ks.arm(keepQuiet)
	}
}

// lookSoon has the files looked at. It may be called from any goroutine.
func (k *keeper) lookSoon() {
	if k != nil {
		k.ks.exec.Post(k.ks.look)
	}
}

// blocked reports whether nothing is saved, so that what the file has is not lost: the object has
// not had it, or it is a newer version's.
func (k *keeper) blocked() bool {
	return k.unread != nil && (!k.had || errors.Is(k.unread, keep.ErrNewer))
}

// saves reports whether this session may save.
func (k *keeper) saves() bool { return k.held == "" && k.barred == nil && !k.blocked() }

// fileChanged takes what the file has, in a transaction.
func (k *keeper) fileChanged() {
	content, info, err := k.file.read()
	var doc *keep.Document
	switch {
	case err != nil:
		k.pending = k.had // saving will tell
	case len(content) == 0:
		k.had, k.pending = true, true // it is made
	case k.had && k.file.known != nil && sha256.Sum256(content) == k.file.hash:
		k.file.known = info
	default:
		doc, err = keep.Decode(content)
	}
	if err == nil && doc != nil {
		if typ := doc.Nodes[doc.Root].Type; typ != k.kept.Type() {
			err = fault.New(fault.Precondition, "%s holds an object %s, and this one is %s: give it another name, or change the \"$type\" of the \"data\" in that file if the type was renamed",
				k.file.rel(k.file.file()), cmp.Or(typ, "without a type"), cmp.Or(k.kept.Type(), "without a type"))
		}
	}
	if k.unread = err; err == nil && doc != nil {
		k.take(content, info, doc)
	}
	k.ks.changes++
}

// take gives the object the data of the file. If both have changed, the data of the session that
// saves stay, and saving sets the file's aside; in another session, and in one that has not had the
// file's data, it is the other way round.
func (k *keeper) take(content []byte, info fs.FileInfo, doc *keep.Document) {
	k.kept.WalkAll()
	if k.kept.Version() != k.clean {
		if k.had && k.held == "" {
			return
		}
		if !k.setAside("it was changed in a session that could not save it, and the file has other data now") {
			k.file.looked = nil // it is tried again
			return
		}
	}
	k.kept.Restore(doc, !k.had)
	k.had, k.pending = true, true
	k.file.use(content, info, doc)
	k.kept.WalkAll()
	k.clean, k.differs = k.kept.Version(), false
}

// setAside makes the data of this session the previous version, and reports whether that is safe.
func (k *keeper) setAside(reason string) bool {
	ours, err := keep.Encode(k.kept.Snapshot().Document())
	if err == nil {
		err = k.file.setAside(ours)
	}
	if err != nil {
		k.failed = err
	} else {
		k.aside, k.reason = true, reason
	}
	k.ks.changes++
	return err == nil
}

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
	if unmoved := k.kept.Unmoved(); fmt.Sprint(unmoved) != fmt.Sprint(k.unmoved) {
		k.unmoved = unmoved
		k.ks.changes++
	}
	if differs := v != k.clean; differs != k.differs {
		if k.differs = differs; k.held != "" {
			k.ks.changes++
		}
	}
	if k.saving || !k.saves() || v == k.clean && !k.pending {
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
	if r.reason != "" {
		k.aside, k.reason = true, r.reason
		k.ks.changes++
	}
	switch {
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
		k.ks.arm(keepLook)
	default:
		if k.failed != nil || k.unread != nil {
			k.ks.changes++
		}
		k.failed, k.retries, k.unread = nil, 0, nil
		k.clean, k.pending, k.differs = k.started, false, false
		k.ks.arm(keepQuiet) // more may have changed meanwhile
	}
	if k.looks && !k.ks.closed {
		k.ks.look()
	}
	k.ks.show()
}

// saveNow saves what is not saved yet, and waits for it. What this session may not save becomes the
// previous version, unless the file has it.
func (k *keeper) saveNow() {
	k.done()
	k.kept.WalkAll()
	v, mine := k.kept.Version(), k.saves()
	if mine && (v != k.clean || k.pending) {
		k.started = v
		r := k.file.save(k.kept.Snapshot().Document(), v != k.clean)
		k.result = &r
		k.done()
		mine = !r.left
	}
	if mine || v == k.clean {
		return
	}
	doc := k.kept.Snapshot().Document()
	content, _, _ := k.file.read()
	if theirs, err := keep.Decode(content); err == nil {
		doc.Types, theirs.Types = nil, nil // declarations are no data
		a, err := keep.Encode(doc)
		b, err2 := keep.Encode(theirs)
		if err == nil && err2 == nil && bytes.Equal(a, b) {
			return
		}
	}
	k.setAside("it was changed in a session that has ended and could not save it")
}

// look reports whether something else has done something to the file, or this session has become
// the one that saves it. Then fileChanged is to be called, and begin.
func (k *keeper) look() (changed bool) {
	if _, err := os.Lstat(k.file.path(k.file.previous())); (err == nil) != k.aside {
		k.aside, k.reason = err == nil, ""
		k.ks.changes++
	}
	k.claim()
	info, err := k.file.stat()
	return k.begins || !sameFile(k.file.looked, info) || (err != nil) != k.file.bad
}

// begin makes this session the one that saves, if it may.
func (k *keeper) begin() {
	if k.begins {
		k.held, k.begins = "", false
		k.ks.changes++
	}
}

// problems returns what the person and the agent must learn about the object.
func (k *keeper) problems() []problem.Problem {
	var list []problem.Problem
	file := k.file.rel(k.file.file())
	add := func(warning bool, format string, args ...any) {
		list = append(list, problem.Problem{Kind: problem.Keep, Warning: warning, File: file, Message: fmt.Sprintf(format, args...)})
	}
	switch {
	case k.blocked():
		add(false, "the data of %q cannot be read, and nothing is saved until they can: %v", k.name, k.unread)
	case k.failed != nil || k.barred != nil:
		add(false, "%q cannot be saved, and is in memory only; it is tried again: %v", k.name, cmp.Or(k.failed, k.barred))
	case k.unread != nil:
		add(false, "something else has written what cannot be read; the app goes on with its own data: %v", k.unread)
	}
	switch {
	case k.held == "":
	case !k.differs:
		add(true, "%q is kept by %s: this session shows what that one saves, and saves nothing", k.name, k.held)
	default:
		add(false, "%q is kept by %s: what was changed in this session is not saved; when that one saves, it is replaced here and becomes %s", k.name, k.held, k.file.rel(k.file.previous()))
	}
	if k.unmoved != nil {
		add(false, "mutate failed; its objects stay as they were, and it is called again when a file is saved: %s", lua.Message(k.unmoved))
	}
	if k.aside {
		add(true, "%s has another version of these data (%s): copy what is missing, and remove it; the next one replaces it", k.file.rel(k.file.previous()), cmp.Or(k.reason, "from another session, or an earlier run"))
	}
	for _, note := range k.notes {
		add(true, "%s", note)
	}
	return list
}
