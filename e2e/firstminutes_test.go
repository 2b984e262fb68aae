//go:build linux || darwin

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit"
	"unicode/utf8"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

const (
	typed      = 200 // characters that a person types in a minute, code included
	toADemo    = time.Minute
	toAnOwnApp = 2 * time.Minute // of typing
)

// A newcomer gets to a running demo, and then writes README.md's app, which tells the agent of a
// click. In "make firstminutes", the command is the built one, or npm installs it from the ARCHIVES
// given there, with an empty cache.
func TestFirstMinutes(t *testing.T) {
	load.Long(t, "TestTutorial makes an app step by step, and TestDemo runs the demo")
	home, b := testkit.ShortDir(t), browser.New(t)
	keys, began := 0, time.Now() // since the last goal
	types := func(text string) { keys += utf8.RuneCountInString(text) }
	typing := func() time.Duration { return time.Duration(keys) * time.Minute / typed }
	command := "ui-mcp"
	env := append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "SHELL=/bin/sh")
	if built := os.Getenv("FIRSTMINUTES_COMMAND"); built != "" {
		command = built
	}
	if packages := strings.Fields(os.Getenv("FIRSTMINUTES_PACKAGES")); len(packages) > 0 {
		types("npm install -g ui-mcp\n")
		install := exec.Command("npm", append([]string{"install", "--no-audit", "--no-fund", "--prefix", home, "--cache", filepath.Join(home, "npm")}, packages...)...)
		install.Env = env
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm install: %v\n%s", err, out)
		}
		command = filepath.Join(home, "node_modules", ".bin", "ui-mcp")
	}

	demo := exec.Command(command, "demo")
	demo.Env = env
	types("ui-mcp demo\n")
	url, stop := serveUntilEnd(t, demo)
	tab := b.Tab()
	tab.Open(url)
	tab.WaitText(".catalog-card", "Plan")
	took := typing() + time.Since(began)
	t.Logf("to a running demo: %d keys, %s", keys, took)
	if took > toADemo {
		t.Errorf("it takes %s to a running demo, want at most %s", took, toADemo)
	}
	tab.Close()
	stop()

	keys, began = 0, time.Now()
	project := filepath.Join(home, "project")
	s := &server{t: t, dir: filepath.Join(project, ".claude", "ui")}
	serve := exec.Command(command, "serve", "--dir", s.dir, "--port", "0", "--mcp-port", "0")
	serve.Env = env
	types("ui-mcp serve --open\n")
	url, _ = serveUntilEnd(t, serve)
	tab = b.Tab()
	tab.Open(url)
	tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for language, name := range map[string]string{"lua": "apps/counter/app.lua", "html": "apps/counter/viewdefs/Counter.DEFAULT.html"} {
		code := regexp.MustCompile("(?s)\n```" + language + "\n(.*?)```\n").FindSubmatch(readme)
		if code == nil {
			t.Fatalf("README.md has no %s", language)
		}
		types(".claude/ui/" + name + string(code[1]))
		s.write(name, string(code[1]))
	}
	tab.Wait(`document.querySelector("button[ui-action]")?.textContent === "Pressed 0 times"`)
	tab.Click("button[ui-action]")
	if status, body := get(t, s.agentURL("/wait?timeout=60")); status != 200 || body != `[{"pressed":1}]` {
		t.Errorf("the agent gets %d %s", status, body)
	}
	tab.WaitText("button[ui-action]", "Pressed 1 times")
	t.Logf("to an own app that tells the agent something: %d keys, %s of typing, %s of waiting", keys, typing(), time.Since(began))
	if typing() > toAnOwnApp {
		t.Errorf("the app takes %s of typing, want at most %s", typing(), toAnOwnApp)
	}
}
