package ui

import (
	"cmp"
	"crypto/sha256"
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
	// by says who else saves it, held whose data this session shows; "": this session. If only by
	// is "", this session saves from now on, once it has taken what the file has.
	by, held string
	barred   error // why no session of this server can save, or nil

	had     bool       // the object has had the data of the file, or there was none
	clean   int        // the version of the data that the file has
	pending bool       // the file may lack something nevertheless
	saving  chan saved // has what became of it, when a goroutine has saved; nil: nothing is being saved
	started int        // the version that is being saved

	failed   error // why it could not be saved, or nil
	retries  int
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
	k.fileChanged()
	if fault.KindOf(k.unread) == fault.Precondition {
		return k.unread
	}
	k.look()
	return nil
}

// claim finds out whether this session may save.
func (k *keeper) claim() {
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
	if (err == nil) != (k.barred == nil) {
		k.ks.soon()
	}
	if k.by, k.barred = by, err; by != "" && by != k.held {
		k.held, k.failed = by, nil
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
	return k.unread != nil && (!k.had || errors.Is(k.unread, kept.ErrNewer))
}

func (k *keeper) saves() bool { return k.held == "" && k.barred == nil && !k.blocked() }

// unsaved reports whether the file may lack something.
func (k *keeper) unsaved() bool { return k.pending || k.kept.Version() != k.clean }

// isDue reports whether it is time to save.
func (k *keeper) isDue() bool {
	return k.saving == nil && k.saves() && k.unsaved() && (k.failed == nil || !time.Now().Before(k.retry))
}

// fileChanged takes what the file has, in a transaction. If both have changed, the data of the
// session that saves stay, and saving sets the file's aside; in another session, and in one that
// has not had the file's data, it is the other way round.
func (k *keeper) fileChanged() {
	content, info, err := k.file.read()
	var data *kept.Data
	switch {
	case err != nil:
		k.pending = k.had // saving will tell
	case len(content) == 0:
		k.had, k.pending = true, true // it is made
	case k.had && k.file.known != nil && sha256.Sum256(content) == k.file.hash:
		k.file.known = info
	default:
		if data, err = k.ks.st.vm.ReadKept(content); err == nil && data.Type() != k.kept.Type() {
			err = fault.New(fault.Precondition, "%s holds an object %s, and this one is %s: give it another name, or change the \"$type\" of the \"data\" in that file if the type was renamed",
				k.file.rel(k.file.file()), cmp.Or(data.Type(), "without a type"), cmp.Or(k.kept.Type(), "without a type"))
		}
	}
	if k.unread = err; err != nil || data == nil {
		return
	}
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
	k.kept.Restore(data, !k.had)
	k.had, k.pending = true, true
	k.file.use(content, info)
	k.kept.WalkAll()
	k.clean = k.kept.Version()
}

// setAside makes the data of this session, which the file has never had, the previous version, and
// reports whether that is safe. It replaces no other one: that is from the file.
func (k *keeper) setAside(reason string) bool {
	ours, err := k.kept.Snapshot().Encode()
	if err == nil {
		err = k.file.setAside(ours, true)
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s is there already: copy what is missing, and remove it", k.file.rel(k.file.previous()))
	}
	if k.failed = err; err == nil {
		k.asideFor(reason)
	}
	return err == nil
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
		result := saved{err: errors.New("a mistake in this program")}
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
		k.failed = r.err
		k.retry = time.Now().Add(min(keepRetry<<min(k.retries, 10), keepMaxRetry))
		k.retries++
	case r.left: // what is pending is so still
	default:
		k.failed, k.retries, k.unread = nil, 0, nil
		k.clean, k.pending = k.started, false
		k.ks.soon() // more may have changed meanwhile
	}
}

// saveNow saves what is not saved yet, and waits for it. What this session may not save becomes the
// previous version, unless the file has it.
func (k *keeper) saveNow() {
	k.finish()
	k.claim() // the lock and its folder may be gone
	if info, err := k.file.stat(); k.by == "" && err == nil && sameFile(info, k.file.known) {
		k.held = "" // what was changed here was made from what the file has
	}
	k.kept.WalkAll()
	v, mine := k.kept.Version(), k.saves()
	if mine && k.unsaved() {
		k.started = v
		r := k.file.save(k.kept.Snapshot(), v != k.clean)
		k.saved(r)
		mine = !r.left
	}
	if mine || v == k.clean {
		return
	}
	ours, err := k.kept.Snapshot().Encode()
	theirs, _, _ := k.file.read()
	if err != nil || !isSame(ours, theirs, false) {
		k.setAside("it was changed in a session that has ended and could not save it")
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
	k.claim()
	info, err := k.file.stat()
	return k.by != k.held || !sameFile(k.file.looked, info) || (err != nil) != k.file.bad
}

// take takes what the file has, and makes this session the one that saves, if it may.
func (k *keeper) take() {
	k.fileChanged()
	k.held = k.by
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
	case k.kept.Version() == k.clean:
		add(true, "%q is kept by %s: this session shows what that one saves, and saves nothing", k.name, k.held)
	default:
		add(false, "%q is kept by %s: what was changed in this session is not saved; when that one saves, it is replaced here and becomes %s", k.name, k.held, k.file.rel(k.file.previous()))
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
