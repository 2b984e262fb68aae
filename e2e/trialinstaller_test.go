//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/leak"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// installScript asks whether to go on, and for a password; then it fails with 3.
const installScript = `
echo 'This installs left and right.'
read -rp 'Continue? [y/N] ' answer
[ "$answer" = y ] || exit 1
read -rsp 'Password: ' password; echo
[ "$(printf %s "$password" | cksum)" = "$(cat sum)" ] || { echo 'Wrong password.'; exit 1; }
echo 'Unpacking left ...'
echo 'No space left for right.' >&2
exit 3
`

// An agent runs an installer in a terminal, and answers its question. The password is typed by the
// person, at the address that the agent was told; the agent gets how it ends, and no word of it.
func TestTrialInstaller(t *testing.T) {
	load.Long(t, "TestStory has an agent and a person, and TestSecretIsNowhere a password")
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	const password = "correct-horse-battery"
	search := leak.For(t, password)
	sum := exec.Command("cksum")
	sum.Stdin = strings.NewReader(password)
	known, err := sum.Output()
	if err != nil {
		t.Fatal(err)
	}
	home := shortDir(t)
	a := startTrial(t, home, "--toolsets", "ui,popup,terminal")
	project := filepath.Join(home, "shop")
	script(t, project, "install.sh", installScript)
	testkit.Write(t, project, "sum", string(known))

	for _, want := range []string{"Start with wsh_create_session", "once ui_start was called", "by its url", "let them type passwords there"} {
		if got := a.InitializeResult().Instructions; !strings.Contains(got, want) {
			t.Errorf("the instructions do not say %q: %s", want, got)
		}
	}
	var answers strings.Builder
	call := func(tool string, args map[string]any) (answer struct {
		URL, Attach, State, Status string
		Lines                      []string
		Screen                     struct{ Lines []string }
		ExitCode                   int `json:"exit_code"`
	}) {
		t.Helper()
		text := a.do(tool, args)
		answers.WriteString(text)
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("%s: %v in %s", tool, err, text)
		}
		return answer
	}
	a.do("ui_start", nil)
	created := call("wsh_create_session", map[string]any{"name": "install", "cwd": project})
	if created.Attach != "wsh attach install" {
		t.Errorf("the person's command is %q", created.Attach)
	}
	ran := call("wsh_run_command", map[string]any{"session": "install", "input": "./install.sh", "format": "plain"})
	if ran.State != "waiting" || ran.Screen.Lines[2] != "Continue? [y/N]" {
		t.Fatalf("the installer is in the state %s with %q", ran.State, ran.Screen.Lines)
	}
	call("wsh_send_input", map[string]any{"session": "install", "input": "y", "keys": []string{"Enter"}})
	wait.Until(t, "the installer waits for the password", func() bool { // it may not have read the line yet
		return call("wsh_await_quiesce", map[string]any{"session": "install", "state": "needs_me"}).Status == "secret"
	})

	// The agent tells the person the address, and waits for them.
	tab := browser.New(t).Tab()
	tab.Open(created.URL)
	tab.Wait(`document.querySelector(".terminal textarea")`)
	tab.Wait(`document.activeElement.tagName === "TEXTAREA"`)
	tab.Press(password + browser.Enter)
	if ended := call("wsh_await_quiesce", map[string]any{"session": "install", "prompt": true}); ended.ExitCode != 3 {
		t.Errorf("the installer has ended with %d", ended.ExitCode)
	}
	screen := strings.Join(call("wsh_get_screen", map[string]any{"session": "install", "format": "plain"}).Lines, "\n")
	if !strings.Contains(screen, "No space left for right.") {
		t.Errorf("the screen: %s", screen)
	}
	call("wsh_manage_session", map[string]any{"session": "install", "action": "kill"})
	search.Text("an answer", answers.String())
}
