package ui

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/kept"
	"ui-mcp/internal/ui/problem"
)

type keeper struct {
	ks   *keeps
	name string
	kept *kept.Graph
	file *keptFile
	// by says who else saves it, whose data this session shows; "": this session.
	by     string
	paged  bool  // the session has a page; guarded by keepOwners.mu
	barred error // why no session of this server can save, or nil

	had     bool       // the object has had the data of the file, or there was none
	clean   int        // the version of the data that the file has
	pending bool       // the file may lack something nevertheless
	saving  chan saved // has what became of it, when a goroutine has saved; nil: nothing is being saved
	started int        // the version that is being saved

	failed   error // why it could not be saved, or nil
	retry    time.Time
	unread   error       // why what the file has cannot be taken, or nil
	previous fs.FileInfo // of the previous version, or nil
	reason   string      // why there is one, or "" if another session or run has made it
	notes    []string
	noted    int // the version that notes are of
}

// open takes the file, and gives the object its data. An error says that this object must not be
// kept in that file.
func (k *keeper) open() error {
	k.claim()
	k.kept.WalkAll()
	k.clean = k.kept.Version()
	k.settle(false)
	if fault.KindOf(k.unread) == fault.Precondition {
		return k.unread
	}
	k.look()
	return nil
}

// claim finds out whether this session may save. gained says that it may from now on, once it has
// taken what the file has: then by is to be cleared.
func (k *keeper) claim() (gained bool) {
	by, wanted, err := k.ks.owners.own(k, k.ks.paged(), false)
	if wanted {
		k.ks.soon() // it is saved first, or was
		if k.saving == nil {
			k.kept.WalkAll()
			if k.blocked() || !k.unsaved() {
				by, _, err = k.ks.owners.own(k, k.ks.paged(), true)
			}
		}
	}
	k.barred = err
	if by != "" && by != k.by {
		k.by, k.failed = by, nil
	}
	return by != k.by
}

// blocked reports whether nothing is saved, so that what the file has is not lost: the object has
// not had it, or it is a newer version's.
func (k *keeper) blocked() bool {
	return k.unread != nil && (!k.had || errors.Is(k.unread, kept.ErrNewer))
}

func (k *keeper) saves() bool { return k.by == "" && k.barred == nil && !k.blocked() }

// unsaved reports whether the file may lack something.
func (k *keeper) unsaved() bool { return k.pending || k.kept.Version() != k.clean }

// isDue reports whether it is time to save.
func (k *keeper) isDue() bool {
	return k.saving == nil && k.saves() && k.unsaved() && (k.failed == nil || !time.Now().Before(k.retry))
}

// settle takes what the file has, in a transaction. If both have changed, the data of the session
// that saves stay, and the file's become the previous version; in another session, and in one that
// has not had the file's data, it is the other way round. With final, nothing is taken any more.
func (k *keeper) settle(final bool) {
	content, info, err := k.file.read()
	switch {
	case err != nil:
		k.unread, k.pending = err, k.had // saving will tell
		return
	case len(content) == 0: // it is made, when nothing is writing it any more
		k.unread, k.had, k.pending = nil, true, true
		if k.file.looked = nil; info != nil && !isFresh(info) {
			k.file.use(content, info)
		}
		return
	case k.had && k.file.has(content):
		k.unread, k.file.known = nil, info
		return
	}
	data, err := k.ks.st.vm.ReadKept(content)
	if err == nil && data.Type() != k.kept.Type() {
		err = fault.New(fault.Precondition, "%s holds an object %s, and this one is %s: give it another name, or change the \"$type\" of the \"data\" in that file if the type was renamed",
			k.file.rel(k.file.file()), cmp.Or(data.Type(), "without a type"), cmp.Or(k.kept.Type(), "without a type"))
	}
	k.unread = err
	k.kept.WalkAll()
	changed := k.kept.Version() != k.clean
	switch {
	case changed && k.had && k.by == "" && !k.blocked():
		if err != nil && isFresh(info) {
			k.file.looked = nil // it is tried again
		} else if k.setAside(content, "something else had written it while the app had changes of its own, which were saved") {
			k.file.use(content, info)
		}
		return
	case err != nil || final:
		return
	case changed && !k.setAside(nil, "it was changed in a session that could not save it, and the file has other data now"):
		return
	}
	k.kept.Restore(data, !k.had)
	k.had, k.pending = true, true
	k.file.use(content, info)
	k.kept.WalkAll()
	k.clean = k.kept.Version()
}

// setAside makes what the file has the previous version or, if theirs is nil, the data of this
// session, which the file has never had, and reports whether that is done. These replace no other
// one: that is from the file.
func (k *keeper) setAside(theirs []byte, reason string) bool {
	content, err := theirs, error(nil)
	if theirs == nil {
		content, err = k.kept.Snapshot().Encode()
	}
	if err == nil {
		err = k.file.setAside(content, theirs == nil)
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s is there already: copy what is missing, and remove it", k.file.rel(k.file.previous()))
	}
	if k.failed, k.retry = err, time.Now().Add(keepRetry); err != nil {
		k.file.looked = nil // it is tried again
		return false
	}
	k.asideFor(reason)
	return true
}

// asideFor records why there is a new previous version.
func (k *keeper) asideFor(reason string) {
	k.previous, _ = os.Lstat(k.file.path(k.file.previous()))
	k.reason = reason
}

// found is called when looking at the object has ended.
func (k *keeper) found() {
	v := k.kept.Version()
	if v != k.noted {
		k.notes, k.noted = k.kept.Notes(), v
	}
	if !k.isDue() {
		return
	}
	saving := make(chan saved, 1)
	k.saving, k.started = saving, v
	snapshot, changed := k.kept.Snapshot(), v != k.clean
	go func() { // close waits for it
		var result saved
		if err := executor.Guard(func() error { result = k.file.save(snapshot, changed); return nil }); err != nil {
			result.err = err
		}
		saving <- result
		k.ks.exec.Post(func() {
			if k.saving == saving {
				k.finish()
			}
			k.ks.look()
		})
	}()
}

// finish waits until the goroutine that saves has ended, if there is one, and takes the result.
func (k *keeper) finish() {
	if k.saving != nil {
		r := <-k.saving
		k.saving = nil
		k.saved(r)
	}
}

func (k *keeper) saved(r saved) {
	if r.reason != "" {
		k.asideFor(r.reason)
	}
	switch {
	case r.err != nil:
		k.failed, k.retry = r.err, time.Now().Add(keepRetry)
	case r.left: // what is pending is so still
	default:
		k.failed, k.unread = nil, nil
		k.clean, k.pending = k.started, false
		k.ks.soon() // more may have changed meanwhile
	}
}

// saveNow saves what is not saved yet, and waits for it. What this session may not save becomes the
// previous version, unless the file has it.
func (k *keeper) saveNow() {
	k.finish()
	gained := k.claim() // the lock and its folder may be gone
	if info, err := k.file.stat(); gained && err == nil && sameFile(info, k.file.known) {
		k.by = "" // what was changed here was made from what the file has
	}
	k.kept.WalkAll()
	v := k.kept.Version()
	for left := saveAttempts; left > 0 && k.saves() && k.unsaved(); left-- {
		k.started = v
		r := k.file.save(k.kept.Snapshot(), v != k.clean)
		if k.saved(r); !r.left {
			return
		}
		k.settle(true)
	}
	if v == k.clean {
		return
	}
	ours, err := k.kept.Snapshot().Encode()
	theirs, _, _ := k.file.read()
	if err != nil || !isSame(ours, theirs) {
		k.setAside(nil, "it was changed in a session that has ended and could not save it")
	}
}

// look reports whether something else has done something to the file, or this session has become
// the one that saves it. Then take is to be called.
func (k *keeper) look() (changed bool) {
	if k.saving != nil {
		return false
	}
	if now, _ := os.Lstat(k.file.path(k.file.previous())); !sameFile(now, k.previous) {
		k.previous, k.reason = now, ""
	}
	gained := k.claim()
	info, err := k.file.stat()
	return gained || !sameFile(k.file.looked, info) || (err != nil) != k.file.bad
}

// take takes what the file has, and makes this session the one that saves, if it may.
func (k *keeper) take() {
	gained := k.claim()
	if k.settle(false); gained {
		k.by = ""
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
	case k.by == "":
	case k.kept.Version() == k.clean:
		add(true, "%q is kept by %s: this session shows what that one saves, and saves nothing", k.name, k.by)
	default:
		add(false, "%q is kept by %s: what was changed in this session is not saved; when that one saves, it is replaced here and becomes %s", k.name, k.by, k.file.rel(k.file.previous()))
	}
	if err := k.kept.Unmoved(); err != nil {
		add(false, "mutate failed; its objects stay as they were, and it is called again when a file is saved: %s", lua.Message(err))
	}
	if k.previous != nil {
		add(true, "%s has another version of these data (%s), written %s: copy what is missing, and remove it; the next one replaces it", k.file.rel(k.file.previous()),
			cmp.Or(k.reason, "from another session, or an earlier run"), k.previous.ModTime().Format(time.DateTime))
	}
	for _, note := range k.notes {
		add(true, "%s", note)
	}
	return list
}
