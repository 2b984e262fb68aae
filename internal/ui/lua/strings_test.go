package lua_test

import (
	"strings"
	"testing"

	"ui-mcp/internal/ui/lua"
)

func TestStringFunctions(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`("hello world"):find("o w")`:                              "5 7",
		`("hello"):find("l")`:                                      "3 3",
		`("hello"):find("l", 4)`:                                   "4 4",
		`("hello"):find("l", -1)`:                                  "nil",
		`("hello"):find("xyz")`:                                    "nil",
		`("hello"):find("")`:                                       "1 0",
		`("hello"):find("", 10)`:                                   "6 5",
		`("abc"):find("b", 10, true)`:                              "nil",
		`("a.b"):find(".", 1, true)`:                               "2 2",
		`("a+b"):find("+", 1, true)`:                               "2 2",
		`("key = value"):find("(%w+)%s*=%s*(%w+)")`:                "1 11 key value",
		`("hello"):find("()ll()")`:                                 "3 4 3 5",
		`("hello"):match("h(.-)o")`:                                "ell",
		`("hello"):match(".-")`:                                    "",
		`("hello"):match("^ell")`:                                  "nil",
		`("hello"):match("^(h)(e)")`:                               "h e",
		`("hello"):match("l*$")`:                                   "",
		`("2024-01-15"):match("(%d+)-(%d+)-(%d+)")`:                "2024 01 15",
		`("f(a(b)c)d"):match("%b()")`:                              "(a(b)c)",
		`("THE (quick) fox"):find("%((%a+)%)")`:                    "5 11 quick",
		`("x=[[y]]"):match("%[(=*)%[(.-)%]%1%]")`:                  " y",
		`("\"it's\""):match("([\"'])(.-)%1")`:                      `" it's`,
		`("  trim  "):match("^%s*(.-)%s*$")`:                       "trim",
		`("THE (quick) fox"):gsub("%f[%a]%a+", "w")`:               "w (w) w 3",
		`("a]b-c^d"):gsub("[]^-]", "_")`:                           "a_b_c_d 3",
		`("0xFF"):match("%x+$")`:                                   "FF",
		`("a\0b"):gsub("%z", "0")`:                                 "a0b 1",
		`("äö"):gsub("[\128-\255]+", "?")`:                         "? 1",
		`("a$b"):match("a$b")`:                                     "a$b",
		`("*+"):match("*%+")`:                                      "*+",
		`("hello world"):gsub("o", "0", 1)`:                        "hell0 world 1",
		`("hello"):gsub("", "-")`:                                  "-h-e-l-l-o- 6",
		`("hello"):gsub("x*", "-")`:                                "-h-e-l-l-o- 6",
		`("abc"):gsub("%w", "%0%0")`:                               "aabbcc 3",
		`("abc"):gsub("%w", "%1")`:                                 "abc 3",
		`("hello world"):gsub("(%w+) (%w+)", "%2 %1")`:             "world hello 1",
		`("x"):gsub("x", "%%")`:                                    "% 1",
		`("x"):gsub("x", "%d")`:                                    "%d 1",
		`("$name is $age"):gsub("%$(%w+)", {name = "A", age = 7})`: "A is 7 2",
		`("$x $y"):gsub("%$(%w+)", {x = false})`:                   "$x $y 2",
		`("abc"):gsub("%w", function(c) if c ~= "b" then return c:upper() end end)`: "AbC 3",
		`("abc"):gsub("()", function(p) return p end)`:                              "1a2b3c4 4",
		`("abc"):gsub("^a", "x")`:                                                   "xbc 1",
		`("aaa"):gsub("^a", "x")`:                                                   "xaa 1",
		`("abc"):gsub("b", 5)`:                                                      "a5c 1",
		`("abc"):gsub("z", "x")`:                                                    "abc 0",
		`("abc"):gsub("a", "x", 0)`:                                                 "abc 0",
		`(function() local r = {} for k, v in ("a=1, b=2"):gmatch("(%w+)=(%w+)") do r[#r+1] = k..v end return table.concat(r, ";") end)()`: "a1;b2",
		`(function() local n = 0 for _ in ("abc"):gmatch("") do n = n + 1 end return n end)()`:                                             "4",
		`(function() local n = 0 for _ in ("aaa"):gmatch("^a") do n = n + 1 end return n end)()`:                                           "1",
		`("ab"):rep(3)`: "ababab",
		`("ab"):rep(0) .. ("ab"):rep(-1) .. (""):rep(1e12)`:             "",
		`("%5.1f|%-5s|%05d|%q|%x"):format(3.14159, "ab", 42, "q", 255)`: `  3.1|ab   |00042|"q"|ff`,
		`table.concat({1, "a", 2.5}, ", ")`:                             "1, a, 2.5",
		`table.concat({1, 2, 3}, "-", 2)`:                               "2-3",
		`table.concat({1, 2, 3}, "-", 2, 2)`:                            "2",
		`table.concat({1, 2}, "-", 3)`:                                  "",
		`table.concat({})`:                                              "",
		`#table.concat((function() local t = {} for i = 1, 100000 do t[i] = "ab" end return t end)(), ",")`: "299999",
	} {
		v := run(t, vm, "local r = {"+code+"} for i = 1, select('#', "+code+") do r[i] = tostring(r[i]) end return table.concat(r, ' ')")
		if got, _ := lua.String(v); got != want {
			t.Errorf("%s = %q, want %q", code, got, want)
		}
	}
	for code, want := range map[string]string{
		`("x"):find("[a")`:                          "test:1: malformed pattern",
		`("x"):gsub("x", "%2")`:                     "invalid capture index %2 in the replacement",
		`("x"):gsub("x", true)`:                     "string, table or function expected",
		`("x"):gsub("x", function() return {} end)`: "invalid replacement value (a table)",
		`("%[1]s"):format(1)`:                       "invalid conversion '%['",
		`("%*d"):format(1, 2)`:                      "invalid conversion '%*'",
		`("%99999d"):format(1)`:                     "a width or precision of more than 1000",
		`("%.99999f"):format(1)`:                    "a width or precision of more than 1000",
		`table.concat({1, {}})`:                     "invalid value (table) at index 2",
		`("x"):rep(1e300)`:                          "out of memory",
	} {
		if _, err := vm.Run("test", code); err == nil || !strings.Contains(lua.Message(err), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
}
