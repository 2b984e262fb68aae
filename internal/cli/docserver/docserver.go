// Package docserver is the command "docs" of our commands: it displays the documentation in the
// browser, or prints it.
package docserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"ui-mcp/bundle"
	"ui-mcp/docs"
	"ui-mcp/internal/cli/browse"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/listen"
	"ui-mcp/internal/transport/docsite"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/peer"
)

// A Command is the command line of "docs".
type Command struct {
	Page   string `arg:"" optional:"" help:"Print this page as Markdown, instead of all in the browser."`
	List   bool   `help:"Print the names of the pages."`
	Port   uint16 `default:"0" placeholder:"PORT" help:"Port of the site (default: any)."`
	NoOpen bool   `help:"Do not open the browser."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Validate is called by kong.
func (c Command) Validate() error {
	if c.List && c.Page != "" {
		return errors.New("--list is about all pages: leave out the page")
	}
	return nil
}

// Details are the last part of what --help prints.
const Details = `The site is on 127.0.0.1 only, until Ctrl-C. Its search finds the sections that have all words. Every page is Markdown, too, for programs that do not ask for HTML.

    PROGRAM docs
    PROGRAM docs --no-open --port 8090
    PROGRAM docs --list
    PROGRAM docs troubleshooting
    PROGRAM docs cheatsheet`

// Run implements [commandline.Shared]: it prints what c asks for, or serves the site until ctx is
// done.
func (c Command) Run(ctx context.Context, e commandline.Call) error {
	icon := httpio.AppIcon
	if e.Program.Name == "wsh" {
		icon = httpio.TerminalIcon
	}
	site, err := docsite.New(docs.Files, bundle.Guides(), icon)
	if err != nil {
		return err
	}
	switch {
	case c.List:
		return c.list(e, site)
	case c.Page != "":
		text, err := site.Source(c.Page)
		if err != nil {
			return fault.New(fault.NotFound, "%v: \"%s docs --list\" lists them", err, e.Program.Name)
		}
		return e.Print(c.JSON, string(text), map[string]string{"name": strings.TrimSuffix(c.Page, ".md"), "text": string(text)})
	}
	return c.serve(ctx, e, site)
}

// list prints the names of all pages.
func (c Command) list(e commandline.Call, site *docsite.Site) error {
	var lines strings.Builder
	names := site.Names()
	for _, n := range names {
		fmt.Fprintf(&lines, "%-26s %s\n", n.Name, strings.TrimSuffix(n.Title+": "+n.About, ": "))
	}
	return e.Print(c.JSON, lines.String(), names)
}

// serve serves the site until ctx is done.
func (c Command) serve(ctx context.Context, e commandline.Call, site *docsite.Site) error {
	l, err := listen.Loopback(int(c.Port))
	switch {
	case listen.IsInUse(err):
		return fault.New(fault.Exists, "port %d is in use: choose another with --port, or 0 for any", c.Port)
	case err != nil:
		return fault.Wrap(fault.Precondition, err, "open a port for the site")
	}
	log := slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	served := httpserve.Serve(l, gate.Pages(site, gate.PageOptions{
		Links: true,
		// The site has nothing that other users of this machine may not read.
		Peer: func(*http.Request) (peer.Standing, error) { return peer.Own, nil },
	}), httpserve.Options{Log: log})
	url := "http://" + l.Addr().String() + "/"
	err = e.Print(c.JSON, "The documentation is at "+url+" until you press Ctrl-C.\n", map[string]string{"url": url})
	if err == nil && !c.NoOpen {
		if problem := browse.Open(url); problem != nil {
			fmt.Fprintf(e.Err, "%s: the browser was not opened: %v\n", e.Program.Name, problem)
		}
	}
	if err == nil {
		<-ctx.Done()
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = served.Close(closing) // what it has not sent by then, nobody waits for
	return err
}
