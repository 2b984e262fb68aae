package lua_test

import (
	"testing"

	"ui-mcp/internal/ui/lua"
)

// Errors name what was called, indexed or computed with, and the token of a syntax error; each has
// its line.
func TestErrorsName(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `
		Bad = session:prototype("Bad", { count = EMPTY, owner = EMPTY, title = "" })
		function Bad:rename() end
		function Bad:viaSelf() self:nope() end
		bad = Bad:new()
		local up
		function useUpvalue() up() end`)
	for code, want := range map[string]string{
		`bad:nope()`:                       `test:1: attempt to call method 'nope' of Bad (a nil value)`,
		`local b = bad; return b:renam(1)`: "test:1: attempt to call method 'renam' of Bad (a nil value); did you mean `rename`?",
		`print(1)` + "\n" + `bad.nope(2)`:  `test:2: attempt to call field 'nope' of Bad (a nil value)`,
		`bad:viaSelf()`:                    `test:4: attempt to call method 'nope' of Bad (a nil value)`,
		`local t = {}; t.x.y()`:            `test:1: attempt to index field 'x' (a nil value) with key 'y'`,
		`return bad.owner.name`:            `test:1: attempt to index field 'owner' of Bad (a nil value) with key 'name'`,
		`bad.owner.name = 1`:               `test:1: attempt to index field 'owner' of Bad (a nil value) with key 'name'`,
		`return bad.titel.x`:               "test:1: attempt to index field 'titel' of Bad (a nil value) with key 'x'; did you mean `title`?",
		`local x; x.y = 1`:                 `test:1: attempt to index local 'x' (a nil value) with key 'y'`,
		`nobody()`:                         `test:1: attempt to call global 'nobody' (a nil value)`,
		`pritn("x")`:                       "test:1: attempt to call global 'pritn' (a nil value); did you mean `print`?",
		`bad.title()`:                      `test:1: attempt to call field 'title' of Bad (a string value)`,
		`("x"):nope()`:                     `test:1: attempt to call a non-function object`,
		`useUpvalue()`:                     `test:7: attempt to call upvalue 'up' (a nil value)`,
		`return bad.count + 1`:             `test:1: cannot perform add operation between nil and number: field 'count' of Bad is nil`,
		`print(bad:rename(), bad:nope())`:  `test:1: attempt to call method 'nope' of Bad (a nil value)`,
		`return (f or 3)()`:                `test:1: attempt to call a non-function object`,

		"local x = = 2":            `test:1: syntax error near '='`,
		"local t = {\na = 1\nb=2}": `test:3: syntax error near 'b'`,
		"if x then\nprint(1)\n":    `test:2: unexpected end of the file after ')'`,
		"x = 1 y":                  `test:1: unexpected end of the file after 'y'`,
		"\nx = 'abc":               `test:2: unterminated string`,
		"x = [[abc\n":              `test:1: unterminated multiline string`,
	} {
		_, err := vm.Run("test", code)
		if err == nil || lua.Message(err) != want {
			t.Errorf("%s:\n got %v\nwant %s", code, lua.Message(err), want)
		}
	}
	// Scripts see the names, too.
	if got, _ := lua.String(run(t, vm, `return select(2, pcall(function() bad:nope() end))`)); got != "test:1: attempt to call method 'nope' of Bad (a nil value)" {
		t.Errorf("pcall gives %q", got)
	}
}

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
