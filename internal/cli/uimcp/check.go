package uimcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"

	uimcp "ui-mcp"
	"ui-mcp/internal/app"
	"ui-mcp/internal/chromium"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
	"ui-mcp/internal/look"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/ui"
)

type checkCommand struct {
	dirFlag
	Apps []string `arg:"" name:"app" help:"The names of apps, such as contacts."`
	JSON bool     `name:"json" help:"Print what was found, and what was not tried, as JSON."`

	NoBrowser bool `help:"Do not look at the app in a browser."`
}

func (c checkCommand) run(ctx context.Context, e env) error {
	version, err := install.Version(uimcp.Readme)
	if err != nil {
		return err
	}
	var eyes *app.Eyes
	if !c.NoBrowser {
		looker, observers := look.New(chromium.Options{}), httpui.NewObservers()
		defer looker.Close()
		eyes = &app.Eyes{Looker: looker, Admit: observers.Admit, Serve: serveObserved(observers)}
	}
	var found finding.Checked
	var failed []error // one app that cannot be checked does not keep the others from it
	for _, name := range c.Apps {
		of, err := app.Check(ctx, c.Dir, version, name, eyes)
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			failed = append(failed, err)
		}
		c.add(&found, name, of)
	}
	if len(failed) < len(c.Apps) {
		failed = append(failed, c.print(e, found))
	}
	if err := errors.Join(failed...); err != nil || len(found.Findings) == 0 {
		return err
	}
	return &commandline.StatusError{Status: commandline.ExitFailure}
}

// add adds what was found in an app. Several apps may share files, which are reported once; what is
// about no file needs the name of its app then.
func (c checkCommand) add(all *finding.Checked, name string, of finding.Checked) {
	unnamed := ""
	if len(c.Apps) > 1 {
		unnamed = "apps/" + name
	}
	for _, f := range of.Findings {
		if f.File = cmp.Or(f.File, unnamed); !slices.Contains(all.Findings, f) {
			all.Findings = append(all.Findings, f)
		}
	}
	for _, u := range of.NotTried {
		if u.File = cmp.Or(u.File, unnamed); !slices.Contains(all.NotTried, u) {
			all.NotTried = append(all.NotTried, u)
		}
	}
}

// noTerminal is the picture of every terminal while an app is being checked.
const noTerminal = `<svg xmlns="http://www.w3.org/2000/svg"/>`

// serveObserved returns a function that serves a session to observers, and nothing to others.
func serveObserved(observers *httpui.Observers) func(string, *ui.Session, net.Listener) (func(context.Context) error, error) {
	return func(dir string, s *ui.Session, l net.Listener) (func(context.Context) error, error) {
		log := slog.New(slog.DiscardHandler)
		only := httpui.LookupIn(func(_ context.Context, id string) (*ui.Session, error) {
			if id != s.ID() {
				return nil, fault.New(fault.NotFound, "there is no session %q", id)
			}
			return s, nil
		})
		pages := sessionPages(only, dir, func() app.Themes { return app.ThemesIn(dir) }, log)
		terminal := func(context.Context, string, string) ([]byte, error) { return []byte(noTerminal), nil }
		served := httpserve.Serve(l, gate.Pages(observers.Wrap(http.NotFoundHandler(), pages, terminal), gate.PageOptions{
			Frames: isFrame, Known: observers.Known,
		}), httpserve.Options{Log: log})
		return served.Close, nil
	}
}

func (c checkCommand) print(e env, found finding.Checked) error {
	if c.JSON {
		found.Findings = append([]finding.Finding{}, found.Findings...) // not null
		found.NotTried = append([]finding.Untried{}, found.NotTried...)
	}
	var b strings.Builder // names of files and texts of errors are the app's
	for _, f := range found.Findings {
		fmt.Fprintln(&b, safetext.Visible(f.String()))
	}
	for _, u := range found.NotTried {
		fmt.Fprintln(&b, safetext.Visible(u.String()))
	}
	return e.Print(c.JSON, b.String(), found)
}
