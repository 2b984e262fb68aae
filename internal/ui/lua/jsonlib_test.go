package lua_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/lua"
)

func TestJSONEncode(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `P = session:prototype("P", {inherited = 1}) cycle = {} cycle.a = {cycle}
	deep = {} for i = 1, 600 do deep = {deep} end`)
	for code, want := range map[string]string{
		"nil":                                  "null",
		"true":                                 "true",
		"1.5":                                  "1.5",
		"2^53":                                 "9007199254740992",
		`"a\"\n\0"`:                            `"a\"\n\u0000"`,
		"{}":                                   "[]",
		"{1, {2}, 'x'}":                        `[1,[2],"x"]`,
		"{a = 1, _b = {c = false}, [3] = 'n'}": `{"3":"n","_b":{"c":false},"a":1}`,
		"P:new({own = 1})":                     `{"own":1}`,
		"{a = print, b = 1}":                   `{"b":1}`,
		"{print, 1}":                           `[null,1]`,
		"ui.json_null":                         "null",
		"{1, ui.json_null, 3}":                 "[1,null,3]",
		"{a = ui.json_null}":                   `{"a":null}`,
		"ui.json_decode('{}')":                 "{}",
		"ui.json_decode('[]')":                 "[]",
		"(function() local s = {1} return {s, s} end)()": "[[1],[1]]",
		"0/0":                "error: NaN is no JSON number",
		"{a = {1, 1/0}}":     "error: at a[2]: +Inf is no JSON number",
		"cycle":              "error: at a[1]: the table contains itself",
		"{[{}] = 1}":         "error: a table cannot be a key",
		"{x = {[true] = 1}}": "error: at x: a boolean cannot be a key",
	} {
		v := run(t, vm, "local s, err = ui.json_encode("+code+") return s or 'error: ' .. err")
		if got, _ := lua.String(v); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
	run(t, vm, `local s, err = ui.json_encode(deep) assert(s == nil and err:find("nested more than 512 deep"), err)`)
}

func TestJSONDecode(t *testing.T) {
	vm, _ := newVM(t)
	for src, want := range map[string]string{
		`null`:                      "null",
		` [1, 2.5e1 ,-0.5, true] `:  "[1,25,-0.5,true]",
		`{"a":{"b":[]},"c":"x"}`:    `{"a":{"b":[]},"c":"x"}`,
		`"\u00e9\n\/\ud83d\ude00"`:  `"é\n/😀"`,
		`"\ud83dx"`:                 `"�x"`,
		`{"a":null,"b":1}`:          `{"b":1}`,
		`{"a":1,"a":2}`:             `{"a":2}`,
		`"\u00e9\\ \ud83d\ude00\/"`: `"é\\ 😀/"`,
		"\"\xff\\n\xff\"":           `"�\n�"`,
		"\"\xff\"":                  `"�"`,
		``:                          "error: JSON line 1, column 0: unexpected end of JSON input",
		`{"a":1,}`:                  "error: JSON line 1, column 8: invalid character '}' looking for beginning of object key string",
		"[1,\n  x]":                 "error: JSON line 2, column 3: invalid character 'x' looking for beginning of value",
		`["é" 1]`:                   "error: JSON line 1, column 6: invalid character '1' after array element",
		`{"a" 1}`:                   "error: JSON line 1, column 6: invalid character '1' after object key",
		`01`:                        "error: JSON line 1, column 2: invalid character '1' after top-level value",
		`1.`:                        "error: JSON line 1, column 2: invalid character ' ' after decimal point in numeric literal",
		`1e999`:                     "error: the JSON has the number 1e999, which is too large",
		`"a`:                        "error: JSON line 1, column 2: unexpected end of JSON input",
		"\"a\tb\"":                  `error: JSON line 1, column 3: invalid character '\t' in string literal`,
		`"\x"`:                      "error: JSON line 1, column 3: invalid character 'x' in string escape code",
		`"\u12"`:                    `error: JSON line 1, column 6: invalid character '"' in \u hexadecimal character escape`,
		`tru`:                       "error: JSON line 1, column 3: invalid character ' ' in literal true (expecting 'e')",
		`[1]]`:                      "error: JSON line 1, column 4: invalid character ']' after top-level value",
	} {
		vm.Define("t", map[string]any{"src": src})
		v := run(t, vm, "local v, err = ui.json_decode(t.src) if err then return 'error: ' .. err end return v")
		got := string(vm.JSON(v, 1000))
		if s, ok := lua.String(v); ok && strings.HasPrefix(s, "error") {
			got = s
		}
		if got != want {
			t.Errorf("%s = %s, want %s", src, got, want)
		}
	}
	run(t, vm, `local v = ui.json_decode('{"a":null,"b":[null,1]}', true)
	assert(v.a == ui.json_null and v.b[1] == ui.json_null and #v.b == 2 and ui.json_encode(v) == '{"a":null,"b":[null,1]}')
	local v, err = ui.json_decode(("["):rep(600) .. ("]"):rep(600)) assert(v == nil and err:find("nested more than 512 deep"), err)`)
	if got := string(vm.JSON(run(t, vm, "return {ui.json_null}"), 100)); got != "[null]" {
		t.Errorf("json_null is shown as %s", got)
	}
}

// json_decode accepts what the standard library accepts, and the value survives encoding.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}],"c":"\u00e9\ud83d\ude00"}`, `[]`, `{}`, `-1.5e-3`, `"\\"`, `[[[]]]`, `{"1":2}`, "tru", `"\ud800"`, ` 1 `, `[1,]`} {
		f.Add(s)
	}
	vm := limited(f, time.Minute)
	f.Fuzz(func(t *testing.T, src string) {
		defer vm.Arm()()
		vm.Define("t", map[string]any{"src": src})
		decoded := run(t, vm, `local v, err = ui.json_decode(t.src, true) t.err = err return {v}`)
		err, _ := vm.Field(vm.Global("t"), "err")
		if msg, _ := lua.String(err); err != nil {
			if json.Valid([]byte(src)) && !strings.Contains(msg, "nested more than") && !strings.Contains(msg, "too large") {
				t.Fatalf("%q is valid, but: %s", src, msg)
			}
			return
		}
		if !json.Valid([]byte(src)) {
			t.Fatalf("%q is no JSON, but was taken", src)
		}
		vm.Define("t", map[string]any{"v": decoded})
		again, ok := lua.String(run(t, vm, "return (assert(ui.json_encode(t.v[1])))"))
		if !ok {
			t.Fatalf("%q was not encoded", src)
		}
		var want, got any
		if err := json.Unmarshal([]byte(src), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(again), &got); err != nil {
			t.Fatalf("%q became %q: %v", src, again, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q became %q:\n%s", src, again, diff)
		}
	})
}

// Finding the end of a table that was longer once is slow. It is done once.
func TestJSONOfShortenedArray(t *testing.T) {
	vm, _ := newVM(t)
	v := run(t, vm, `local t = {} for i = 1, 320000 do t[i] = i end for i = 320000, 160001, -1 do t[i] = nil end return t`)
	var got []float64
	if err := json.Unmarshal(vm.JSON(v, 8<<20), &got); err != nil || len(got) != 160_000 {
		t.Errorf("JSON has %d elements, %v", len(got), err)
	}
	if b, err := vm.AppendJSON(nil, v); err != nil || json.Unmarshal(b, &got) != nil || len(got) != 160_000 {
		t.Errorf("AppendJSON has %d elements, %v", len(got), err)
	}
}

// JSON for Go callers is made within the deadline, too.
func TestJSONIsStopped(t *testing.T) {
	vm := limited(t, 20*time.Millisecond)
	v := prepare(t, vm, `local t = {} for i = 1, 20 do t = {t, t} end return t`)
	big := prepare(t, vm, `return ("x"):rep(17 * 2^20)`)
	disarm := vm.Arm()
	for vm.Stopped() == nil { // its time passes
		_, _ = vm.Run("test", "while true do end")
	}
	if got := string(vm.JSON(v, 1<<30)); !strings.Contains(got, "stopped after 20ms") {
		t.Errorf("JSON = %.100s", got)
	}
	disarm()
	if b, err := vm.AppendJSON([]byte("1,"), big); err == nil || !strings.Contains(lua.Message(err), "too long to be shown") || string(b) != "1,null" {
		t.Errorf("AppendJSON = %.100s, %v", b, err)
	}
}
