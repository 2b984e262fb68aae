package lua

// Loaded reports whether a file is part of the session.
func (vm *VM) Loaded(file string) bool { return vm.modules.loaded[vm.Key(file)] }
