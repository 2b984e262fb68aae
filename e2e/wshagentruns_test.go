//go:build unix

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// Commands never miss their answers: many in a row, the first after the session has been idle, and
// some after pauses.
func TestAgentRuns(t *testing.T) {
	t.Parallel()
	inARow, afterPauses := load.Count(50, 10_000), load.Count(5, 100)
	idle, pause := time.Duration(load.Count(0, 10))*time.Second, time.Duration(load.Count(0, 2))*time.Second
	a := startShellAgent(t)
	name := a.call("wsh_create_session", args{}).Session
	run := func(word string) {
		t.Helper()
		answer := a.call("wsh_run_command", args{"session": name, "input": "echo " + word, "format": "plain"})
		if answer.State != "done" || answer.ExitCode == nil || *answer.ExitCode != 0 || answer.Output != word+"\n" || !slices.Contains(answer.Screen.Lines, word) {
			t.Fatalf("echo %s: %s", word, answer.text)
		}
	}
	wait.Pause(idle)
	start := time.Now()
	for i := range inARow {
		run(fmt.Sprint(i))
	}
	took := time.Since(start)
	for i := range afterPauses {
		wait.Pause(pause)
		run(fmt.Sprint("later-", i))
	}
	t.Logf("%d runs in %v, %v each; %d with pauses of %v", inARow, took, took/time.Duration(inARow), afterPauses, pause)
}
