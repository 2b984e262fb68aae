package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
)

const (
	// keepQuiet is how long after a transaction kept objects are looked at, and keepMax how long
	// after the first one at the latest.
	keepQuiet = 200 * time.Millisecond
	keepMax   = time.Second
	// keepStep is how long looking may hold up the session at a time. Between two steps, whatever
	// waits runs.
	keepStep = 2 * time.Millisecond
	// keepRestarts is how often looking begins again since the app's code has run meanwhile. Then
	// it is done in one go: what is saved must have been there at one moment.
	keepRestarts = 3
	// keepShare is how many times as long as it took to look the session is left in peace.
	keepShare = 20
	// keepLook is how often files are looked at, for what others have written.
	keepLook = time.Second
	// keepRetry is the pause after a failure to save.
	keepRetry = 5 * time.Second
)

// keeps are the objects that a session keeps in files. Unless stated otherwise, methods are called
// on the session's goroutine.
//
// Nothing reports that code has changed a table. So after transactions the objects are compared
// with what they were, in steps between other work; a goroutine makes a text of what was found, and
// writes it. So a change costs the session a comparison, and a slow disk costs it nothing.
type keeps struct {
	exec   *executor.Executor
	st     *state
	owners *keepOwners
	list   []*keeper

	count    int64       // transactions so far
	first    time.Time   // when the objects may have changed first since the last look; zero: they have not
	last     time.Time   // and last
	rest     time.Time   // not before then
	timer    *time.Timer // calls due
	walk     *keepWalk   // under way, or nil
	looked   time.Time   // when due has looked at the files last
	seen     time.Time   // when the session had a page last
	closed   bool
	followed []problem.Problem // those that the session's list has
}

type keepWalk struct {
	count    int64 // the transactions when it began
	restarts int
	at       int // in the list: those before have been looked at
	took     time.Duration
}

// Keep implements mcp:keep(name, object).
func (b *Bridge) Keep(args []Value) ([]any, error) { return b.st.keeps.keep(args) }

func (ks *keeps) keep(args []Value) ([]any, error) {
	const usage = `such as mcp:keep("expenses", expenses)`
	name := ""
	if len(args) > 0 {
		name, _ = lua.String(args[0])
	}
	if !isKeepName(name) {
		return nil, fault.New(fault.Invalid, "mcp:keep needs a name of up to 64 letters, digits, - and _, and an object, %s", usage)
	}
	if len(args) < 2 || args[1] == nil {
		return nil, fault.New(fault.Invalid, "there is no object to keep as %q: the second argument is nil, %s", name, usage)
	}
	at := slices.IndexFunc(ks.list, func(k *keeper) bool { return strings.EqualFold(k.name, name) })
	if !lua.Bool(args[1]) { // false
		if at < 0 || ks.list[at].name != name {
			return nil, fault.New(fault.NotFound, "%q is not kept, so false cannot end it; to keep an object, give it, %s", name, usage)
		}
		if err := ks.release(ks.list[at]); err != nil {
			return nil, err
		}
		return []any{nil}, nil
	}
	if at >= 0 {
		if k := ks.list[at]; k.name == name && k.kept.Object() == args[1] {
			return []any{args[1]}, nil // its file was saved again
		}
		return nil, fault.New(fault.Exists, "%q is kept already, for another object: make the object once, within \"if not session.reloading then\", or end that one with mcp:keep(%[1]q, false)", ks.list[at].name)
	}
	if other := slices.IndexFunc(ks.list, func(k *keeper) bool { return k.kept.Object() == args[1] }); other >= 0 {
		return nil, fault.New(fault.Exists, "this object is kept as %q already", ks.list[other].name)
	}
	kept, err := ks.st.vm.Keep(name, args[1])
	if err != nil {
		return nil, err
	}
	k := &keeper{ks: ks, name: name, kept: kept, file: &keptFile{base: ks.owners.dir, name: name}}
	if err := k.open(); err != nil {
		ks.owners.leave(k)
		return nil, err
	}
	ks.list = append(ks.list, k)
	ks.st.vm.Did(func() { ks.remove(k) }, nil)
	return []any{args[1]}, nil
}

// isKeepName reports whether an object can be kept under a name, which becomes the name of a file.
func isKeepName(name string) bool { return validID(name) || name == "ws" }

// release saves an object for the last time. If it cannot be saved, it stays: its data would be
// lost when the object is kept again, which gets what the file has.
func (ks *keeps) release(k *keeper) error {
	k.saveNow()
	if k.failed != nil && k.unsaved() {
		return fault.Wrap(fault.Precondition, k.failed, "%q is still kept, since it cannot be saved", k.name)
	}
	ks.remove(k)
	ks.st.vm.Did(func() {
		if k.claim() {
			k.by = ""
		}
		ks.list = append(ks.list, k)
	}, nil)
	return nil
}

// remove ends keeping an object, without saving it.
func (ks *keeps) remove(k *keeper) {
	ks.owners.leave(k)
	ks.list = slices.DeleteFunc(ks.list, func(other *keeper) bool { return other == k })
	ks.walk = nil
}

// touch is called after each transaction.
func (ks *keeps) touch() {
	ks.count++
	if len(ks.list) == 0 {
		return
	}
	ks.last = time.Now()
	ks.soon()
}

// soon has the objects looked at in a moment.
func (ks *keeps) soon() {
	if ks.first.IsZero() {
		ks.first = time.Now()
		ks.arm(keepQuiet)
	}
}

func (ks *keeps) arm(d time.Duration) {
	if ks.timer != nil {
		ks.timer.Stop()
	}
	if !ks.closed {
		ks.timer = time.AfterFunc(max(d, time.Millisecond), func() { ks.exec.Post(ks.due) })
	}
}

// due does what it is time for. It is called every keepLook, and earlier when objects may have
// changed.
func (ks *keeps) due() {
	if len(ks.list) == 0 {
		ks.first = time.Time{} // the next object has it called again
		return
	}
	now := time.Now()
	if now.Sub(ks.looked) >= keepLook {
		ks.looked = now
		ks.look()
	}
	at := now.Add(keepLook)
	if !ks.first.IsZero() {
		if at = ks.last.Add(keepQuiet); at.After(ks.first.Add(keepMax)) {
			at = ks.first.Add(keepMax)
		}
	} else if slices.ContainsFunc(ks.list, (*keeper).isDue) {
		at = now
	}
	if ks.rest.After(at) {
		at = ks.rest
	}
	if ks.walk == nil && at.After(now) {
		ks.arm(min(at.Sub(now), keepLook))
		return
	}
	ks.arm(keepLook)
	if ks.walk != nil {
		return
	}
	ks.walk = &keepWalk{count: ks.count}
	for _, k := range ks.list {
		k.kept.Restart()
	}
	ks.step()
}

func (ks *keeps) step() {
	w := ks.walk
	if w == nil {
		return
	}
	if w.count != ks.count {
		w.count = ks.count
		w.restarts++
		w.at = 0
		for _, k := range ks.list {
			k.kept.Restart()
		}
	}
	begin := time.Now()
	more := func() bool { return time.Since(begin) < keepStep || w.restarts >= keepRestarts }
	for ; w.at < len(ks.list); w.at++ {
		if !ks.list[w.at].kept.Walk(more) {
			w.took += time.Since(begin)
			ks.exec.Post(ks.step)
			return
		}
	}
	end := time.Now()
	w.took += end.Sub(begin)
	ks.walk, ks.first, ks.rest = nil, time.Time{}, end.Add(keepShare*w.took)
	for _, k := range ks.list {
		k.found()
	}
	ks.show()
}

// show updates the pages if the problems have changed.
func (ks *keeps) show() {
	if !slices.Equal(ks.problems(), ks.followed) {
		ks.st.later.refresh()
	}
}

// look takes notice of what has happened to the files.
func (ks *keeps) look() {
	var changed []*keeper
	for _, k := range ks.list {
		if k.look() {
			changed = append(changed, k)
		}
	}
	if len(changed) == 0 || ks.closed {
		ks.show()
		return
	}
	ks.st.later.transact(func() {
		for _, k := range changed {
			k.take()
		}
	}, nil)
}

// paged reports whether the session has a page, or had one a moment ago.
func (ks *keeps) paged() bool {
	if ks.st.pages() > 0 {
		ks.seen = time.Now()
	}
	return time.Since(ks.seen) < keepAway
}

// joined is called when the session has a page more.
func (ks *keeps) joined() {
	if len(ks.list) > 0 {
		ks.exec.Post(ks.look)
	}
}

// problems returns what keeps objects from being kept.
func (ks *keeps) problems() []problem.Problem {
	var list []problem.Problem
	for _, k := range ks.list {
		list = append(list, k.problems()...)
	}
	return list
}

// close saves all objects for the last time. It is called when the session's goroutine has ended.
func (ks *keeps) close() {
	ks.closed = true
	if ks.timer != nil {
		ks.timer.Stop()
	}
	for _, k := range ks.list {
		k.saveNow()
		ks.owners.leave(k)
		if err := cmp.Or(k.unread, k.failed, k.barred); err != nil {
			ks.st.log.Error("kept data could not be saved", "name", k.name, "error", err)
		}
	}
	ks.list = nil
}
