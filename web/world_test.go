package web_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/ui"
	"ui-mcp/web"
)

// A world is an engine with one app, and a page that shows it.
type world struct {
	*testing.T
	dir, app string
	engine   *ui.Engine
	session  *ui.Session
	tab      *browser.Tab
	handler  atomic.Pointer[http.Handler] // of the engine that runs
}

func newWorld(t *testing.T, app string) *world {
	w := &world{T: t, dir: t.TempDir(), app: app}
	w.write("viewdefs/MCP.DEFAULT.html", `<template><div ui-view="value"></div></template>`)
	return w
}

// open starts the engine with what was written, and opens its page.
func (w *world) open() {
	w.Helper()
	w.start()
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { (*w.handler.Load()).ServeHTTP(rw, r) }))
	w.Cleanup(srv.Close)
	w.Cleanup(func() { w.engine.Close() })
	w.tab = browser.New(w.T).Tab()
	w.tab.Open(srv.URL + "/1/")
}

// caughtUp has the engine notice what was saved.
func (w *world) caughtUp() {
	w.Helper()
	if err := w.engine.CatchUp(w.Context(), true); err != nil {
		w.Fatal(err)
	}
}

// start starts an engine.
func (w *world) start() {
	w.Helper()
	log := slog.New(slog.DiscardHandler)
	w.engine = ui.NewEngine(ui.Options{
		Dir: w.dir, Log: log, LuaTimeout: 10 * time.Second, Announce: func(ui.Announcement) {},
		Setup: func(b *ui.Bridge) error {
			b.Define("mcp", map[string]any{"type": "MCP"})
			return nil
		},
	})
	var err error
	if w.session, err = w.engine.Open(w.Context(), "1"); err != nil {
		w.Fatal(err)
	}
	if err := w.session.Do(w.Context(), func(tx *ui.Tx) error { return tx.Display(w.app) }); err != nil {
		w.Fatal(err)
	}
	handler := http.Handler(httpui.NewUI(httpui.UIOptions{
		Sessions: httpui.LookupIn(func(_ context.Context, id string) (*ui.Session, error) { return w.engine.Session(id) }), HTML: w.dir, Client: web.Dist(), Log: log,
		// Nothing is drawn, which takes a quarter of the time of a page with many controls.
		Fallback: fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><link rel="icon" href="data:,"><style>html { opacity: 0; }</style><main ui-app></main><script src="/main.js"></script>`)}},
	}))
	w.handler.Store(&handler)
}

func (w *world) write(name, content string) {
	w.Helper()
	testkit.Write(w, filepath.Join(w.dir, "apps", w.app), name, content)
}

func (w *world) run(code string) json.RawMessage {
	w.Helper()
	var result json.RawMessage
	err := w.session.Do(w.Context(), func(tx *ui.Tx) (err error) {
		result, err = tx.Run(code)
		return err
	})
	if err != nil {
		w.Fatalf("%s: %v", code, err)
	}
	return result
}
