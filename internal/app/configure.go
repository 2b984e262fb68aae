package app

import (
	"context"
	"os"
	"path/filepath"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
)

// A Configuration is the outcome of Configure.
type Configuration struct {
	BaseDir   string   `json:"base_dir"`
	Log       string   `json:"log"`       // where print goes
	ErrorLog  string   `json:"error_log"` // where errors of scripts go
	Installed []string `json:"installed,omitempty"`
	// InstallNeeded and Hint are set if installing is left to the agent and has not been done.
	InstallNeeded bool   `json:"install_needed,omitempty"`
	Hint          string `json:"hint,omitempty"`
}

// Configure makes dir the base directory and ends the running app: its sessions, listeners,
// watchers and port files. Callers that wait for its events get [fault.Gone]. If dir cannot be used
// nothing changes.
//
// It returns when everything has ended, or when ctx ends: a request that came over one of the
// listeners is itself among what ends.
func (a *App) Configure(ctx context.Context, dir string) (Configuration, error) {
	if !filepath.IsAbs(dir) {
		if abs, err := filepath.Abs(dir); err == nil && dir != "" {
			return Configuration{}, fault.New(fault.Invalid, "base_dir must be absolute: did you mean %q?", abs)
		}
		return Configuration{}, fault.New(fault.Invalid, "base_dir must be an absolute path, such as /path/to/project/.claude/ui")
	}
	dir = filepath.Clean(dir)
	a.change.Lock()
	defer a.change.Unlock()
	report, err := a.prepare(dir)
	if err != nil {
		return Configuration{}, err
	}
	a.move(dir)
	select {
	case <-a.ended:
	case <-ctx.Done():
	}
	c := configuration(dir, report)
	if a.opts.Unconfigured && !a.agentInstalled(dir) {
		c.InstallNeeded = true
		c.Hint = "Run ui_install to install agent files and CLAUDE.md instructions"
	}
	return c, nil
}

// Prepare does what Configure does to a folder before it becomes the base directory.
func (a *App) Prepare(dir string) (Configuration, error) {
	dir = filepath.Clean(dir)
	report, err := a.prepare(dir)
	return configuration(dir, report), err
}

func configuration(dir string, report install.Report) Configuration {
	return Configuration{
		BaseDir: dir, Installed: report.Installed,
		Log: filepath.Join(dir, "log", "lua.log"), ErrorLog: filepath.Join(dir, "log", "lua-err.log"),
	}
}

// prepare installs the bundled files if that is up to us and none are there, and checks that an app
// can run in the directory.
func (a *App) prepare(dir string) (report install.Report, err error) {
	if !a.opts.Unconfigured && install.NeedsInstall(dir) {
		report, err = install.Install(install.Options{BaseDir: dir, Source: a.opts.Source})
		if err != nil {
			return report, err
		}
	}
	if err := writable(dir); err != nil {
		return report, err
	}
	_, err = readSettings(dir)
	return report, err
}

// agentInstalled reports whether the project has the bundled agent.
func (a *App) agentInstalled(dir string) bool {
	project, err := install.Project(dir)
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(project, ".claude", "agents", "ui-builder.md"))
	return err == nil
}

// move makes dir the base directory and starts ending the running app, if any. change must be held.
func (a *App) move(dir string) {
	a.mu.Lock()
	old := a.running
	a.dir, a.running = dir, nil
	a.mu.Unlock()
	if old == nil {
		return
	}
	<-a.ended // at most one run ends at a time
	ended := make(chan struct{})
	a.ended = ended
	go func() {
		defer close(ended)
		a.end(old)
	}()
}
