//go:build linux || darwin

package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// makefile is what the shell of the story runs.
const makefile = `.PHONY: test publish
.SILENT:
test:
	for p in api auth cart mail search web; do sleep 0.1; printf '\033[32mok\033[0m    shop/%-8s 0.1s\n' $$p; done
	echo; echo '42 tests, all passed'
publish:
	printf 'Password for the registry: '; stty -echo; read -r password; stty echo; echo
	echo 'Published shop 2.4.0'
`

// The person and the agent prepare a release with the app of examples/release: with a list, a
// terminal and a question. With -pictures, it takes the moving picture of README.md.
func TestRelease(t *testing.T) {
	load.Long(t, "TestStory, TestTerminalInApp and TestQuestions have the parts")
	t.Parallel()
	needPrograms(t, "bash", "make")
	themes := []bool{false}
	if *pictures != "" {
		themes = append(themes, true)
	}
	for _, dark := range themes {
		theme := map[bool]string{true: "dark", false: "light"}[dark]
		t.Run(theme, func(t *testing.T) {
			t.Parallel()
			home := testkit.ShortDir(t)
			project := filepath.Join(home, "shop")
			cmd := exec.Command("ui-mcp", "mcp", "--dir", filepath.Join(project, ".claude", "ui"), "--toolsets", "ui,popup,terminal")
			cmd.Env = sandbox(home)
			a := &server{t: t, dir: filepath.Join(project, ".claude", "ui"), mcp: testkit.Connect(t, cmd)}
			tab := browser.New(t).Tab()
			tab.Open(a.ok("ui_start", nil) + "/1/")
			listens(t, a)
			testkit.Write(t, project, "Makefile", makefile)
			testkit.Copy(t, filepath.Join(a.dir, "apps", "release"), os.DirFS("../examples/release"))
			a.ok("wsh_create_session", map[string]any{
				"name": "release", "command": "exec bash --norc --noprofile", "rows": 16, "cols": 54, "cwd": project, "env": map[string]string{"PS1": "shop$ "},
			})
			if got := a.ok("ui_display", map[string]any{"name": "release"}); strings.Contains(got, "problem") || strings.Contains(got, "finding") {
				t.Errorf("ui_display: %s", got)
			}
			film(t, a, tab, dark)
		})
	}
}

// listens collects events until the test ends, as an agent does in the background.
func listens(t *testing.T, a *server) {
	t.Helper()
	url := a.agentURL("/wait?timeout=120")
	go func() {
		for t.Context().Err() == nil {
			req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
			if err != nil {
				return
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				return
			}
			_ = res.Body.Close()
		}
	}()
}

// film is the story in one theme.
func film(t *testing.T, a *server, tab *browser.Tab, dark bool) {
	t.Helper()
	tab.Size(1000, 560)
	tab.Dark(dark)
	terminal := tab.Frame(`document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`)
	terminal.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	var moving reel
	dir := t.TempDir()
	n := 0
	// frame adds what the page shows, with a caption, for a time.
	frame := func(caption string, d time.Duration) {
		t.Helper()
		if *pictures == "" {
			return
		}
		tab.Run(fmt.Sprintf(captionScript, caption))
		browser.Eval[bool](terminal, painted)
		n++
		name := filepath.Join(dir, fmt.Sprintf("%d.webp", n))
		tab.Screenshot(name)
		picture, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := moving.add(picture, d); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(text string) {
		t.Helper()
		wait.Until(t, "the terminal displays "+text, func() bool {
			return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "release"}), text)
		})
	}
	shows("shop$")
	frame("The agent has made an app and a terminal. You see both, and so does the agent.", 2500*time.Millisecond)

	tab.Type(`input[placeholder]`, "Thank the testers")
	frame("You add a step …", 1500*time.Millisecond)
	tab.Press(browser.Enter)
	tab.Wait(`document.querySelectorAll(".list li").length === 4`)
	tab.Click(".list li:first-child input")
	tab.Wait(`document.querySelector("progress").value === 25`)
	frame("… and tick one off. The agent knows.", 2*time.Second)

	a.ok("wsh_run_command", map[string]any{"session": "release", "input": "make test"})
	shows("42 tests, all passed")
	frame("The agent runs the tests in your terminal, and gets their result.", 2500*time.Millisecond)
	a.ok("ui_run", map[string]any{"code": `release:tick("Run the tests") release.remark = "All 42 tests pass. Only publishing is left."`})
	tab.Wait(`document.querySelector("progress").value === 50 && document.querySelector(".notice").checkVisibility()`)
	frame("It ticks off its own step.", 2*time.Second)

	said := make(chan string, 1)
	go func() {
		said <- a.ok("popup", map[string]any{"title": "Publish shop 2.4.0?", "message": "All **42 tests** pass. The registry asks you for its password.", "options": []any{
			map[string]any{"label": "Publish", "value": "yes", "description": "in your terminal"}, map[string]any{"label": "Not today", "value": "no"},
		}})
	}()
	questions := tab.Frame(dialog("iframe"))
	questions.Wait(dialog("h2") + `.textContent === "Publish shop 2.4.0?" && ` + settled)
	frame("It asks before it does what cannot be undone.", 2500*time.Millisecond)
	questions.Focus()
	questions.Press("1")
	if text := <-said; !strings.Contains(text, `"selectedValue":"yes"`) {
		t.Fatalf("popup says %s", text)
	}

	a.call("wsh_run_command", map[string]any{"session": "release", "input": "clear; make publish"})
	wait.Until(t, "the agent learns that the program waits for a secret", func() bool {
		return strings.Contains(a.run(`return release:terminal().waits`), "secret")
	})
	frame("The program wants a password: you type it, and the agent never sees it.", 2500*time.Millisecond)
	secret := "quiet-badger-" + strconv.Itoa(os.Getpid())
	tab.Run(`document.querySelector("ui-terminal").focus()`)
	terminal.Type("textarea", secret+browser.Enter)
	shows("Published shop 2.4.0")
	a.ok("ui_run", map[string]any{"code": `release:tick("Publish") release.remark = "Shop 2.4.0 is out. Thank the testers!"`})
	tab.Wait(`document.querySelector("progress").value === 75`)
	frame("One app, one terminal, one question: both of you, at the same time.", 3500*time.Millisecond)
	if got := a.ok("wsh_get_screen", map[string]any{"session": "release"}); strings.Contains(got, secret) {
		t.Error("the agent has seen the password")
	}
	if errs := tab.ConsoleErrors(); len(errs) > 0 {
		t.Errorf("errors in the console: %q", errs)
	}
	if *pictures != "" {
		if n := len(moving.bytes()); n > 400<<10 {
			t.Errorf("the moving picture has %d KiB", n>>10)
		}
		name := filepath.Join(*pictures, "release-"+map[bool]string{true: "dark", false: "light"}[dark]+".webp")
		if err := os.WriteFile(name, moving.bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// painted is a promise that a terminal has painted nothing for half a second.
const painted = `new Promise((done) => {
	let timer;
	const again = () => { clearTimeout(timer); timer = setTimeout(() => done(true), 500); };
	document.addEventListener("terminalrendered", again);
	again();
})`

// captionScript displays a text below the page.
const captionScript = `((text) => {
	let bar = document.querySelector("#caption");
	if (!bar) {
		bar = document.body.appendChild(document.createElement("div"));
		bar.id = "caption";
		bar.style = "position: fixed; inset: auto 0 0 0; padding: 14px 24px; font: 600 19px/1.3 system-ui; background: #24273f; color: #fff; text-align: center; z-index: 9999";
	}
	bar.textContent = text;
})(%q)`
