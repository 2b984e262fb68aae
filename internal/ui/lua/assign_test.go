package lua_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAssignmentOrder: all expressions of an assignment have their values before anything changes.
func TestAssignmentOrder(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`local a, b = 1, 2; a, b = b, a; return a .. " " .. b`:                                                                   "2 1",
		`local a, b, c = 1, 2, 3; a, b, c = c, a, b; return a .. b .. c`:                                                         "312",
		`local a, b = 0, 0; a, b = a + 1, a + b; return a .. " " .. b`:                                                           "1 0",
		`a, b = 1, 2; a, b = b, a; return a .. " " .. b`:                                                                         "2 1",
		`local a, b = 1, 2; local function swap() a, b = b, a end; swap(); return a .. " " .. b`:                                 "2 1",
		`local i, t = 1, {}; i, t[i] = i + 1, 20; return i .. " " .. tostring(t[1])`:                                             "2 20",
		`local i, t = 1, {}; t[i], i = 20, i + 1; return i .. " " .. tostring(t[1])`:                                             "2 20",
		`local t = {}; local old = t; t, t.x = {}, 1; return tostring(t.x) .. " " .. tostring(old.x)`:                            "nil 1",
		`local t, a = {}, 1; t.x, a = a, 5; return t.x .. " " .. a`:                                                              "1 5",
		`local d, f, a = "e", 1, {}; f, a.d = f, d; return f .. " " .. a.d`:                                                      "1 e",
		`local a, b; a, b = (function() return 1, 2 end)(); return a .. " " .. b`:                                                "1 2",
		`local a, b, c = 1, 2, 3; a, b, c = b, (function() return a, 9 end)(); return a .. b .. c`:                               "219",
		`local a, b = 1, 2; a, b = b; return a .. " " .. tostring(b)`:                                                            "2 nil",
		`local n = 0; local function f() n = n + 1 return n end; local a, b; a, b = f(), f(), f(); return a .. b .. n`:           "123",
		`local a, b = 1, 2; local function see() return a end; a, b = 7, see(); return a .. " " .. b`:                            "7 1",
		`local function f(...) local a, b = 1, 2; a, b = b, ... return a .. " " .. b end return f(8, 9)`:                         "2 8",
		`local a, b = 0, 1; while a < 50 do a, b = b, a + b end return tostring(a)`:                                              "55",
		`local t = {n = 1}; local function at() t.n = t.n + 1 return t end; local x; at().y, x = 1, t.n; return x .. " " .. t.y`: "2 1",
	} {
		t.Run(code, func(t *testing.T) {
			if got := fmt.Sprint(prepare(t, vm, code)); got != want {
				t.Errorf("%v, not %v", got, want)
			}
		})
	}
}

// TestRandomAssignments compares assignments with what they do according to the manual.
func TestRandomAssignments(t *testing.T) {
	vm, _ := newVM(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	places := []string{"a", "b", "up", "global", "t.a", "t.b"}
	for range 300 {
		values := map[string]int{}
		var code strings.Builder
		code.WriteString("local up, t = 0, {} local function f() local a, b ")
		for i, p := range places {
			values[p] = i
			fmt.Fprintf(&code, "%s = %d ", p, i)
		}
		for range 1 + r.IntN(4) {
			var targets, exprs []string
			results := map[string]int{}
			for _, i := range r.Perm(len(places))[:1+r.IntN(len(places))] {
				from, plus := places[r.IntN(len(places))], r.IntN(3)
				expr := from
				if plus > 0 {
					expr = fmt.Sprintf("%s + %d", from, plus)
				}
				targets, exprs = append(targets, places[i]), append(exprs, expr)
				results[places[i]] = values[from] + plus
			}
			fmt.Fprintf(&code, "%s = %s ", strings.Join(targets, ", "), strings.Join(exprs, ", "))
			for p, v := range results {
				values[p] = v
			}
		}
		var want []string
		for _, p := range places {
			want = append(want, fmt.Sprint(values[p]))
		}
		fmt.Fprintf(&code, "return table.concat({%s}, ' ') end return f()", strings.Join(places, ", "))
		if got := fmt.Sprint(prepare(t, vm, code.String())); got != strings.Join(want, " ") {
			t.Fatalf("seed %d: %s\n%v, not %v", seed, code.String(), got, want)
		}
	}
}
