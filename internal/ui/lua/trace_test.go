package lua_test

import "testing"

// A trace tells a method that was called from outside, such as by a click, from the code of a file.
func TestTraceOfHandlers(t *testing.T) {
	vm, _ := newVM(t)
	obj := run(t, vm, `local obj = {}
		function obj:click() return (debug.traceback():gsub("%s*%[Go%][^\n]*", "")) end
		atFile = debug.traceback():match("test:3: in ([^\n]*)")
		return obj`)
	got, err := vm.Call(obj, "click")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(vm.JSON(got, 1000)), `"stack traceback:\n\ttest:2: in function <test:2>"`; got != want {
		t.Errorf("in a method: %s, want %s", got, want)
	}
	if got := string(vm.JSON(run(t, vm, "return atFile"), 1000)); got != `"main chunk"` {
		t.Errorf("in a file: %s", got)
	}
}
