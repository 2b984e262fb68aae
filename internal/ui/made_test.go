package ui_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	vars "ui-mcp/internal/ui/variable"
)

// Scripts create variables of their own, which end with their parents.
func TestScriptsMakeVariables(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	made := func() (out []string) {
		t.Helper()
		raw, _, err := w.session.Variables(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		var list []vars.Variable
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if v.ID < 0 {
				out = append(out, fmt.Sprintf("%d<%d %s %s=%s %v", v.ID, v.ParentID, v.Type, v.Path, v.Value, v.ChildIDs))
			}
		}
		return out
	}
	got, _ := w.run(`thing = Item:new({ name = "x" })
		local a = session:createVariable(1, thing)
		local b = session:createVariable(thing, counter, { path = "label()" })
		return { a, b, session:createVariable(0, {}) }`)
	if got != "[-1,-2,-3]" {
		t.Errorf("ids %s", got)
	}
	want := []string{`-1<1 Item ={"obj":-1} [-2]`, `-2<-1  label()="n is 0" []`, `-3<0  ={"obj":-3} []`}
	if diff := cmp.Diff(want, made()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	w.run("counter.n = 5")
	if got := made()[1]; got != `-2<-1  label()="n is 5" []` {
		t.Errorf("the path is not followed: %s", got)
	}
	if got, _ := w.run("return { session:destroyVariable(thing), session:destroyVariable(-2), session:destroyVariable(-3) }"); got != "[true,false,true]" {
		t.Errorf("destroyed %s", got)
	}
	if got := made(); got != nil {
		t.Errorf("left: %q", got)
	}
	if got, _ := w.run(`return { pcall(session.createVariable, session, 4711, {}) }`); got != `[false,"ui_run:1: session:createVariable: there is no variable 4711"]` {
		t.Errorf("under what is not there: %s", got)
	}
	if got, _ := w.run(`return { pcall(session.createVariable, session, 1, {}, { path = "a..b" }) }`); got[:7] != "[false," {
		t.Errorf("a bad path: %s", got)
	}
	// Variables under a view end with it.
	w.run(`counter.items = {} for i = 1, 3 do counter.items[i] = Item:new({ name = i }) end`)
	list, _, _ := w.session.Variables(t.Context(), "")
	var all []vars.Variable
	if err := json.Unmarshal(list, &all); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(v vars.Variable) bool { return v.Path == "items" })
	row := all[i].ChildIDs[0]
	w.run(fmt.Sprintf(`session:createVariable(%d, {})`, row))
	if len(made()) != 1 {
		t.Fatalf("made %q", made())
	}
	w.run(`counter.items = {}`)
	if got := made(); got != nil {
		t.Errorf("left after its row was removed: %q", got)
	}
}
