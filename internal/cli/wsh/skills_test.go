//go:build unix

package wsh

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/skills"
)

// fenced matches the examples of a document: the language, and the text.
var fenced = regexp.MustCompile("(?s)\n```(console|json)\n(.*?)```\n")

// The examples of each skill give the answers that stand there, in a server of their own.
func TestSkills(t *testing.T) {
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	runtimeDir(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SHELL", "/bin/bash")
	for _, d := range skills.Wsh() {
		t.Run(d.Name, func(t *testing.T) {
			examples := fenced.FindAllStringSubmatch(d.Body, -1)
			if len(examples) == 0 {
				t.Fatal("there are no examples")
			}
			p := launch(t, "-L", d.Name)
			if p.address == "" {
				_, errs := p.status()
				t.Fatal(errs)
			}
			for _, e := range examples {
				for step := range strings.SplitSeq(strings.TrimPrefix(e[2], "$ "), "\n$ ") {
					command, want, _ := strings.Cut(step, "\n")
					shellExample(t, p.address, command, strings.TrimSpace(want))
				}
			}
		})
	}
}

// shellExample runs a command line. With want == "" it must print nothing.
func shellExample(t *testing.T, address, command, want string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", command)
	cmd.Env = append(cmd.Environ(), "WSH="+address)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s\n%v", command, err)
	}
	if want == "" {
		if len(out) > 0 {
			t.Errorf("%s\n%s\nwant no answer", command, out)
		}
	} else if diff := opcases.Diff(want, string(out)); diff != "" {
		t.Errorf("%s\n%s", command, diff)
	}
}
