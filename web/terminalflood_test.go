package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A page that displays a flood of output stays usable: it paints frames, answers keys and scrolls,
// and in the end it displays what the server has.
func TestTerminalFlood(t *testing.T) {
	load.Long(t, "TestTerminalTypes paints what little output leaves")
	t.Parallel()
	megabytes, keys := load.Count(5, 100), load.Count(5, 50)
	s := serveTerminals(t)
	if err := os.WriteFile(filepath.Join(s.home, "megabyte"), []byte(strings.Repeat("\x1b[32m0123456789\x1b[m abcdefghijklmnopqrstuvwxyz 日本\n", 20_000)[:1_000_000]), 0o600); err != nil {
		t.Fatal(err)
	}
	// Each key sets the title. "q" ends the flood.
	tab := s.show(t, `stty raw -echo opost; cd; echo ready; head -c 1 >/dev/null
(trap exit TERM; i=0; while :; do cat megabyte; i=$((i+1)); echo $i > flooded; done) &
while :; do
	key=$(head -c 1); [ "$key" = q ] && break
	printf '\033]2;%s\033\\' "$key"
done
kill $!; wait $! 2>/dev/null; printf '\033[2J\033[Hpassed\n'; exec cat`, 24, 80, "ready")
	on(tab)
	tab.Press("g") // takes the lead, so the size changes before the flood
	tab.Wait(rowsOf + `.length > 24 && ` + rowsOf + `.some((row) => row.includes("abcdef"))`)
	tab.Run(`
		window.painted = 0, window.longest = 0, window.frames = 0, window.echoes = [];
		document.addEventListener("terminalrendered", () => { window.painted++; });
		let last = performance.now(), begun;
		const frame = (now) => { window.frames++; window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(frame); };
		requestAnimationFrame(frame);
		document.addEventListener("keydown", (event) => { begun = event.timeStamp; }, true);
		new MutationObserver(() => window.echoes.push(performance.now() - begun)).observe(document.querySelector("title"), { childList: true });`)
	start := time.Now()
	for i := range keys {
		key := string(rune('A' + i%26))
		tab.Press(key)
		tab.Wait(`document.title === "` + key + `"`)
	}
	// The history can be read meanwhile.
	tab.Run(`terminalViews[0].lookBack(100)`)
	tab.Wait(`document.querySelector(".terminal-history-rows").textContent.includes("abcdef")`)
	tab.Run(`terminalViews[0].returnToScreen()`)
	wait.Until(t, "the flood has its size", func() bool {
		data, _ := os.ReadFile(filepath.Join(s.home, "flooded"))
		n, _ := strconv.Atoi(strings.TrimSpace(string(data)))
		return n >= megabytes
	})
	elapsed := time.Since(start)
	tab.Press("q")
	tab.Wait(rowsOf + `[0] === "passed" && ` + rowsOf + `.slice(1).every((row) => row === "")`)
	got := browser.Eval[struct {
		Painted, Frames int
		Longest         float64
		Echoes          []float64
	}](tab, `({ Painted: painted, Frames: frames, Longest: longest, Echoes: echoes })`)
	slices.Sort(got.Echoes)
	figures := fmt.Sprintf("%d MB in %v: %d frames, %d with a picture, the longest %.0f ms; %d keys, echo p50 %.0f ms, at most %.0f ms",
		megabytes, elapsed.Round(time.Millisecond), got.Frames, got.Painted, got.Longest, keys, got.Echoes[len(got.Echoes)/2], got.Echoes[len(got.Echoes)-1])
	t.Log(figures)
	if got.Painted < keys || len(got.Echoes) < keys {
		t.Error("too few pictures or echoes: " + figures)
	}
	if load.Full() && (got.Longest > 1000 || got.Echoes[len(got.Echoes)/2] > 250) {
		t.Error("the page is not usable: " + figures)
	}
}
