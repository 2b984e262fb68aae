package lua_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui/lua"
)

// nasty is a table whose metamethods and methods all loop forever. entered counts.
const nasty = `
entered = 0
local function loop() entered = entered + 1 while true do end end
local mt = {__index = loop, __newindex = loop, __tostring = loop, __call = loop, __len = loop, __eq = loop, __concat = loop}
thing = setmetatable({}, mt)
class = {new = loop, sync = loop, mutate = loop}
setmetatable(_G, {__index = loop, __newindex = loop})
return thing`

// Every exported method of a VM is an entry into Lua, or may become one. Unarmed, none of them runs
// the app's code; armed, all of them return.
func TestEveryEntryIsBounded(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "loop.lua"), "while true do end")
	skipped := []string{"Arm", "Reading", "Resume", "Close", "Interrupt", "Until", "Extend", "Fail"} // these run nothing
	typ := reflect.TypeFor[*lua.VM]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		if slices.Contains(skipped, m.Name) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			vm := limited(t, 50*time.Millisecond)
			thing := prepare(t, vm, nasty)
			call := func() (refused any) {
				defer func() { refused = recover() }()
				m.Func.Call(arguments(t, m, vm, thing, file))
				return nil
			}
			if refused := call(); refused != nil && !strings.Contains(fmt.Sprint(refused), "without a deadline") {
				t.Errorf("unarmed: panic: %v", refused)
			}
			if n := string(vm.JSON(vm.Global("entered"), 100)); n != "0" {
				t.Errorf("unarmed, it entered Lua %s times", n)
			}
			defer vm.Arm()()
			if refused := call(); refused != nil {
				t.Errorf("armed: panic: %v", refused)
			}
		})
	}
}

// arguments returns arguments for a method: values, files and code that loop.
func arguments(t *testing.T, m reflect.Method, vm *lua.VM, thing lua.Value, file string) []reflect.Value {
	t.Helper()
	args := []reflect.Value{reflect.ValueOf(vm)}
	n := m.Type.NumIn()
	if m.Type.IsVariadic() {
		n--
	}
	for i := 1; i < n; i++ {
		switch in := m.Type.In(i); {
		case m.Name == "Run" && i == 2:
			args = append(args, reflect.ValueOf("while true do end"))
		case strings.HasPrefix(m.Name, "Wrap") && in.Kind() == reflect.String:
			args = append(args, reflect.ValueOf("class"))
		case in.Kind() == reflect.String:
			args = append(args, reflect.ValueOf(file))
		case in.Kind() == reflect.Interface:
			args = append(args, reflect.ValueOf(thing))
		case in.Kind() == reflect.Int:
			args = append(args, reflect.ValueOf(1000))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}

// Only the listed functions call functions of the library that may run code, so that no entry can
// be added without a deadline.
func TestWhereLuaIsEntered(t *testing.T) {
	allowed := map[string][]string{ // functions of this package, by the function of the library that they call
		"PCall":       {"pcall", "openProtect", "protected"},
		"CallByParam": nil, "DoString": nil, "DoFile": nil, "LoadFile": nil, "LoadString": nil,
		"Load":   nil,
		"Resume": nil,
	}
	files, err := filepath.Glob("*.go")
	libraries, err2 := filepath.Glob("*/*.go")
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for _, name := range append(files, libraries...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x := types.ExprString(sel.X)
				if where, listed := allowed[sel.Sel.Name]; listed && (x == "vm.state" || x == "lib.state") && !slices.Contains(where, f.Name.Name) {
					t.Errorf("%s: %s calls %s of the library", name, f.Name.Name, sel.Sel.Name)
				}
				if setUp := strings.HasPrefix(f.Name.Name, "open") || f.Name.Name == "redirect"; !setUp && strings.HasSuffix(sel.Sel.Name, "etGlobal") {
					t.Errorf("%s: %s calls %s, which may run a metamethod of _G", name, f.Name.Name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// A pass remembers where an object inherits from only as long as no code runs.
func TestPassSeesNewParents(t *testing.T) {
	vm := limited(t, time.Minute)
	obj := prepare(t, vm, `
meta = {__index = {name = "first", rename = function() meta.__index = {name = "second"} end}}
return setmetatable({}, meta)`)
	name := func() string {
		v, err := vm.Field(obj, "name")
		if err != nil {
			t.Fatal(err)
		}
		s, _ := lua.String(v)
		return s
	}
	disarm := vm.Reading()
	before := name()
	if _, err := vm.Call(obj, "rename"); err != nil {
		t.Fatal(err)
	}
	if after := name(); before != "first" || after != "second" {
		t.Errorf("the name is %q, and %q after a method has changed what the object inherits", before, after)
	}
	disarm()
	prepare(t, vm, `meta.__index = {name = "third"}`)
	if later := name(); later != "third" {
		t.Errorf("after the pass, the name is %q", later)
	}
}

// Everything that is read in one pass shares one finite budget.
func TestPassSharesItsTime(t *testing.T) {
	vm := limited(t, 64*time.Millisecond)
	obj := prepare(t, vm, "n = 0 return {slow = function() n = n + 1 while true do end end}")
	disarm := vm.Arm()
	if vm.Stopped() != nil || vm.Resume() {
		t.Error("nothing was stopped, and this is no pass")
	}
	disarm()
	disarm = vm.Reading()
	var shares []string
	for {
		_, err := vm.Call(obj, "slow")
		if err == nil || vm.Stopped() == nil {
			t.Fatalf("slow() = %v", err)
		}
		msg := lua.Message(err)
		msg = msg[strings.Index(msg, "stopped after ")+len("stopped after "):]
		shares = append(shares, msg[:strings.IndexByte(msg, ':')])
		if !strings.Contains(msg, "not called again") {
			t.Errorf("the message does not say what follows: %s", msg)
		}
		if !vm.Resume() {
			break
		}
	}
	disarm()
	if want := []string{"32ms", "16ms", "8ms", "4ms", "2ms", "1ms"}; !slices.Equal(shares, want) {
		t.Errorf("shares are %q, want %q", shares, want)
	}
}
