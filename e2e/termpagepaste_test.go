//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// TestTerminalPagePasteWhileServerRestarts loses the server in the middle of a long paste. What the
// program got is the beginning of it, and the page says how much of the rest may be lost.
func TestTerminalPagePasteWhileServerRestarts(t *testing.T) {
	load.Long(t, "web TestUnits has what was on the way")
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			address := free.Addr().String()
			free.Close()
			s := startShellServer(t, "TCP", "--bind", address)
			// The program is slower than the paste, so most of that is on the way.
			got := filepath.Join(t.TempDir(), "got")
			s.create(t, [2]string{"work", `stty raw -echo; printf '\033[?2004hready'; while dd bs=4096 count=1 2>/dev/null >>'` + got + `'; do sleep 0.02; done`})
			p := &terminalPage{Tab: browser.New(t).Tab(), t: t, server: s}
			p.Size(1400, 900)
			p.Open(s.base + "/s/work")
			p.says(`[data-session="work"] .preview`, "ready")
			p.Wait(`document.activeElement?.closest(".pane.selected .xterm")`)
			p.Wait(`performance.getEntriesByName("terminal-first-picture").length > 0`)
			const pieces = 100_000
			p.Run(fmt.Sprintf(`
				const data = new DataTransfer();
				data.setData("text/plain", Array.from({ length: %d }, (_, i) => String(i).padStart(9, "0") + ",").join(""));
				document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));`, pieces))
			size := func() int {
				info, err := os.Stat(got)
				if err != nil {
					return 0
				}
				return int(info.Size())
			}
			wait.Until(t, "the program has got a part", func() bool { return size() > 20_000 })
			s.stop(t, signal)
			p.Wait(`!document.querySelector(".gone").hidden`)
			p.says(".terminal-notice:not([hidden])", "Connecting again")
			p.Press("later") // without a connection
			p.says(".terminal-notice", "5 characters that you typed will be sent.")
			s = startShellServer(t, "TCP", "--bind", address)
			p.Wait(`document.querySelector(".gone").hidden`)
			s.create(t, [2]string{"other", "exec sleep 1000"})
			p.listed("running", "other")

			p.says(".missing .note p", "There is no session “work”.")
			p.says(".missing .note p", "5 characters that you typed without a connection were not sent.")
			said := browser.Eval[string](p.Tab, `document.querySelector(".missing .note p").textContent`)
			found := regexp.MustCompile(`(\d+) characters of what you typed were still on the way`).FindStringSubmatch(said)
			if found == nil {
				t.Fatalf("the page says %q", said)
			}
			lost, err := strconv.Atoi(found[1])
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(got)
			if err != nil {
				t.Fatal(err)
			}
			var want strings.Builder
			want.WriteString("\x1b[200~")
			for i := range pieces {
				fmt.Fprintf(&want, "%09d,", i)
			}
			want.WriteString("\x1b[201~")
			if !strings.HasPrefix(want.String(), string(content)) {
				t.Error("the program got something else than the beginning of the paste")
			}
			// The page does not count what ends with the program: what the system's terminal keeps,
			// which was 20 KiB at most on Linux, and the block that dd has read and not written.
			const unwritten = 20<<10 + 4096 + len("\x1b[200~\x1b[201~") // bytes
			if missing := want.Len() - len(content); lost < missing-unwritten || lost == 0 {
				t.Errorf("%d of %d characters have not arrived, and the page says so of %d", missing, want.Len(), lost)
			}
			var sessions []struct{ Name string }
			if _, text := s.do(t, "GET", "/sessions", ""); json.Unmarshal([]byte(text), &sessions) != nil || len(sessions) != 1 {
				t.Errorf("sessions: %s", text)
			}
		})
	}
}
