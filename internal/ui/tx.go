package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/spell"
)

// A Value is a Lua value of a session, opaque outside the session; nil is Lua's nil.
type Value = lua.Value

// A Func is a Go function for Lua. It runs on the session's goroutine and must not block. Results
// may be nil, bools, numbers, strings, Values, and []any and map[string]any of those; an error is
// raised in Lua.
type Func = lua.Func

// A Tx gives access to a session's state during one call of the function given to [Session.Do]. Its
// methods panic once that function has returned.
type Tx struct {
	st *state // nil when the transaction has ended
}

func (tx *Tx) state() *state {
	if tx.st == nil {
		panic("ui: a Tx was used after its transaction had ended")
	}
	return tx.st
}

// MaxResult bounds the JSON of one result or state, in bytes.
const MaxResult = 1 << 20

// Run runs a chunk of Lua and returns its first result as JSON. See [MaxResult].
func (tx *Tx) Run(code string) (json.RawMessage, error) {
	st := tx.state()
	st.tree.Retry() // the code may replace functions that took too long
	v, err := st.vm.Run("ui_run", code)
	if err != nil {
		return nil, withTrace(err)
	}
	return st.vm.JSON(v, MaxResult), nil
}

// withTrace adds Lua's stack to an error, to help find the cause.
func withTrace(err error) error {
	p := failure(problem.Action, err)
	if p.Trace != "" {
		p.Message += "\nstack traceback:\n\t" + p.Trace
	}
	return &fault.Error{Kind: fault.KindOf(err), Msg: p.Message}
}

func (st *state) displayed() Value {
	mcp := st.vm.Global("mcp")
	if mcp == nil {
		return nil
	}
	v, _ := st.vm.Field(mcp, "value") // nil if it fails
	return v
}

// Display displays an app: the global of its name, after loading the app's file if necessary. It
// fails if the app cannot be loaded or its object has no view definition; the error says why, with
// file and line.
func (tx *Tx) Display(name string) error { return tx.state().display(name) }

func (st *state) display(name string) error {
	obj, global, err := st.app(name)
	if err != nil {
		return err
	}
	typ := st.vm.Type(obj)
	origin := st.vm.Origin(typ)
	if err := st.views.checkShowable(typ, origin, name, global); err != nil {
		return err
	}
	st.behind = st.behind || st.pinned.Lookup(typ, origin, "", "") == nil
	mcp := st.vm.Global("mcp")
	if mcp == nil {
		return fault.New(fault.Script, "the global mcp is gone: it must not be overwritten")
	}
	if err := st.vm.SetField(mcp, "value", obj); err != nil {
		return err
	}
	if before := st.currentApp; before != name {
		st.currentApp = name
		st.vm.Did(func() { st.currentApp = before }, func() {
			st.forgetApp(before)
			st.onDisplay(st.id, name)
		})
	}
	return nil
}

// app returns the object of an app and the name of its global, after loading the app's file if the
// global is nil.
func (st *state) app(name string) (obj Value, global string, err error) {
	if global, err = globalName(name); err != nil {
		return nil, "", err
	}
	files := []string{filepath.Join(st.dir, "lua", name+".lua"), filepath.Join(st.dir, "apps", name, "app.lua")}
	st.vm.Want("the app "+name, files...)
	if obj = st.appObject(name, global); obj != nil {
		return obj, global, nil
	}
	file, tried := st.vm.Find(files)
	if file == "" {
		// Not fault.NotFound: the name is valid, but nobody has written the app yet.
		hint := spell.Offer(spell.Nearest(name, appNames(st.dir)))
		return nil, "", fault.New(fault.Precondition, "no app %q: there is no %s in %s%s", name, strings.Join(tried, " and no "), st.dir, hint)
	}
	if _, err := st.vm.Load(file, false); err != nil {
		return nil, "", withTrace(err)
	}
	st.codeLoaded()
	if obj = st.appObject(name, global); obj == nil {
		return nil, "", fault.New(fault.Script, "%s ran, but set no global %s: end it with\nif not session.reloading then\n  %[2]s = SomeType:new()\nend", st.vm.Rel(file), global)
	}
	return obj, global, nil
}

// appObject is the object of an app that is loaded: the global of its name, else what its files
// have given to session:createAppVariable, or nil.
func (st *state) appObject(name, global string) Value {
	if obj := st.vm.Global(global); obj != nil {
		return obj
	}
	return st.vm.AppOf(name)
}

// appNames returns the names of the apps that can be displayed: those in the folder apps, sorted,
// and then the files in lua.
func appNames(dir string) []string {
	names := loadable(dir)
	entries, _ := os.ReadDir(filepath.Join(dir, "lua")) // without the folder there are none
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".lua"); ok && !e.IsDir() {
			names = append(names, name)
		}
	}
	return names
}

// globalName returns the name of an app's global: myApp for my-app and my_app.
func globalName(app string) (string, error) {
	words := strings.FieldsFunc(app, func(r rune) bool { return r == '-' || r == '_' })
	switch {
	case strings.Trim(app, nameChars) != "" || app != "" && app[0] >= '0' && app[0] <= '9':
		return "", fault.New(fault.Invalid, "%q cannot be the name of an app: letters, digits, - and _ can", app)
	case len(words) == 0:
		return "", fault.New(fault.Invalid, "the name of the app is missing")
	}
	for i, word := range words {
		first := strings.ToUpper(word[:1])
		if i == 0 {
			first = strings.ToLower(first)
		}
		words[i] = first + word[1:]
	}
	return strings.Join(words, ""), nil
}

// A Bridge gives the code around a session access to its Lua. Its methods may be called while the
// session is set up, and later by the functions that Define gave to Lua; never otherwise.
type Bridge struct {
	*lua.VM
	st *state
}

// ID is the session's name.
func (b *Bridge) ID() string { return b.st.id }

// JSON returns a value as JSON, limited to [MaxResult].
func (b *Bridge) JSON(v Value) json.RawMessage { return b.VM.JSON(v, MaxResult) }

// Display is [Tx.Display].
func (b *Bridge) Display(name string) error { return b.st.display(name) }

// App returns the object of an app, and loads the app if necessary. It does not display it.
func (b *Bridge) App(name string) (Value, error) {
	obj, _, err := b.st.app(name)
	return obj, err
}

// Apps returns the names of the apps in the folder apps, sorted.
func (b *Bridge) Apps() []string { return loadable(b.st.dir) }

// loadable returns the names of the folders in apps that have an app.lua, sorted.
func loadable(dir string) []string {
	return slices.DeleteFunc(appFolders(dir), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, "apps", name, "app.lua"))
		return err != nil
	})
}

// appFolders returns the names of the folders in apps, sorted. (filepath.Glob would interpret the
// base directory as a pattern, too.)
func appFolders(dir string) []string {
	entries, _ := os.ReadDir(filepath.Join(dir, "apps")) // without the folder there are no apps
	var names []string
	for _, e := range entries {
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	return names
}

// Callback returns a Go function that calls a Lua function, each time in a transaction of its own.
// Errors become problems of the session. It may be called from any goroutine at any time, and does
// nothing once the session has ended, or if the file that is being loaded fails. Arguments may be
// whatever a [Func] may return.
func (b *Bridge) Callback(fn Value) func(args ...any) {
	st, undone := b.st, false
	st.vm.Did(func() { undone = true }, nil)
	return func(args ...any) {
		st.later.do(func() {
			if !undone {
				_ = st.vm.Callback("callback", fn, args...) // it has been reported
			}
		})
	}
}

// Listener is Callback for a function that takes a JSON value, which must be valid and must not be
// changed afterwards. Too many of these calls, or of the bytes of their values, are dropped: see
// maxCalls. The function is called while active returns true.
func (b *Bridge) Listener(fn Value, active func() bool) func(value json.RawMessage) {
	st := b.st
	return func(value json.RawMessage) {
		st.later.call(len(value), func() {
			var v any
			if !active() || json.Unmarshal(value, &v) != nil {
				return
			}
			_ = st.vm.Callback("callback", fn, v) // it has been reported
		})
	}
}

// Later calls f in a transaction of its own, in which f may use the bridge. It may be called from
// any goroutine at any time, does not wait, and does nothing once the session has ended.
func (b *Bridge) Later(f func()) { b.st.later.do(f) }

// Load runs a file below the base directory, if it exists.
func (b *Bridge) Load(file string) error {
	full := filepath.Join(b.st.dir, filepath.FromSlash(file))
	if _, err := os.Stat(full); os.IsNotExist(err) {
		return nil
	}
	if _, err := b.st.vm.Load(full, false); err != nil {
		return err
	}
	b.st.codeLoaded()
	return nil
}
