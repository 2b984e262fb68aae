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

type linkAdd struct{ linkedApp }

type linkRemove struct{ linkedApp }

type linkList struct{ dirFlag }

type linkedApp struct {
	dirFlag
	App string `arg:"" help:"The name of the app, a directory in apps/."`
}

func (c linkAdd) run(_ context.Context, e env) error {
	links, err := c.links()
	if err != nil {
		return err
	}
	// If anything is in the way of one link, create no link at all.
	var missing []symlink
	var out strings.Builder
	for _, l := range links {
		to, err := os.Readlink(l.file(c.Dir))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, l)
		case err != nil || filepath.ToSlash(to) != l.target:
			return fault.New(fault.Exists, "link %[1]s: %[1]s exists and is not the link, or is below a file: move that away first", l.name)
		}
		fmt.Fprintf(&out, "%s -> %s\n", safetext.Visible(l.name), safetext.Visible(l.target))
	}
	for _, l := range missing {
		err := os.MkdirAll(filepath.Dir(l.file(c.Dir)), 0o755)
		if err == nil {
			err = os.Symlink(filepath.FromSlash(l.target), l.file(c.Dir))
		}
		if err != nil {
			return fault.Wrap(fault.Precondition, err, "link %s (apps are found without links, too)", l.name)
		}
	}
	return e.Print(false, out.String(), nil)
}

func (c linkRemove) run(_ context.Context, e env) error {
	if err := c.check(); err != nil {
		return err
	}
	var out strings.Builder
	for _, l := range presentLinks(c.Dir) {
		if l.app() != c.App {
			continue
		}
		if err := os.Remove(l.file(c.Dir)); err != nil {
			return fault.Wrap(fault.Precondition, err, "remove a link")
		}
		fmt.Fprintf(&out, "removed %s\n", safetext.Visible(l.name))
	}
	if out.Len() == 0 {
		return fault.New(fault.NotFound, "%s is not linked", c.App)
	}
	return e.Print(false, out.String(), nil)
}

func (c linkList) run(_ context.Context, e env) error {
	var apps []string
	for _, l := range presentLinks(c.Dir) {
		apps = append(apps, safetext.Visible(l.app())+"\n")
	}
	slices.Sort(apps)
	return e.Print(false, strings.Join(slices.Compact(apps), ""), nil)
}

// A symlink is a symbolic link to a file or folder of an app. Both paths have slashes.
type symlink struct {
	name   string // relative to the base directory
	target string // relative to the directory of the link
}

func (l symlink) file(dir string) string { return filepath.Join(dir, filepath.FromSlash(l.name)) }

// app returns the name of the app, or "" if the link leads elsewhere.
func (l symlink) app() string {
	if rest, ok := strings.CutPrefix(l.target, "../apps/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	return ""
}

func (c linkedApp) check() error {
	if c.App == "" || c.App != filepath.Base(c.App) || strings.HasPrefix(c.App, ".") || strings.ContainsAny(c.App, `/\`) {
		return fault.New(fault.Invalid, "%q is not the name of an app: give the name of a directory in apps/", c.App)
	}
	return nil
}

// links lists the links of the app, in order.
func (c linkedApp) links() ([]symlink, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	folder := filepath.Join(c.Dir, "apps", c.App)
	if info, err := os.Stat(filepath.Join(folder, "app.lua")); err != nil || !info.Mode().IsRegular() {
		return nil, fault.New(fault.NotFound, "there is no app %s: %s has no app.lua", c.App, folder)
	}
	links := []symlink{{"lua/" + c.App + ".lua", "../apps/" + c.App + "/app.lua"}, {"lua/" + c.App, "../apps/" + c.App}}
	views, _ := fs.Glob(os.DirFS(folder), "viewdefs/[^.]*.html") // the pattern is valid
	for _, v := range views {
		links = append(links, symlink{v, "../apps/" + c.App + "/" + v})
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
