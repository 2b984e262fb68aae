//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// gallery has the stories of the apps in examples/gallery: what person and agent do with each. A
// story ends with what the app's picture shows.
var gallery = map[string]func(t *testing.T, a *server, tab *browser.Tab){
	"signup": signupStory, "kanban": kanbanStory, "pulse": pulseStory, "review": reviewStory, "orders": ordersStory, "tasks": tasksStory,
}

// The apps of the gallery do what docs/gallery.md says, a check finds nothing wrong with them, and
// they are short. With -pictures, it takes the pictures of docs/gallery.md.
func TestGallery(t *testing.T) {
	load.Long(t, "TestStory has an app in the browser")
	t.Parallel()
	needPrograms(t, "bash", "make", "git")
	home := testkit.ShortDir(t)
	project := filepath.Join(home, "shop")
	cmd := exec.Command("ui-mcp", "mcp", "--dir", filepath.Join(project, ".claude", "ui"), "--toolsets", "ui,popup,terminal")
	cmd.Env = sandbox(home)
	a := &server{t: t, dir: filepath.Join(project, ".claude", "ui"), mcp: testkit.Connect(t, cmd)}
	apps, err := os.ReadDir("../examples/gallery")
	if err != nil || len(apps) != len(gallery) {
		t.Fatalf("examples/gallery has %v, error %v; want %d", apps, err, len(gallery))
	}
	testkit.Copy(t, filepath.Join(a.dir, "apps"), os.DirFS("../examples/gallery"))
	tab := browser.New(t).Tab()
	tab.Size(900, 640)
	tab.Open(a.ok("ui_start", nil) + "/1/")
	testkit.Write(t, project, "Makefile", makefile)
	testkit.Write(t, home, ".bashrc", "PS1='shop$ '\n")
	var listed []string
	for _, app := range apps {
		listed = append(listed, app.Name())
	}
	check := exec.Command("ui-mcp", append([]string{"check", "--dir", a.dir, "--json"}, listed...)...)
	check.Env = sandbox(home)
	out, err := check.Output()
	var found struct{ Findings []json.RawMessage }
	if err != nil || json.Unmarshal(out, &found) != nil || len(found.Findings) > 0 {
		t.Fatalf("ui-mcp check: %v\n%s", err, out)
	}
	tab.Run(`const still = new CSSStyleSheet(); still.replaceSync("* { transition: none !important }"); document.adoptedStyleSheets.push(still)`)
	for _, name := range listed {
		code, err := os.ReadFile(filepath.Join(a.dir, "apps", name, "app.lua"))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(code), "\n"); lines > 80 {
			t.Errorf("app.lua has %d lines", lines)
		}
		if got := a.ok("ui_display", map[string]any{"name": name}); strings.Contains(got, "problem") {
			t.Errorf("ui_display: %s", got)
		}
		gallery[name](t, a, tab)
		if errs := tab.ConsoleErrors(); len(errs) > 0 {
			t.Errorf("errors in the console: %q", errs)
		}
		if *pictures == "" {
			continue
		}
		for _, dark := range []bool{false, true} {
			for width, height := range map[int]int{390: 780, 900: 640} {
				tab.Dark(dark)
				tab.Size(width, height)
				tab.Run(`document.activeElement.blur(); scrollTo(0, 0)`)
				tab.Wait(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
				if name == "tasks" {
					browser.Eval[bool](shellOf(tab), painted)
				}
				file := filepath.Join(*pictures, fmt.Sprintf("gallery-%s-%d-%s.webp", name, width, map[bool]string{true: "dark", false: "light"}[dark]))
				tab.Screenshot(file)
				if info, err := os.Stat(file); err != nil || info.Size() > 60<<10 {
					t.Errorf("%s: %v, more than 60 KiB", file, err)
				}
			}
		}
		tab.Dark(false)
		tab.Size(900, 640)
	}
}

// hears waits for the next event of the app, which must have all parts.
func hears(t *testing.T, a *server, parts ...string) {
	t.Helper()
	status, body := get(t, a.agentURL("/wait?timeout=60"))
	if status != 200 || slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(body, part) }) {
		t.Errorf("the agent gets %d %s, want %q", status, body, parts)
	}
}

// The form says what is wrong while it is typed, and the agent answers in it.
func signupStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	tab.WaitText("h1", "Bread workshop")
	tab.Type(`input[type=email]`, "ada@example")
	tab.WaitText("#signup-email", "Something is missing after the @.")
	tab.Type(`input[type=email]`, ".org")
	tab.WaitText("#signup-email", "")
	tab.Click(`button[type=submit]`)
	tab.WaitText("#signup-name", "Your name, please.")
	tab.Type(`input[autocomplete=name]`, "Ada")
	tab.WaitText("#signup-name", "") // its line is gone, and the button stays where it is
	tab.Click(`button[type=submit]`)
	hears(t, a, `"event":"registered"`, `"name":"Ada"`, `"email":"ada@example.org"`)
	a.run(`signup:answer("See you on Saturday, Ada. Bring an apron!")`)
	tab.WaitText(".notice", "See you on Saturday, Ada. Bring an apron!")
	tab.Type(`input[type=email]`, "grace@")
	tab.WaitText("#signup-email", "An address has one @, and no blanks.")
}

// Person and agent move cards, and the agent gets an event for each move.
func kanbanStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	tab.Wait(`document.querySelectorAll(".catalog-column").length === 3`)
	card := func(title string) string {
		return fmt.Sprintf(`[...document.querySelectorAll(".catalog-column button")].find((b) => b.textContent === %q)`, title)
	}
	tab.DragAndDrop(tab.Middle(card("Fix the login")), tab.Middle(`document.querySelector(".catalog-column:nth-child(2) .list")`))
	hears(t, a, `"event":"moved"`, `"card":"Fix the login"`, `"to":"Doing"`, `"over":false`)
	a.run(`kanban:move("Write release notes", "Doing") kanban:move("Plan", "Done")`)
	tab.WaitText(".badge", "2 of 2 in progress")
	hears(t, a, `"to":"Done"`)
	tab.Run(card("Write") + `.focus()`)
	tab.Press(browser.ArrowRight, browser.Ctrl)
	hears(t, a, `"card":"Write"`, `"over":true`)
	tab.Wait(`document.querySelector(".notice").checkVisibility()`)
}

// The chart and the list follow a file, and a click asks the agent.
func pulseStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	tab.WaitText("h1", "Pulse")
	var lines strings.Builder
	for i := range 80 {
		status, path := 200, []string{"/", "/cart", "/search?q=bread", "/login"}[i*7%4]
		if i%23 == 21 {
			status, path = 502, "/pay"
		}
		fmt.Fprintf(&lines, "%d GET %s %dms\n", status, path, 12+i*37%41+(i%23/21)*180)
	}
	a.write("server.log", lines.String())
	tab.Wait(`document.querySelector("[role=status]").textContent.startsWith("80 requests, 3 failed")`)
	if points := browser.Eval[int](tab, `document.querySelector("polyline").points.length`); points != 60 {
		t.Errorf("the curve has %d points", points)
	}
	tab.Run(`[...document.querySelectorAll(".pulse-log .failed button")].at(-1).click()`)
	hears(t, a, `"event":"asked"`, "502 GET /pay")
	a.run(`pulse.answer = "/pay fails when the bank takes more than 150 ms: the time limit is too short."`)
	tab.Wait(`document.querySelector(".notice").textContent.startsWith("/pay fails")`)
}

const diff = `diff --git a/cart.go b/cart.go
--- a/cart.go
+++ b/cart.go
@@ -10,6 +10,9 @@ func (c *Cart) Add(item Item) {
 	c.mu.Lock()
-	c.items = append(c.items, item)
+	if item.Count > 0 {
+		c.items = append(c.items, item)
+	}
 	c.mu.Unlock()
@@ -31,3 +34,3 @@ func (c *Cart) Total() Money {
-	return sum
+	return sum.Round(c.currency)
 }
`

// The person asks about a part of a change, gets an answer, and accepts.
func reviewStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	tab.WaitText("h1", "Nothing to review yet")
	a.run(fmt.Sprintf("review:load(%q, 'Round the total')", diff))
	tab.Wait(`document.querySelectorAll(".review-lines").length === 2 && document.querySelectorAll(".review-lines .added").length === 4`)
	tab.Type("section.card:nth-child(2) input", "Why at the end, and not per item?")
	tab.Press(browser.Enter)
	hears(t, a, `"event":"question"`, `"part":2`, "Why at the end", `return sum.Round(c.currency)`)
	a.run(`review:answer(2, "Rounding each item would add up to cents that nobody pays.")`)
	tab.Wait(`document.querySelector("section.card:nth-child(2) .notice").textContent.includes("nobody pays")`)
	tab.Click("section.card:nth-child(1) button")
	tab.WaitText(".badge", "1 of 2 accepted")
	if !browser.Eval[bool](tab, `document.querySelector("button[variant=primary]").disabled`) {
		t.Error("a change with an open part can be committed")
	}
	tab.Click("section.card:nth-child(2) button")
	tab.Wait(`!document.querySelector("button[variant=primary]").disabled`)
	tab.Click("button[variant=primary]")
	hears(t, a, `"event":"accepted"`, `"title":"Round the total"`)
}

// Ten thousand rows are sorted and filtered, and the page holds a few of them.
func ordersStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	tab.Wait(`document.querySelector(".badge").textContent.startsWith("10000 of 10000")`)
	if rows := browser.Eval[int](tab, `document.querySelectorAll("tbody tr").length`); rows > 200 {
		t.Errorf("the page has %d rows", rows)
	}
	tab.Click("th:nth-child(4) button")
	// A button whose action runs does nothing, also before it looks so.
	tab.Wait(`document.documentElement.dataset.uiPending === "0" && document.querySelector("th[aria-sort=ascending] button:not([data-ui-running])")`)
	tab.Click("th:nth-child(4) button")
	tab.Wait(`document.querySelector("th[aria-sort=descending]")`)
	tab.Wait(fmt.Sprintf(`document.querySelector("tbody td:nth-child(4)").textContent === %s`, a.run(`return orders:found()[1]:price()`)))
	tab.Type("input[type=search]", "bergen")
	tab.Wait(`document.querySelector(".badge").textContent.startsWith("1429 of 10000")`)
	tab.Click("tbody input")
	want := a.run(`return orders:summary()`)
	tab.Wait(fmt.Sprintf(`document.querySelector(".badge").textContent === %s`, want))
	tab.Run(`[...document.querySelectorAll("button")].find((b) => b.textContent.includes("agent")).click()`)
	hears(t, a, `"event":"remind"`, `"query":"bergen"`, `"orders":1429`)
}

// A button runs a command in the terminal that both type in, and the agent gets what failed.
func tasksStory(t *testing.T, a *server, tab *browser.Tab) {
	t.Helper()
	terminal := shellOf(tab)
	terminal.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
	task := func(n int) { tab.Click(fmt.Sprintf(".list li:nth-child(%d) button", n)) }
	outcome := func(n int, starts string) {
		tab.Wait(fmt.Sprintf(`document.querySelector(".list li:nth-child(%d) .badge").textContent.startsWith(%q)`, n, starts))
	}
	task(2)
	outcome(2, "failed")
	hears(t, a, `"event":"failed"`, `"line":"make build"`, "No rule")
	tab.Type("input", "ls")
	tab.Press(browser.Enter)
	tab.Wait(`document.querySelectorAll(".list li").length === 4`)
	task(1)
	outcome(1, "passed")
	wait.Until(t, "the terminal shows the tests", func() bool {
		return strings.Contains(a.ok("wsh_get_screen", map[string]any{"session": "tasks"}), "42 tests, all passed")
	})
}

// shellOf returns the terminal in the page.
func shellOf(tab *browser.Tab) *browser.Tab {
	return tab.Frame(`document.querySelector("ui-terminal").shadowRoot.querySelector("iframe")`)
}
