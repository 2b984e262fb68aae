package uimcp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

type linkappCommand struct {
	Add    linkAdd    `cmd:"" help:"Link an app's files."`
	Remove linkRemove `cmd:"" help:"Remove the links of an app; its files stay."`
	List   linkList   `cmd:"" help:"List the apps that are linked."`
}

type linkAdd struct {
	dirFlag
	App string `arg:"" help:"The name of a directory in apps/."`
}

type linkRemove struct {
	dirFlag
	App string `arg:"" help:"The name of the app."`
}

type linkList struct{ dirFlag }

func (c linkAdd) run(_ context.Context, e env) error {
	links, err := appLinks(c.Dir, c.App)
	if err != nil {
		return err
	}
	// If anything is in the way of one link, create no link at all.
	there := map[symlink]bool{}
	for _, l := range links {
		if there[l], err = l.state(c.Dir); err != nil {
			return err
		}
	}
	for _, l := range links {
		if !there[l] {
			if err := l.make(c.Dir); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(e.Out, "%s -> %s\n", safetext.Visible(l.name), safetext.Visible(l.target)); err != nil {
			return err
		}
	}
	return nil
}

func (c linkRemove) run(_ context.Context, e env) error {
	if err := checkApp(c.App); err != nil {
		return err
	}
	removed := 0
	for _, l := range presentLinks(c.Dir) {
		if l.app() != c.App {
			continue
		}
		if err := os.Remove(filepath.Join(c.Dir, filepath.FromSlash(l.name))); err != nil {
			return fault.Wrap(fault.Precondition, err, "remove a link")
		}
		removed++
		if _, err := fmt.Fprintf(e.Out, "removed %s\n", safetext.Visible(l.name)); err != nil {
			return err
		}
	}
	if removed == 0 {
		return fault.New(fault.NotFound, "%s is not linked", c.App)
	}
	return nil
}

func (c linkList) run(_ context.Context, e env) error {
	var apps []string
	for _, l := range presentLinks(c.Dir) {
		apps = append(apps, l.app())
	}
	slices.Sort(apps)
	for _, app := range slices.Compact(apps) {
		if _, err := fmt.Fprintln(e.Out, safetext.Visible(app)); err != nil {
			return err
		}
	}
	return nil
}

// A symlink is a symbolic link to a file or folder of an app. Both paths have slashes.
type symlink struct {
	name   string // relative to the base directory
	target string // relative to the directory of the link
}

// app returns the name of the app, or "" if the link leads elsewhere.
func (l symlink) app() string {
	if rest, ok := strings.CutPrefix(l.target, "../apps/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	return ""
}

// state reports whether the link exists. Anything else in its place is an error.
func (l symlink) state(dir string) (there bool, err error) {
	to, err := os.Readlink(filepath.Join(dir, filepath.FromSlash(l.name)))
	switch {
	case err == nil && filepath.ToSlash(to) == l.target:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	}
	return false, fault.New(fault.Exists, "link %[1]s: %[1]s exists and is not the link, or is below a file: move that away first", l.name)
}

func (l symlink) make(dir string) error {
	file := filepath.Join(dir, filepath.FromSlash(l.name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fault.Wrap(fault.Precondition, err, "link %s", l.name)
	}
	err := os.Symlink(filepath.FromSlash(l.target), file)
	return fault.Wrap(fault.Precondition, err, "link %s (apps are found without links, too)", l.name)
}

func checkApp(app string) error {
	if app == "" || app != filepath.Base(app) || strings.HasPrefix(app, ".") || strings.ContainsAny(app, `/\`) {
		return fault.New(fault.Invalid, "%q is not the name of an app: give the name of a directory in apps/", app)
	}
	return nil
}

// appLinks lists the links of an app, in order.
func appLinks(dir, app string) ([]symlink, error) {
	if err := checkApp(app); err != nil {
		return nil, err
	}
	folder := filepath.Join(dir, "apps", app)
	if info, err := os.Stat(filepath.Join(folder, "app.lua")); err != nil || !info.Mode().IsRegular() {
		return nil, fault.New(fault.NotFound, "there is no app %s: %s has no app.lua", app, folder)
	}
	links := []symlink{
		{"lua/" + app + ".lua", "../apps/" + app + "/app.lua"},
		{"lua/" + app, "../apps/" + app},
	}
	views, _ := fs.Glob(os.DirFS(folder), "viewdefs/[^.]*.html") // the pattern is valid
	for _, v := range views {
		links = append(links, symlink{v, "../apps/" + app + "/" + v})
	}
	return links, nil
}

// presentLinks lists the existing links into apps, in order.
func presentLinks(dir string) (links []symlink) {
	for _, pattern := range []string{"lua/*", "viewdefs/*"} {
		names, _ := fs.Glob(os.DirFS(dir), pattern) // the pattern is valid
		for _, name := range names {
			to, _ := os.Readlink(filepath.Join(dir, filepath.FromSlash(name))) // "": it is no link
			if l := (symlink{name, filepath.ToSlash(to)}); l.app() != "" {
				links = append(links, l)
			}
		}
	}
	return links
}
