package lua

// A journal holds what the files that are being loaded have done beyond the tables of a [snapshot],
// such as starting timers.
type journal struct {
	files int // being loaded, one required by the other
	depth int // the VM's depth at which the code of the innermost one runs
	deeds []deed
}

// A deed is done at once, but so that it can be undone: what it ends ends only when the file has
// succeeded.
type deed struct{ undo, settle func() }

// Did records what a script has just done. If the file that is being loaded fails, undo is called,
// in reverse order; else settle, when that is certain: at once, if no file is being loaded. Either
// may be nil.
func (vm *VM) Did(undo, settle func()) {
	if vm.journal.files > 0 {
		vm.journal.deeds = append(vm.journal.deeds, deed{undo, settle})
	} else if settle != nil {
		settle()
	}
}

// attempt begins the run of a file. end must be called with whether it succeeded; if it did not,
// everything is as before: what [snapshot] has, and the deeds. Effects on objects, on plain tables
// in globals, on files and on the outside world stay.
//
// Where nothing can catch the error, so that the file that requires this one fails, too, undoing is
// left to that one: a snapshot for each module would take quadratic time.
func (vm *VM) attempt(caught bool) (end func(ok bool)) {
	j := &vm.journal
	var saved *snapshot
	if caught || j.files == 0 || vm.depth > j.depth {
		saved = vm.snapshot()
	}
	before, depth := len(j.deeds), j.depth
	j.files++
	j.depth = vm.depth + 1
	return func(ok bool) {
		j.files--
		j.depth = depth
		switch {
		case ok && j.files == 0:
			deeds := j.deeds
			j.deeds = nil
			for _, d := range deeds {
				if d.settle != nil {
					d.settle()
				}
			}
		case !ok && saved != nil:
			for len(j.deeds) > before {
				d := j.deeds[len(j.deeds)-1]
				j.deeds = j.deeds[:len(j.deeds)-1]
				if d.undo != nil {
					d.undo()
				}
			}
			vm.restore(saved)
		}
	}
}
