package httppopup

import (
	"fmt"
	"testing"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// Where a digit only selects, the keys that an option names are those that answer, and what Send
// says of an empty text names both ways to answer.
func TestDangerWithText(t *testing.T) {
	load.Long(t, "TestKeyboard answers by keys")
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	a := v.ask(func(s *question.Spec) { s.Severity, s.AllowText = question.Danger, true })
	v.shows("Confirm Action")
	if got := browser.Eval[string](v.Tab, root+`.querySelectorAll(".digit")[1].textContent`); got != "2 ⏎" {
		t.Errorf("the second option names the keys %q", got)
	}
	v.ClickOn(in(".send"))
	v.Wait(in(".error") + `.textContent === "Choose an option, or type an answer."`)
	v.Press("2")
	v.Wait(root + `.activeElement === ` + root + `.querySelectorAll(".option")[1]`)
	v.unanswered(a, "a digit")
	v.Press(browser.Enter)
	v.value(a, "no")
	v.is("idle")
	v.ask(nil)
	v.shows("Confirm Action")
	if got := browser.Eval[string](v.Tab, in(".digit")+`.textContent`); got != "1" {
		t.Errorf("without danger, the first option names the keys %q", got)
	}
}

// The footer has one row, or where that is too long, one with what is to be known and one with the
// buttons, the last of which is at its end.
func TestFooter(t *testing.T) {
	load.Long(t, "TestSmallWindow has a window that is too small")
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	v.ask(func(s *question.Spec) { s.AllowText, s.TimeoutSeconds = true, 600 })
	v.shows("Confirm Action")
	for width, rows := range map[int]int{320: 2, 390: 2, 800: 1, 1280: 1} {
		v.Size(width, 844)
		v.Wait(fmt.Sprintf(`innerWidth === %d`, width))
		got := browser.Eval[string](v.Tab, `(() => {
			const footer = `+in("footer")+`, inner = footer.getBoundingClientRect().right - parseFloat(getComputedStyle(footer).paddingRight);
			const boxes = [".meta", ".left", ".decline", ".send"].map((s) => footer.querySelector(s).getBoundingClientRect()).filter(({ width }) => width > 0);
			const middles = boxes.map(({ top, bottom }) => (top + bottom) / 2);
			const rows = middles.filter((y, i) => i === 0 || Math.abs(y - middles[i - 1]) > 4).length;
			return rows + " rows, Send " + Math.round(inner - boxes.at(-1).right) + " px from the end";
		})()`)
		if want := fmt.Sprintf("%d rows, Send 0 px from the end", rows); got != want {
			t.Errorf("at %d px: %s, want %s", width, got, want)
		}
	}
}

// One control says how the person is called. It asks for notifications where the browser has not
// been asked, and silences the chime otherwise.
func TestBell(t *testing.T) {
	load.Long(t, "TestNotification notifies the person")
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).openApp(browser.New(t))
	v.page.Run(`window.asked = 0;
		window.Notification = class { static permission = "default"; static async requestPermission() { asked++; return "default"; } close() {} }`)
	v.ask(nil)
	v.shows("Confirm Action")
	// The frame has learned that the person can be asked.
	v.Wait(in(".bell") + `.title.startsWith("Notify me")`)
	if texts := browser.Eval[[]string](v.Tab, `[...`+in("dialog")+`.querySelectorAll("button")].filter((e) => e.checkVisibility() && /notif|chime/i.test(e.textContent + e.title)).map((e) => e.className)`); len(texts) != 1 {
		t.Errorf("%d controls for one matter: %v", len(texts), texts)
	}
	v.ClickOn(in(".bell"))
	v.page.Wait(`asked === 1`)
	// The person has not decided, and is not asked again.
	v.Wait(in(".bell") + `.title === "Silence the chime"`)
	v.ClickOn(in(".bell"))
	v.Wait(in(".bell") + `.getAttribute("aria-pressed") === "true"`)
	v.ClickOn(in(".bell"))
	v.Wait(in(".bell") + `.getAttribute("aria-pressed") === "false"`)
	if n := browser.Eval[int](v.page, `asked`); n != 1 {
		t.Errorf("the person was asked %d times", n)
	}
}

// The time that is left does not depend on a clock that is set while the question is displayed.
func TestClockIsSet(t *testing.T) {
	load.Long(t, "few changes touch it")
	load.Sequential(t)
	t.Parallel()
	v := newTestServer(t, popup.Options{}).open(browser.New(t))
	v.ask(func(s *question.Spec) { s.TimeoutSeconds = 600 })
	v.shows("Confirm Action")
	before := browser.Eval[string](v.Tab, in(".left")+`.textContent`)
	v.Run(`{ const now = Date.now; Date.now = () => now() - 3600_000; }`)
	v.Wait(in(".left") + fmt.Sprintf(`.textContent !== %q`, before))
	if got := browser.Eval[string](v.Tab, in(".left")+`.textContent`); !(got[0] == '9' && got[1] == ':') {
		t.Errorf("%q, and %q after the clock was set back an hour", before, got)
	}
}
