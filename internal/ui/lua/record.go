package lua

import (
	"maps"
	"slices"
)

// A record is what is known of a file from its last run.
type record struct {
	// asked: something other than a file wanted it, such as the start of the session, or ui_run.
	asked bool
	// failed: the last run failed, or was undone together with the run of a file that required this
	// one.
	failed     bool
	unmigrated bool // it ran, but objects could not be migrated
	// began and ended are when it ran, by the modules' clock.
	began, ended int
	// renewed is when, by the same clock, its result took the place of another one, which files
	// that require it may still have.
	renewed int
	// wants are the modules and files that it has asked for, by name; each with the paths at which
	// it may be, in the order in which they are looked for.
	wants map[string][]string
}

func (vm *VM) runBegins(key string) *record {
	m := &vm.modules
	r := m.records[key]
	if r == nil {
		r = &record{}
		m.records[key] = r
	}
	m.clock++
	r.began, r.failed, r.unmigrated = m.clock, true, false
	r.asked = r.asked || vm.file == ""
	return r
}

// Want records that the file that is being loaded asks for a module or file. Of the paths at which
// it may be, the first that exists counts.
func (vm *VM) Want(name string, files ...string) {
	if r := vm.modules.records[vm.file]; r != nil && r.wants != nil {
		r.wants[name] = files
	}
}

// Failing reports whether the last run of a file, which is given by its key, has left a problem.
func (vm *VM) Failing(key string) bool {
	r := vm.modules.records[key]
	return r != nil && (r.failed || r.unmigrated && vm.pending > 0) && isFile(vm.path(key))
}

// A Batch decides which files to run after files have changed: the changed ones that are part of
// the session, files that failed for want of one that has changed, and files that have the old
// result of a module that has a new one.
type Batch struct {
	vm      *VM
	began   int             // by the modules' clock
	changed map[string]bool // keys of files, some of which may be gone
	first   map[string]int  // when files in force were run first in this batch, by the same clock
	// key is [VM.Key], and isFile reports whether there is a regular file. They remember what the
	// file system said: with many files, asking again for each would take quadratic time.
	key    func(file string) string
	isFile func(file string) bool
}

// Batch returns the batch of files that have changed, or are gone.
func (vm *VM) Batch(files []string) *Batch {
	b := &Batch{vm: vm, began: vm.modules.clock, changed: map[string]bool{}, first: map[string]int{}, key: remembered(vm.Key), isFile: remembered(isFile)}
	for _, file := range files {
		b.changed[vm.Key(file)] = true
	}
	return b
}

// remembered returns f, asked once for each path.
func remembered[T any](f func(path string) T) func(path string) T {
	known := map[string]T{}
	return func(path string) T {
		v, ok := known[path]
		if !ok {
			v = f(path)
			known[path] = v
		}
		return v
	}
}

// Next returns the key of the next file to run with [VM.Again]. It takes into account how the ones
// before went.
//
// Of files whose code is in force, those that others require come first, so that these get their
// new results. Files that have never worked are run by the files that require them, since these may
// declare something first.
func (b *Batch) Next() (key string, more bool) {
	m := &b.vm.modules
	var inForce, failing, alone []string
	for _, key := range slices.Sorted(maps.Keys(m.records)) {
		r := m.records[key]
		first := r.ended <= b.began && b.changed[key] // it has not been run in this batch
		stale := b.stale(key, r)
		switch {
		case !r.failed && !first && !stale || !b.isFile(b.vm.path(key)):
		case b.vm.loaded(key) && (first || stale || b.fixed(key, r)):
			inForce = append(inForce, key)
		case b.vm.loaded(key):
		case b.fixed(key, r):
			failing = append(failing, key)
		case first:
			alone = append(alone, key)
		}
	}
	switch {
	case len(inForce) > 0:
		key := b.order(inForce)[0]
		if b.first[key] == 0 {
			b.first[key] = m.clock + 1
		}
		return key, true
	case len(failing) > 0:
		return b.last(failing), true
	}
	b.forgetUnwanted()
	alone = slices.DeleteFunc(alone, func(key string) bool { return m.records[key] == nil })
	if len(alone) > 0 {
		return b.last(alone), true
	}
	return "", false
}

// stale reports whether a file required a module that has another result since. One that has been
// run in this batch may have required a module for the first time, before that was run: then it is
// run once more, unless the module requires it, too.
func (b *Batch) stale(key string, r *record) bool {
	m := &b.vm.modules
	return m.renewed > b.began && slices.ContainsFunc(b.wanted(key), func(w string) bool {
		of := m.records[w]
		if of == nil || of.failed || of.renewed <= b.began {
			return false
		}
		return r.ended <= b.began || r.ended < b.first[w] && !b.reach(w)[key]
	})
}

// fixed reports whether a file that failed may work now: something that it wants has changed in
// this batch, and it has not been run since, or has come into force after it failed.
func (b *Batch) fixed(key string, r *record) bool {
	m := &b.vm.modules
	seen := map[string]bool{key: true}
	var found func(*record) bool
	found = func(of *record) bool {
		for _, files := range of.wants {
			for _, file := range files {
				k := b.key(file)
				w := m.records[k]
				switch {
				case b.vm.loaded(k):
					if w != nil && !w.failed && w.ended > r.ended {
						return true
					}
				case b.changed[k] && r.ended <= b.began:
					return true
				case w != nil && !seen[k]:
					seen[k] = true
					if found(w) {
						return true
					}
				}
				if b.isFile(file) {
					break // it hides the others
				}
			}
		}
		return false
	}
	return r.failed && found(r)
}

// wanted returns the keys of the files that a file wanted in its last run, sorted.
func (b *Batch) wanted(key string) []string {
	r := b.vm.modules.records[key]
	if r == nil {
		return nil
	}
	var keys []string
	for _, files := range r.wants {
		if i := slices.IndexFunc(files, b.isFile); i >= 0 {
			keys = append(keys, b.key(files[i]))
		}
	}
	slices.Sort(keys)
	return keys
}

// order sorts files so that each comes after the files that it wants, as far as that is possible,
// and the first as early as possible.
func (b *Batch) order(keys []string) (sorted []string) {
	seen := map[string]bool{}
	var visit func(list []string)
	visit = func(list []string) {
		for _, key := range list {
			if !seen[key] {
				seen[key] = true
				visit(b.wanted(key))
				if slices.Contains(keys, key) {
					sorted = append(sorted, key)
				}
			}
		}
	}
	visit(keys)
	return sorted
}

// last returns the first of the sorted files that no other one of them wants, as far as that is
// possible.
func (b *Batch) last(keys []string) string {
	slices.Reverse(keys)
	return b.order(keys)[len(keys)-1]
}

// reach returns all files that some files want, directly or through others.
func (b *Batch) reach(keys ...string) map[string]bool {
	seen := map[string]bool{}
	for len(keys) > 0 {
		key := keys[len(keys)-1]
		keys = keys[:len(keys)-1]
		for _, w := range b.wanted(key) {
			if !seen[w] {
				seen[w] = true
				keys = append(keys, w)
			}
		}
	}
	return seen
}

// forgetUnwanted forgets files that have never worked and that no file wants any more.
func (b *Batch) forgetUnwanted() {
	m := &b.vm.modules
	var keep []string
	for key, r := range m.records {
		if b.vm.loaded(key) || r.asked {
			keep = append(keep, key)
		}
	}
	wanted := b.reach(keep...)
	maps.DeleteFunc(m.records, func(key string, r *record) bool {
		return !b.vm.loaded(key) && !r.asked && !wanted[key] && b.isFile(b.vm.path(key))
	})
}

// Again runs a file of a [Batch], which is given by its key. From then on, require returns its
// result.
func (vm *VM) Again(key string) error {
	o := loading{file: vm.path(key), key: key, reloading: vm.loaded(key), caught: true}
	if !o.reloading {
		o.name = key
	}
	_, err := vm.load(o)
	return err
}
