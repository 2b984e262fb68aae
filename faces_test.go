package uimcp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// faceless names the operations on terminals that an agent's tools, or the commands, do not offer:
// what only programs need, and what another operation does for them. Every operation has HTTP,
// WebSockets and Lua. A new operation that is added here is a decision, to be said in its commit.
var faceless = map[string][]string{
	"internal/transport/mcpterm": {
		"agent.report", "archive.get", "archive.list", "command.list", "command.output",
		"elements.apply", "input.mouse", "keyboard.give", "keyboard.take", "question.follow",
		"recording.get", "recording.remove", "server.persist", "server.persistence", "server.stop",
		"session.join", "session.lead", "session.output", "session.typed", "session.watch",
		"token.create", "token.list", "token.withdraw", "wait.any_idle", "wait.typed",
	},
	"internal/cli": {
		"archive.get", "archive.list", "command.list", "command.output", "command.run",
		"elements.apply", "focus.clear", "focus.get", "focus.set", "input.capture", "input.mode",
		"input.mouse", "input.release", "keyboard.give", "keyboard.take", "question.follow",
		"recording.remove", "screen.diff", "screen_mode.enter_alt", "screen_mode.exit_alt",
		"screen_mode.get", "session.job", "session.resize", "wait.any_idle", "wait.keys",
	},
}

func TestFacesOfOperations(t *testing.T) {
	declared := regexp.MustCompile(`(\w+) += \w+\(Operation\{\s*Name:\s*"([^"]+)"`)
	operations := declared.FindAllStringSubmatch(codeOf(t, "internal/terminals"), -1)
	if len(operations) < 60 {
		t.Fatalf("%d operations are declared as this test expects", len(operations))
	}
	for folder, listed := range faceless {
		source := codeOf(t, folder)
		for _, o := range operations {
			used := regexp.MustCompile(`terminals\.` + o[1] + `\b`).MatchString(source)
			if !used && !slices.Contains(listed, o[2]) {
				t.Errorf("%s is not in %s: add it as docs/contributing.md says, or list it in faceless", o[2], folder)
			}
			if used && slices.Contains(listed, o[2]) {
				t.Errorf("%s is in %s: take it out of faceless", o[2], folder)
			}
		}
	}
}

// codeOf returns the Go code of a folder without its tests.
func codeOf(t *testing.T, folder string) string {
	var b strings.Builder
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
