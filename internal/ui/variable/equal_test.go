package variable_test

import (
	"math"
	"testing"

	"ui-mcp/internal/ui/variable"
)

// What displays NaN stays as it is while nothing changes, and a row of NaN that moves keeps its
// instance.
func TestNaNEqualsItself(t *testing.T) {
	nan := math.NaN()
	for name, view := range map[string]string{
		"value":            `<b ui-value="n"></b>`,
		"method":           `<b ui-value="number()"></b>`,
		"class":            `<b ui-class-x="n"></b>`,
		"view":             `<b ui-view="n"></b>`,
		"wrapped view":     `<b ui-view="n?wrapper=Wrapped"></b>`,
		"list":             `<ul ui-viewlist="all"><li></li></ul>`,
		"wrapped rows":     `<ul ui-viewlist="all?itemWrapper=Row"><li></li></ul>`,
		"ViewList":         `<ul ui-view="all?wrapper=lua.ViewList"></ul>`,
		"wrapped items":    `<ul ui-view="all?wrapper=lua.ViewList&itemWrapper=Row"></ul>`,
		"window":           `<ul ui-viewlist="all?window"><li></li></ul>`,
		"window, ViewList": `<ul ui-view="all?wrapper=lua.ViewList&window"></ul>`,
	} {
		t.Run(name, func(t *testing.T) {
			app := &obj{typ: "App", fields: fields{"n": nan, "all": list(1.0, nan, nan, "x")}}
			app.methods = map[string]func(*obj, ...variable.Value) (variable.Value, error){
				"number": func(*obj, ...variable.Value) (variable.Value, error) { return math.NaN(), nil },
			}
			w := newWorld(t, app, map[string]string{
				"App.DEFAULT":                view,
				"Wrapped.DEFAULT":            `<b ui-value="value"></b>`,
				"Row.list-item":              `<li ui-value="item"></li>`,
				"lua.ViewList.list-item":     `<ul ui-viewlist="items"><li></li></ul>`,
				"lua.ViewListItem.list-item": `<li ui-value="index"></li>`,
			})
			w.want("nothing has changed")
			before := w.page.instances()
			app.fields["all"] = list("new", nan, 1.0, nan, "x")
			w.scan()
			for id := range before {
				if w.page.insts[id] == nil {
					t.Errorf("instance %d is gone, though its value has only moved", id)
				}
			}
			for _, v := range w.tree.Variables() {
				if v.Depth == 1 && v.Path != "all" && v.ChangeCount > 0 {
					t.Errorf("%s has changed %d times", v.Path, v.ChangeCount)
				}
			}
		})
	}
}

// What becomes NaN, or is so no more, has changed.
func TestNaNEqualsNothingElse(t *testing.T) {
	app := &obj{typ: "App", fields: fields{"n": 1.0}}
	w := newWorld(t, app, map[string]string{"App.DEFAULT": `<b ui-value="n"></b>`})
	app.fields["n"] = math.NaN()
	w.want("a number becomes NaN", "set 0=NaN")
	app.fields["n"] = 1.0
	w.want("and a number again", "set 0=1")
}

// instances returns the ids of what is displayed.
func (p *page) instances() map[int64]bool {
	ids := map[int64]bool{}
	for id := range p.insts {
		ids[id] = true
	}
	return ids
}
