package uimcp

import (
	"context"
	"fmt"
	"strings"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

// run serves an app without an agent until ctx is done.
func (c serveCommand) run(ctx context.Context, e env) error {
	log := e.logger(c.LogLevel)
	p, err := newProgram(appConfig{
		Dir: c.Dir, Lua: c.luaFlags, UIPort: int(c.Port), MCPPort: int(c.MCPPort), KeepAgent: true,
		Version: e.version, Log: log,
	})
	if err != nil {
		return err
	}
	defer p.Close()
	url, err := p.Start(ctx)
	if err != nil {
		return err
	}
	if c.Demo != "" {
		shown, err := p.Display(ctx, app.DefaultSession, c.Demo)
		if err != nil {
			return fault.Wrap(fault.KindOf(err), err, "cannot show %s", c.Demo)
		}
		for _, p := range shown.Problems {
			log.Warn("problem in what is shown", "problem", p)
		}
	}
	if _, err := fmt.Fprintf(e.Out, "Serving %s\nOpen %s/%s/ in your browser. Press Ctrl-C to stop.\n", c.Dir, url, app.DefaultSession); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// run installs the bundled files and says what it did.
func (c installCommand) run(_ context.Context, e env) error {
	source, err := bundled()
	if err != nil {
		return err
	}
	r, err := install.Install(install.Options{BaseDir: c.Dir, Force: c.Force, Source: source})
	if err != nil {
		return err
	}
	var b strings.Builder
	if r.VersionSkipped {
		fmt.Fprintf(&b, "Nothing to do: version %s is installed, and this is %s. Use --force to install all the same.\n", r.InstalledVersion, r.BundledVersion)
	}
	for _, f := range r.Installed {
		fmt.Fprintf(&b, "installed %s\n", f)
	}
	for _, f := range r.Skipped {
		fmt.Fprintf(&b, "skipped   %s\n", f)
	}
	_, err = fmt.Fprint(e.Out, b.String())
	return err
}
