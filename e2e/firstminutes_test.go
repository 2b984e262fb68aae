//go:build linux || darwin

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

const (
	typed      = 200 // characters that a person types in a minute, code included
	toADemo    = time.Minute
	toAnOwnApp = 2 * time.Minute // of typing
)

// A path is what a newcomer does, step by step.
type path struct {
	t     *testing.T
	table strings.Builder
	took  time.Duration // since the last goal, by the clock
	keys  int           // since the last goal
}

// types counts what a person enters.
func (p *path) types(what, text string) {
	n := utf8.RuneCountInString(text)
	p.keys += n
	fmt.Fprintf(&p.table, "%-58s %5d keys %7.1f s of typing\n", what, n, seconds(n))
}

func seconds(keys int) float64 { return float64(keys) * 60 / typed }

// waits measures what the machine does.
func (p *path) waits(what string, f func()) {
	p.t.Helper()
	start := time.Now()
	f()
	d := time.Since(start)
	p.took += d
	fmt.Fprintf(&p.table, "%-58s            %7.1f s\n", what, d.Seconds())
}

// goal ends a part of the path.
func (p *path) goal(what string) (typing, waiting time.Duration) {
	typing, waiting = time.Duration(seconds(p.keys)*float64(time.Second)), p.took
	fmt.Fprintf(&p.table, "%-58s %5d keys %7.1f s of typing, %.1f s of waiting\n\n", what, p.keys, typing.Seconds(), waiting.Seconds())
	p.keys, p.took = 0, 0
	return typing, waiting
}

// A newcomer gets to a running demo, and then writes README.md's app, which tells the agent of a
// click. In "make firstminutes", the command is the built one, or npm installs it from the ARCHIVES
// given there, with an empty cache; the times of all steps are printed.
func TestFirstMinutes(t *testing.T) {
	load.Long(t, "TestTutorial makes an app step by step, and TestDemo runs the demo")
	home := shortDir(t)
	p := &path{t: t}
	command := "ui-mcp"
	env := append(os.Environ(), "HOME="+home, "XDG_RUNTIME_DIR="+home, "XDG_CACHE_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "SHELL=/bin/sh")
	source := "the command of this test"
	if built := os.Getenv("FIRSTMINUTES_COMMAND"); built != "" {
		command, source = built, "the command that make build has built, so without an installation"
	}
	if packages := strings.Fields(os.Getenv("FIRSTMINUTES_PACKAGES")); len(packages) > 0 {
		source = "npm packages, installed with an empty cache"
		p.types("the installation", "npm install -g ui-mcp\n")
		p.waits("npm installs it", func() {
			install := exec.Command("npm", append([]string{"install", "--no-audit", "--no-fund", "--prefix", home, "--cache", filepath.Join(home, "npm")}, packages...)...)
			install.Env = env
			if out, err := install.CombinedOutput(); err != nil {
				t.Fatalf("npm install: %v\n%s", err, out)
			}
		})
		command = filepath.Join(home, "node_modules", ".bin", "ui-mcp")
	}
	b := browser.New(t)

	demo := exec.Command(command, "demo")
	demo.Env = env
	p.types("the demo", "ui-mcp demo\n")
	var url string
	var stop func()
	p.waits("it prints its address", func() { url, stop = serveUntilEnd(t, demo) })
	tab := b.Tab()
	p.waits("the page displays a board, a log and a terminal", func() {
		tab.Open(url)
		tab.WaitText(".catalog-card", "Plan")
	})
	typing, waiting := p.goal("To a running demo")
	if typing+waiting > toADemo {
		t.Errorf("it takes %s to a running demo, want at most %s", typing+waiting, toADemo)
	}
	tab.Close()
	stop()

	project := filepath.Join(home, "project")
	s := &server{t: t, dir: filepath.Join(project, ".claude", "ui")}
	serve := exec.Command(command, "serve", "--dir", s.dir, "--port", "0", "--mcp-port", "0")
	serve.Env = env
	p.types("the server", "ui-mcp serve --open\n")
	p.waits("it prints its address", func() { url, _ = serveUntilEnd(t, serve) })
	tab = b.Tab()
	p.waits("the page says that there is nothing to show yet", func() {
		tab.Open(url)
		tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	})
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for language, name := range map[string]string{"lua": "apps/counter/app.lua", "html": "apps/counter/viewdefs/Counter.DEFAULT.html"} {
		code := regexp.MustCompile("(?s)\n```" + language + "\n(.*?)```\n").FindSubmatch(readme)
		if code == nil {
			t.Fatalf("README.md has no %s", language)
		}
		p.types("the file "+name, ".claude/ui/"+name+string(code[1]))
		s.write(name, string(code[1]))
	}
	p.waits("the page displays the app", func() { tab.Wait(`document.querySelector("button[ui-action]")?.textContent === "Pressed 0 times"`) })
	p.waits("a click counts, and the agent gets its event", func() {
		tab.Click("button[ui-action]")
		if status, body := get(t, s.agentURL("/wait?timeout=60")); status != 200 || body != `[{"pressed":1}]` {
			t.Errorf("the agent gets %d %s", status, body)
		}
		tab.WaitText("button[ui-action]", "Pressed 1 times")
	})
	if typing, _ := p.goal("To an own app that tells the agent something"); typing > toAnOwnApp {
		t.Errorf("the app takes %s of typing, want at most %s", typing, toAnOwnApp)
	}
	t.Logf("With %s, at %d characters a minute:\n\n%s", source, typed, p.table.String())
}
