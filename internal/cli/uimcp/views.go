package uimcp

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/files"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/mcpapps"
	"ui-mcp/web"
)

// newViews returns the views of an app, of questions and of terminals in conversations. The caller
// must close them.
func newViews(c appConfig, of *program) *mcpapps.Views {
	a, p := of.App, of.popups
	key, err := viewKey()
	if err != nil {
		c.Log.Warn("views in conversations do not survive a restart of this server", "error", err)
	}
	return mcpapps.New(mcpapps.Options{
		Terminals: func() *mcpapps.TerminalOptions {
			if s := of.shells.Load(); s != nil {
				return &s.views
			}
			return nil
		},
		Changed: a.ChatChanged,
		Session: func(ctx context.Context, id string) (mcpapps.Session, error) {
			s, err := a.Session(ctx, id)
			if err != nil {
				return nil, err // not s: a nil pointer in an interface is not nil
			}
			return s, nil
		},
		PageURL: a.PageURL,
		Client:  web.Chat(),
		Questions: func(own bool, deliver func(msg []byte)) attachedterm.Guest {
			if own {
				return p.chat.Join(deliver)
			}
			return p.openChat.Join(deliver)
		},
		Look:    func() (css, classes string) { return lookOf(a) },
		Key:     key,
		Version: a.Version(),
		Log:     slog.New(slog.NewTextHandler(newViewLog(a.Dir, c.Log), nil)),
	})
}

// minKey is the least length of the key, in bytes.
const minKey = 32

// viewKey returns the key for tokens of views, which all servers of this user share, so that views
// can come back after a restart. With an error, only this process knows the key.
func viewKey() (secret.Key, error) {
	cache, err := environ.Variables(os.Environ()).CacheDir()
	if err != nil {
		return secret.Key(secret.New()), err
	}
	dir := filepath.Join(cache, "ui-mcp")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return secret.Key(secret.New()), err
	}
	text, err := secret.ReadOrMake(filepath.Join(dir, "view.key"), secret.NewLong)
	if err == nil && len(text) < minKey {
		err = errors.New("view.key is too short to be secret")
	}
	if err != nil {
		text = secret.New()
	}
	return secret.Key(text), err
}

// maxLook bounds a style sheet of pages that views get, in bytes.
const maxLook = 256 << 10

// lookOf returns the style sheets of pages, and the class of the default theme.
func lookOf(a *app.App) (css, classes string) {
	html := ""
	if dir := a.Dir(); dir != "" {
		html = filepath.Join(dir, "html")
	}
	read := func(name string) []byte {
		if html != "" {
			if data, err := regular.ReadFile(filepath.Join(html, name), maxLook); err == nil {
				return data
			}
		}
		data, err := fs.ReadFile(bundle.Files, "base/html/"+name)
		if err != nil {
			return nil // a theme that has just been removed
		}
		return data
	}
	var b strings.Builder
	b.Write(read("ui.css"))
	themes := a.Themes()
	for _, name := range themes.Names {
		b.Write(read("themes/" + name + ".css"))
	}
	if themes.Default != "" {
		classes = "theme-" + themes.Default
	}
	return b.String(), classes
}

// maxViewLog is the size at which the log of views begins again, in bytes. The previous one is
// kept.
const maxViewLog = 1 << 20

// newViewLog returns log/mcp-apps.log in the present base directory. log gets the first failure.
func newViewLog(dir func() string, log *slog.Logger) *files.Log {
	var once sync.Once
	path := func() string {
		if dir() == "" {
			return "" // there is no base directory yet
		}
		folder := filepath.Join(dir(), "log")
		_ = os.MkdirAll(folder, 0o755) // else the file cannot be opened
		return filepath.Join(folder, "mcp-apps.log")
	}
	return &files.Log{Path: path, Most: maxViewLog, Previous: ".old", Mode: 0o644, Failed: func(_ []byte, err error) {
		once.Do(func() { log.Warn("the log of views in conversations is incomplete", "error", err) })
	}}
}

// Start implements [mcpui.Ops]: views and clients learn of it.
func (p *program) Start(ctx context.Context) (string, error) {
	url, err := p.App.Start(ctx)
	if err == nil {
		p.views.Refresh()
		if j := p.project.Load(); j != nil {
			j.tellState()
		}
	}
	return url, err
}

// Display implements [mcpui.Ops]: views follow it.
func (p *program) Display(ctx context.Context, session, name string) (app.Displayed, error) {
	done := p.views.Displaying(session, name)
	d, err := p.App.Display(ctx, session, name)
	done(err)
	return d, err
}
