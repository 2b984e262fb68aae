package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/ui/check"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/spell"
	"ui-mcp/internal/ui/viewdef"
)

// Check finds what does not work in an app, in a session of its own that nobody sees: it loads the
// app, displays it, acts on each control and looks at the texts of its files. The app gets no
// effects outside of that session: what it writes is dropped, what it keeps is in a folder that is
// removed afterwards, requests and programs that it may use are never answered, and terminals are
// not there. opts.Setup must not give it any; the other functions of opts are not called. What
// fails only for want of an effect is no finding.
//
// look, unless it is nil, is called with sessions that display the app as for a person, and may let
// a browser observe them: with a fresh one, and then, with used set, with the one in which the
// controls have been acted on. A session ends when look returns. They are trials, too.
//
// An app that does not exist is an error of kind [fault.NotFound]; one that cannot be loaded is a
// finding.
func Check(ctx context.Context, opts Options, app string, look func(ctx context.Context, s *Session, used bool)) (finding.Checked, error) {
	v := newViews(opts.Dir, opts.Log)
	v.load()
	return checkApp(ctx, opts, v, app, patience, look)
}

// Check is the function Check with the view definitions that the engine has, which include uploaded
// ones. setup takes the place of [Options.Setup]. An agent waits for it, so not all controls of a
// slow app are acted on.
func (e *Engine) Check(ctx context.Context, app string, setup func(*Bridge) error) (finding.Checked, error) {
	opts := e.opts
	opts.Setup = setup
	return checkApp(ctx, opts, e.views, app, impatience, nil)
}

// How long controls are acted on. With impatience, code may run no longer at a time, either.
const (
	patience   = 30 * time.Second
	impatience = time.Second
)

// noApp says that there is no app of a name, and which there are.
func noApp(dir, app string) error {
	text := fmt.Sprintf("there is no app %q in %s", app, dir)
	if names := loadable(dir); len(names) > 0 {
		text += ": the apps are " + strings.Join(names, ", ")
	} else {
		text += ", and no other one"
	}
	return fault.New(fault.NotFound, "%s", text)
}

func checkApp(ctx context.Context, opts Options, v *views, app string, within time.Duration, look func(context.Context, *Session, bool)) (finding.Checked, error) {
	if _, err := globalName(app); err != nil {
		return finding.Checked{}, err
	}
	if !slices.Contains(appNames(opts.Dir), app) {
		return finding.Checked{}, noApp(opts.Dir, app)
	}
	if within != patience {
		opts.LuaTimeout = min(opts.LuaTimeout, within)
	}
	opts.withhold()
	s, end, err := newTrial(opts, v)
	if err != nil {
		return finding.Checked{}, err
	}
	defer end()
	c := &checker{st: s.st, app: app, within: within, seen: map[finding.Finding]bool{}}
	err = s.exec.Do(ctx, func() error { return c.check(ctx, opts.Setup) })
	if err != nil {
		return finding.Checked{}, s.outcome(err)
	}
	if look != nil && c.loaded {
		if err := c.lookAt(ctx, opts, s, look); err != nil {
			return finding.Checked{}, err
		}
	}
	checked := finding.Checked{Findings: c.found, NotTried: c.untried}
	checked.Sort()
	return checked, nil
}

// withhold leaves effects that the app may use without an outcome. Functions under way end with
// their session.
func (o *Options) withhold() {
	if o.HTTP != nil {
		o.HTTP = func(ctx context.Context, _ async.Request) (async.Response, error) {
			<-ctx.Done()
			return async.Response{}, context.Cause(ctx)
		}
	}
	if o.Exec != nil {
		o.Exec = func(ctx context.Context, _ lua.Command) (lua.Result, error) {
			<-ctx.Done()
			return lua.Result{}, context.Cause(ctx)
		}
	}
	if o.Terminals != nil {
		if o.Terminals() != nil {
			o.NoTerminals = async.TerminalsWithheld
		}
		o.Terminals = nil // there may be some before the check ends
	}
	o.Announce, o.Changed, o.DisplayNew, o.Displayed = func(Announcement) {}, nil, nil, nil
}

func newTrial(opts Options, v *views) (s *Session, end func(), err error) {
	dir, err := os.MkdirTemp("", "ui-mcp-check-")
	if err != nil {
		return nil, nil, fault.Wrap(fault.Internal, err, "a folder for what the app keeps")
	}
	opts.trial, opts.owners = true, &keepOwners{dir: dir, names: map[string]*keepOwner{}}
	s = newSession("1", opts, v, &counts{})
	return s, func() {
		s.close()
		if err := os.RemoveAll(dir); err != nil {
			opts.Log.Warn("what an app has kept in a check is still there", "error", err)
		}
	}, nil
}

// lookAt has the app looked at in a fresh session, and in s, which belongs to the checker.
func (c *checker) lookAt(ctx context.Context, opts Options, s *Session, look func(context.Context, *Session, bool)) error {
	fresh, end, err := newTrial(opts, c.st.views)
	if err != nil {
		return err
	}
	defer end()
	err = fresh.Do(ctx, func(tx *Tx) error { return tx.state().setUp(opts.Setup) })
	if err == nil {
		err = fresh.Do(ctx, func(tx *Tx) error { return tx.Display(c.app) })
	}
	if err != nil { // a moment ago, it could be displayed
		c.untried = append(c.untried, finding.Untried{File: c.main, Line: 1, What: "how the app looks", Why: "it could not be displayed again: " + lua.Message(err)})
		return context.Cause(ctx)
	}
	look(ctx, fresh, false)
	usable := false
	err = s.Do(ctx, func(tx *Tx) error {
		st := tx.state()
		if usable = !c.tainted(); usable {
			st.tree.SetRoot(st.vm.Global("mcp"))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if usable {
		look(ctx, s, true)
	} else {
		c.untried = append(c.untried, finding.Untried{File: c.main, Line: 1, What: "how the app looks once its controls have been used", Why: c.asked()})
	}
	return context.Cause(ctx)
}

// A checker checks an app in a session. All of its methods run on the session's goroutine.
type checker struct {
	st      *state
	app     string
	main    string        // the app's file
	loaded  bool          // the app was displayed
	within  time.Duration // for the acts
	found   []finding.Finding
	untried []finding.Untried
	seen    map[finding.Finding]bool
	crawl   crawl
}

func (c *checker) add(f finding.Finding) {
	f.What = strings.Join(strings.Fields(f.What), " ")
	if !c.seen[f] {
		c.seen[f] = true
		c.found = append(c.found, f)
	}
}

// step runs f as a transaction, and reports what is wrong afterwards.
func (c *checker) step(f func() error) error {
	st := c.st
	err := func() error {
		disarm := st.vm.Arm()
		defer disarm()
		return f()
	}()
	tainted := c.tainted()
	st.finish()
	c.problems(tainted || c.tainted() && !st.vm.Tainted())
	return err
}

// tainted reports whether what fails from now on says nothing about the app. An agent does not wait
// as long as a session lets code run, so code that was stopped may be sound.
func (c *checker) tainted() bool {
	return c.st.vm.Tainted() || c.within != patience && c.st.vm.Halted()
}

// problems adds what is wrong in the session: when the app is tainted, only in its view
// definitions.
func (c *checker) problems(tainted bool) {
	for _, p := range c.st.problems.list.All() {
		if of := lua.AppOf(p.File); of != "" && of != c.app || p.File == "" && c.st.appOf(p) != c.app {
			continue
		}
		f := finding.Finding{Code: p.Kind.String(), File: p.File, Line: p.Line, What: p.Message}
		if p.Source != "" {
			f.What = p.Source + ": " + f.What
		}
		switch p.Kind {
		case problem.Binding, problem.Viewdef:
		case problem.Reload:
			f.Code = "load"
			f = locate(f)
		default:
			continue
		}
		if tainted && f.Code != "viewdef" {
			continue
		}
		c.add(f)
	}
}

var luaPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([^\s:]+\.lua):(\d+): `) })

// locate moves the place with which a message of Lua starts to where a finding has it.
func locate(f finding.Finding) finding.Finding {
	if m := luaPlace().FindStringSubmatch(f.What); m != nil {
		f.File = m[1]
		f.Line, _ = strconv.Atoi(m[2]) // it has digits only
		f.What = strings.TrimPrefix(f.What, m[0])
	}
	return f
}

func (c *checker) check(ctx context.Context, setup func(*Bridge) error) error {
	st := c.st
	if err := c.step(func() error { return st.setUp(setup) }); err != nil {
		return err
	}
	file, _ := st.vm.Find([]string{filepath.Join(st.dir, "lua", c.app+".lua"), filepath.Join(st.dir, "apps", c.app, "app.lua")})
	main := st.vm.Key(file)
	c.main = main
	var obj Value
	var global string
	err := c.step(func() (err error) {
		if obj, global, err = st.app(c.app); err != nil {
			return err
		}
		typ := st.vm.Type(obj)
		if err := st.views.checkShowable(typ, st.vm.Origin(typ), c.app, global); err != nil {
			return err
		}
		st.currentApp = c.app
		st.tree.SetRoot(obj)
		return st.vm.SetField(st.vm.Global("mcp"), "value", obj)
	})
	switch {
	case err != nil && !c.tainted():
		text, _, _ := strings.Cut(lua.Message(err), "\nstack traceback")
		c.add(locate(finding.Finding{Code: "load", File: main, Line: 1, What: text}))
	case err != nil:
		c.crawl.end(c.asked())
		c.untried = append(c.untried, finding.Untried{File: main, Line: 1, What: "all of the app", Why: c.crawl.stopped})
	case err == nil:
		c.loaded = true
		c.act(ctx)
		c.missed()
		c.unseen()
		c.again(file, main, global)
	}
	c.texts(ctx)
	return context.Cause(ctx)
}

// displayed reports whether something has displayed a view definition.
func (c *checker) displayed(t *viewdef.Template) bool {
	return slices.Contains(c.st.tree.Templates(), t)
}

// templates lists the view definitions of the app that are in force, and those that it displays.
func (c *checker) templates() (list []*viewdef.Template) {
	for _, t := range c.st.pinned.Templates() {
		if lua.AppOf(t.File) == c.app || lua.AppOf(t.File) == "" && c.displayed(t) {
			list = append(list, t)
		}
	}
	return list
}

// unseen checks the view definitions that nothing has displayed, as far as that is possible: by the
// names that the type declares.
func (c *checker) unseen() {
	for _, t := range c.templates() {
		displayed := c.displayed(t)
		for _, m := range slices.Concat(t.Mistakes, t.Warnings) {
			c.add(finding.Finding{Code: "viewdef", File: m.File, Line: m.Line, What: m.Msg})
		}
		dot := strings.LastIndexByte(t.Key, '.')
		obj := c.st.vm.Bare(t.Key[:dot])
		if near := spell.Nearest(t.Key[:dot], c.st.vm.Types()); obj == nil && near != "" && !displayed && c.st.pinned.Lookup(near, c.app, t.Key[dot+1:], t.Key[dot+1:]) == nil {
			c.add(finding.Finding{
				Code: "viewdef", File: t.File, Line: 1, What: fmt.Sprintf("no type is called %s", t.Key[:dot]),
				Instead: fmt.Sprintf("call the file %s%s.html if it is the view definition of %[1]s", near, t.Key[dot:]),
			})
			obj = c.st.vm.Bare(near) // what is wrong in it would be found one by one otherwise
		}
		if displayed || obj == nil {
			continue
		}
		for _, p := range c.st.tree.MisnamedIn(t, obj) {
			c.add(finding.Finding{Code: "binding", File: p.File, Line: p.Line, What: p.Source + ": " + p.Message})
		}
	}
}

// again runs the app's file as if it had been saved again.
func (c *checker) again(file, main, global string) {
	st := c.st
	before := st.appObject(c.app, global)
	err := c.step(func() error {
		_, err := st.vm.Load(file, true)
		return err
	})
	switch after := st.appObject(c.app, global); {
	case err != nil && c.tainted():
	case err != nil:
		f := locate(finding.Finding{Code: "reload", File: main, Line: 1, What: lua.Message(err)})
		f.What = "this fails when the file is run again, as it is whenever it is saved: " + f.What
		c.add(f)
	case after != before:
		c.add(finding.Finding{
			Code: "reload-guard", File: main, Line: check.AssignedAt(st.vm.Sources()[main], global),
			What:    fmt.Sprintf("whenever the file is saved, %s becomes a new object, and what the person has entered is gone", global),
			Instead: `make it within "if not session.reloading then … end"`,
		})
	}
}

// maxText bounds the files that are searched for names, in bytes.
const maxText = 1 << 20

// texts checks what the texts of the app's files tell.
func (c *checker) texts(ctx context.Context) {
	st := c.st
	var html []string
	ours, theirs := map[string]string{}, map[string]string{} // Lua files
	read := func(file string) string {
		text, err := regular.ReadFile(file, maxText)
		if err != nil {
			return "" // it is reported where it is used
		}
		return string(text)
	}
	folders := []string{filepath.Join(st.dir, "html"), filepath.Join(st.dir, "viewdefs")}
	for _, app := range appFolders(st.dir) {
		folders = append(folders, filepath.Join(st.dir, "apps", app))
	}
	for i := 0; i < len(folders) && ctx.Err() == nil; i++ {
		entries, _ := os.ReadDir(folders[i]) // without the folder there are no files
		of := lua.AppOf(st.vm.Rel(filepath.Join(folders[i], "x")))
		for _, e := range entries {
			file := filepath.Join(folders[i], e.Name())
			switch extension := filepath.Ext(e.Name()); {
			case of != "" && (e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "node_modules" || e.Name() == "viewdefs"):
				folders = append(folders, file)
			case extension == ".html":
				html = append(html, read(file))
			case extension == ".lua" && of == c.app:
				ours[st.vm.Rel(file)] = read(file)
			case extension == ".lua" && of != "":
				theirs[st.vm.Rel(file)] = read(file)
			}
		}
	}
	for _, f := range slices.Concat(check.Templates(c.templates(), html), check.SameTypes(ours, theirs)) {
		c.add(f)
	}
}
