package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
)

// screen is the element on which a terminal is drawn.
const screen = `document.querySelector(".xterm-screen")`

// cellAt returns the middle of a cell of the terminal, which has that size, in the window.
func cellAt(tab *browser.Tab, row, col, rows, cols int) browser.Point {
	return browser.Eval[browser.Point](tab, fmt.Sprintf(
		`(({left, top, width, height}) => ({X: left + width * (%d + 0.5) / %d, Y: top + height * (%d + 0.5) / %d}))(%s.getBoundingClientRect())`, col, cols, row, rows, screen))
}

// on clicks on the terminal, so that it has the keyboard.
func on(tab *browser.Tab) {
	tab.Wait(screen)
	tab.ClickOn(`document.querySelector(".terminal-screen")`)
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
}

// serverRow waits until a row of a session's screen on the server has a text in it.
func (s *terminalServer) serverRow(name, text string) {
	s.t.Helper()
	wait.Until(s.t, "the screen of "+name+" has "+text, func() bool {
		return strings.Contains(s.do("screen.get", `{"session":"`+name+`","format":"plain"}`), text)
	})
}

// Text that an input method composes arrives once, when it is committed.
func TestTerminalComposes(t *testing.T) {
	load.Long(t, "TestComposition composes in a field, TestTerminalTypes types in a terminal")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo; echo ready; exec cat`, 10, 40, "ready")
	on(tab)
	compose := func(parts ...string) {
		tab.Compose(parts...)
		// xterm.js reads the text a moment later, before any person can press a key.
		browser.Eval[any](tab, `new Promise((done) => setTimeout(done))`)
	}
	compose("に", "にほ", "日本")
	tab.Press("!" + browser.Enter)
	waitRow(tab, "日本!")
	compose("ó")
	compose("👍", "👍🏽")
	tab.Press(browser.Enter)
	waitRow(tab, "ó👍🏽")
	if got := browser.Eval[string](tab, rowsOf+`.join("|")`); strings.Trim(got, "|") != "ready|日本!|ó👍🏽" {
		t.Errorf("the screen has %q", got)
	}
}

// A person edits a file in vim, by keys and by the mouse.
func TestTerminalVim(t *testing.T) {
	load.Long(t, "TestTerminalTypes sends keys to a program")
	t.Parallel()
	if _, err := exec.LookPath("vim"); err != nil {
		t.Skip(err)
	}
	s := serveTerminals(t)
	const rows, cols = 12, 50
	tab := s.show(t, `vim -u NONE -N -i NONE --cmd 'set mouse=a ttymouse=sgr laststatus=2 statusline=at\ %l,%c\ of\ %L\ %{mode()}'; echo vim is over; exec cat`, rows, cols, "at 0,0 of")
	on(tab)
	// The size of the page is its own from the first key on, so that vim draws all again.
	tab.Press("i")
	tab.Wait(rowsOf + `.length > ` + fmt.Sprint(rows) + ` && ` + rowsOf + `.some((row) => / i *$/.test(row))`)
	tab.Press("one日本 two" + browser.Enter + "three" + browser.Enter + "4" + browser.Escape)
	waitRow(tab, "at 3,1 of 3 n")
	height, width := browser.Eval[int](tab, rowsOf+`.length`), browser.Eval[int](tab, `terminalViews[0].size.cols`)
	at := cellAt(tab, 0, 8, height, width)
	tab.ClickXY(at.X, at.Y)
	waitRow(tab, "at 1,11 of 3 n")
	tab.Press("x:3m0" + browser.Enter)
	tab.Wait(rowsOf + `.slice(0, 3).join("|") === "4|one日本 wo|three"`)
	tab.Press(":%s/o/0/g" + browser.Enter)
	tab.Wait(rowsOf + `.slice(0, 3).join("|") === "4|0ne日本 w0|three"`)
	tab.Press("u:q!" + browser.Enter)
	waitRow(tab, "vim is over")
	if browser.Eval[bool](tab, rowsOf+`.some((row) => row.includes("three"))`) {
		t.Error("vim's screen stays")
	}
}

// A person uses htop by the mouse alone.
func TestTerminalHtop(t *testing.T) {
	load.Long(t, "TestTerminalMouse sends the mouse to a program")
	t.Parallel()
	if _, err := exec.LookPath("htop"); err != nil {
		t.Skip(err)
	}
	s := serveTerminals(t)
	tab := s.show(t, `exec htop --readonly -d 50`, 30, 100, "F10Quit")
	tab.Wait(`document.querySelector(".xterm").classList.contains("enable-mouse-events")`)
	click := func(text string) {
		t.Helper()
		where := browser.Eval[struct{ Row, Col, Rows, Cols int }](tab, fmt.Sprintf(`(() => {
			const rows = %s, row = rows.findLastIndex((r) => r.includes(%q));
			return { Row: row, Col: terminalViews[0].columnOf(row, %q), Rows: rows.length, Cols: terminalViews[0].size.cols };
		})()`, rowsOf, text, text))
		at := cellAt(tab, where.Row, where.Col+1, where.Rows, where.Cols)
		tab.ClickXY(at.X, at.Y)
	}
	click("F1Help")
	waitRow(tab, "this help screen")
	if rows := browser.Eval[int](tab, rowsOf+`.length`); rows != 30 {
		t.Errorf("the click has changed the size: there are %d rows", rows)
	}
	tab.Press(" ") // now the person leads, so the page decides the size
	tab.Wait(`!` + rowsOf + `.some((row) => row.includes("this help screen")) && ` + rowsOf + `.length !== 30`)
	waitRow(tab, "F10Quit")
	click("F5Tree")
	waitRow(tab, "F5List")
	click("F10Quit")
	tab.Wait(`terminalViews[0].state.is === "ended"`)
}

// A finger scrolls the history, and turns the wheel of programs that scroll themselves.
func TestTerminalTouch(t *testing.T) {
	load.Long(t, "TestTerminalHistory looks back by other means")
	t.Parallel()
	s := serveTerminals(t)
	const rows, cols = 20, 40
	tab := s.show(t, `stty raw -echo; i=0; while [ $i -lt 300 ]; do printf "line $i\r\n"; i=$((i+1)); done; head -c 1 >/dev/null; printf '\033[?1049h\033[Halternate'; dd bs=1 count=24 2>/dev/null | cat -v; printf '\033[?1000;1006hmouse'; exec cat -v`, rows, cols, "line 299")
	tab.Wait(screen)
	// However busy the machine is, the finger does not rest before it moves.
	tab.Run(`window.setTimeout = ((later) => (f, ms, ...values) => later(f, ms === 500 ? 1e9 : ms, ...values))(window.setTimeout)`)
	top, bottom := cellAt(tab, 4, 10, rows, cols), cellAt(tab, 16, 10, rows, cols)
	tab.Swipe(top, bottom)
	tab.Wait(`document.querySelector("[data-line='275']")?.checkVisibility()`)
	over := browser.Eval[float64](tab, `(({scrollTop, scrollHeight, clientHeight}) => scrollHeight - clientHeight - scrollTop)(document.querySelector(".terminal-history-lines"))`)
	if moved := bottom.Y - top.Y; over < moved*0.6 || over > moved*1.1 {
		t.Errorf("the history is %v pixels from its end after a swipe of %v", over, moved)
	}
	tab.Run(`terminalViews[0].returnToScreen()`)
	tab.Run(`terminalViews[0].type("x")`)
	waitRow(tab, "alternate")
	tab.Wait(rowsOf + `.length > 20`)
	height, width := browser.Eval[int](tab, `terminalViews[0].size.rows`), browser.Eval[int](tab, `terminalViews[0].size.cols`)
	top, bottom = cellAt(tab, 4, 10, height, width), cellAt(tab, 8, 10, height, width)
	tab.Swipe(bottom, top)
	waitRow(tab, "^[[B^[[B^[[B^[[B")
	tab.Swipe(top, bottom)
	waitRow(tab, "^[[A^[[A^[[A^[[A")
	if browser.Eval[bool](tab, `document.querySelector(".terminal-history") !== null`) {
		t.Error("the finger looks back although the program scrolls itself")
	}
	waitRow(tab, "mouse")
	tab.Wait(`document.querySelector(".xterm").classList.contains("enable-mouse-events")`)
	tab.Swipe(bottom, top)
	tab.Wait(rowsOf + `.join("").includes("^[[<65;")`)
}

// A finger that rests on a word selects it, more when it then moves, and offers to copy that.
func TestTerminalSelectsByTouch(t *testing.T) {
	load.Long(t, "few changes touch it")
	t.Parallel()
	s := serveTerminals(t)
	const rows, cols = 10, 40
	tab := s.show(t, `stty -echo; echo 'one 日本two three'; echo 'four five'; exec cat`, rows, cols, "four")
	tab.Run(`window.copied = []; Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.copied.push(text); } } })`)
	move, lift := tab.Touch(cellAt(tab, 0, 5, rows, cols))
	tab.Wait(`terminalViews[0].selection === "日本two"`)
	move(cellAt(tab, 1, 3, rows, cols))
	tab.Wait(`terminalViews[0].selection === "日本two three\nfour"`)
	lift()
	tab.WaitText(".terminal-notice span", "2 lines are selected.")
	tab.Click(".terminal-notice button")
	tab.Wait(`JSON.stringify(copied) === '["日本two three\\nfour"]' && terminalViews[0].selection === ""`)
	// A tap ends the selection, and a finger that moves at once selects nothing.
	_, lift = tab.Touch(cellAt(tab, 0, 1, rows, cols))
	tab.Wait(`terminalViews[0].selection === "one"`)
	lift()
	_, lift = tab.Touch(cellAt(tab, 5, 5, rows, cols))
	lift()
	tab.Wait(`terminalViews[0].selection === "" && document.querySelector(".terminal-notice").hidden`)
}

// The person selects text on the screen and in the history, and copies it.
func TestTerminalSelects(t *testing.T) {
	load.Long(t, "TestTerminalMouse selects and copies on the screen")
	t.Parallel()
	s := serveTerminals(t)
	const rows, cols = 10, 40
	tab := s.show(t, `stty -echo; i=0; while [ $i -lt 30 ]; do echo "line $i"; i=$((i+1)); done; echo 'find 日本 here'; exec cat -v`, rows, cols, "here")
	on(tab)
	tab.Run(`window.copied = []; Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => { window.copied.push(text); } } })`)
	tab.Drag(cellAt(tab, 8, 5, rows, cols), cellAt(tab, 8, 8, rows, cols))
	tab.Wait(`terminalViews[0].selection === "日本"`)
	tab.Press("C", browser.Ctrl, browser.Shift)
	tab.Wait(`copied.length === 1`)
	tab.Press("c", browser.Ctrl) // copies, since something is selected
	tab.Wait(`copied.length === 2 && terminalViews[0].selection === ""`)
	tab.Run(`terminalViews[0].lookBack(0)`)
	tab.Wait(`document.querySelector("[data-line='29']")?.textContent === "line 29"`)
	tab.Run(`document.querySelector(".terminal-history-lines").scrollTop = 0`)
	tab.Wait(`document.querySelector("[data-line='3']")?.textContent === "line 3"`)
	place := func(line int, after bool) browser.Point {
		return browser.Eval[browser.Point](tab, fmt.Sprintf(`(() => {
			const range = document.createRange();
			range.selectNodeContents(document.querySelector("[data-line='%d']"));
			const {left, right, top, height} = range.getBoundingClientRect();
			return { X: %v ? right + 4 : left + 1, Y: top + height / 2 };
		})()`, line, after))
	}
	tab.Drag(place(2, false), place(4, true))
	tab.Wait(`getSelection().toString() === "line 2\nline 3\nline 4"`)
	tab.Press("C", browser.Ctrl, browser.Shift)
	tab.Wait(`copied.length === 3`)
	if got, want := browser.Eval[[]string](tab, `copied`), `["日本" "日本" "line 2\nline 3\nline 4"]`; fmt.Sprintf("%q", got) != want {
		t.Errorf("copied %q, want %s", got, want)
	}
	// Pages of plain HTTP from another machine have no clipboard, and browsers may refuse it.
	tab.Run(`
		Object.defineProperty(navigator, "clipboard", { value: undefined });
		document.execCommand = () => {
			const clipboardData = new DataTransfer();
			const copy = new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true });
			document.activeElement.dispatchEvent(copy);
			copied.push(clipboardData.getData("text/plain"));
			return true;
		};`)
	tab.Press("C", browser.Ctrl, browser.Shift)
	tab.Wait(`copied.at(3) === copied.at(2)`)
	tab.Run(`document.execCommand = () => false`)
	tab.Press("C", browser.Ctrl, browser.Shift)
	tab.WaitText(".terminal-notice span", "The browser does not let this page copy.")
	tab.Run(`terminalViews[0].returnToScreen()`)
	tab.Click(".terminal-notice button")
	tab.Wait(`document.querySelector(".terminal-notice").hidden`)
	tab.Drag(cellAt(tab, 8, 5, rows, cols), cellAt(tab, 8, 8, rows, cols))
	tab.Wait(`terminalViews[0].selection === "日本"`)
	tab.Press("C", browser.Ctrl, browser.Shift)
	tab.WaitText(".terminal-notice span", "The browser does not let this page copy.")
	tab.Wait(`!document.querySelector(".terminal-notice").hidden`)
	if got := s.do("screen.get", `{"session":"a","format":"plain"}`); strings.Contains(got, "^C") {
		t.Errorf("the program gets a key that copies: %s", got)
	}
}

// A key that is pressed while the person looks back returns to the terminal, which gets it once.
func TestTerminalTypesFromHistory(t *testing.T) {
	load.Long(t, "TestTerminalHistory looks back, TestTerminalTypes types")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `i=0; while [ $i -lt 50 ]; do echo "line $i"; i=$((i+1)); done; stty raw -echo; echo; exec cat -v`, 10, 40, "line 49")
	on(tab)
	for _, key := range []string{"x", "%", browser.Enter, browser.Backspace, "Y"} {
		tab.Run(`terminalViews[0].lookBack(0)`)
		tab.Wait(`document.activeElement?.classList.contains("terminal-history-lines")`)
		tab.Press(key)
		tab.Wait(`document.querySelector(".terminal-history") === null`)
	}
	tab.Press(".")
	waitRow(tab, ".")
	if got := browser.Eval[string](tab, rowsOf+`.findLast((row) => row !== "")`); got != "x%^M^?Y." {
		t.Errorf("the program gets %q", got)
	}
}

// What is still on the screen is found, and the output of a command there is copied.
func TestTerminalCopiesOutput(t *testing.T) {
	load.Long(t, "TestTerminalHistory looks back")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty -echo; printf '\033]133;A\033\\$ \033]133;B\033\\make\n\033]133;C\033\\one\ntwo\n\033]133;D;0\033\\\033]133;A\033\\$ \033]133;B\033\\'; exec cat`, 10, 40, "two")
	on(tab)
	tab.Run(`window.copied = []; Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied.push(text); } } })`)
	tab.Press("O", browser.Ctrl, browser.Shift)
	tab.Wait(`copied.length === 1`)
	if got := browser.Eval[string](tab, `copied[0]`); got != "one\ntwo" {
		t.Errorf("copied %q", got)
	}
	tab.WaitText(".terminal-notice span", "Copied 2 lines of output.")
	tab.Press(browser.Escape)
	tab.Wait(`document.querySelector(".terminal-history") === null`)
	tab.Press("F", browser.Ctrl, browser.Shift)
	tab.Wait(`document.activeElement?.type === "search"`)
	tab.Press("tw")
	tab.Wait(`document.querySelector(".terminal-history mark.terminal-current")?.textContent === "tw"`)
}

// What the browser pastes arrives once, as one paste.
func TestTerminalPastesOnce(t *testing.T) {
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty raw -echo; printf '\033[?2004hready '; exec cat -v`, 10, 60, "ready")
	on(tab)
	tab.Run(`
		const data = new DataTransfer();
		data.setData("text/plain", "one\r\ntwo\u001b[201~\tthree");
		document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));`)
	tab.Wait(rowsOf + `.join("").includes("[201~")`)
	tab.Press(".")
	tab.Wait(rowsOf + `.join("").endsWith(".")`)
	if got := browser.Eval[string](tab, rowsOf+`.join("")`); got != "ready ^[[200~one^Mtwo[201~      three^[[201~." {
		t.Errorf("the program gets %q", got)
	}
}

// However often the connection breaks, the page displays what the server has, and each key has
// arrived at most once, in order. The person learns that some may be lost.
func TestTerminalReconnectsAgain(t *testing.T) {
	load.Long(t, "TestTerminalReconnects breaks the connection once")
	t.Parallel()
	s := serveTerminals(t)
	tab := s.show(t, `stty raw -echo; (i=0; while [ $i -lt 200 ]; do printf "\033[3$((i % 8))moutput $i 日本 👍🏽\033[m\r\n"; i=$((i+1)); sleep 0.01; done) & exec cat -v > "$HOME/typed"`, 10, 40, "output")
	on(tab)
	tab.Run(`window.lost = false; new MutationObserver(() => {
		window.lost ||= document.querySelector(".terminal-notice").textContent.includes("was still on the way");
	}).observe(document.querySelector(".terminal-notice"), { childList: true, subtree: true })`)
	var typed strings.Builder
	for i := range 12 {
		for j := range 5 {
			key := fmt.Sprintf("%c", 'a'+(i*5+j)%26)
			tab.Press(key)
			typed.WriteString(key)
			if j == i%5 {
				s.cut()
			}
		}
	}
	tab.Wait(`terminalViews[0].state.is === "attached"`)
	s.serverRow("a", "output 199")
	var got string
	wait.Until(t, "what was typed has arrived", func() bool {
		tab.Press(".")
		data, err := os.ReadFile(filepath.Join(s.home, "typed"))
		got = string(data)
		return err == nil && strings.Contains(got, ".")
	})
	got = strings.TrimRight(got, ".")
	// What has arrived is what was typed, with gaps.
	rest := typed.String()
	for _, r := range got {
		_, after, ok := strings.Cut(rest, string(r))
		if !ok {
			t.Fatalf("the program got %q of %q", got, typed.String())
		}
		rest = after
	}
	if lost := typed.Len() - len(got); lost > 0 && !browser.Eval[bool](tab, `lost`) {
		t.Errorf("%d keys are lost, and the person does not learn of it", lost)
	}
	waitRow(tab, "output 199")
	server := struct{ Lines []string }{}
	if err := json.Unmarshal([]byte(s.do("screen.get", `{"session":"a","format":"plain"}`)), &server); err != nil {
		t.Fatal(err)
	}
	if d := opcases.Diff(string(mustJSON(t, server.Lines)), string(mustJSON(t, browser.Eval[[]string](tab, rowsOf)))); d != "" {
		t.Errorf("the screen of the page: %s", d)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
