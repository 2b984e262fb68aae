// Package shell starts shells such that they mark their prompts and commands
// (OSC 133). With the marks a terminal knows when a command has ended, with what
// status, and which output was its own; without them it can only wait for
// silence.
//
// The person's files are read as always and never changed, and a shell that marks
// its prompts already is left alone. bash (4.4 or newer), zsh and fish are
// known; other shells start as they are.
package shell

import (
	"embed"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
)

//go:embed scripts
var scripts embed.FS

// files says where the scripts go: zsh insists on its own name.
var files = map[string]string{
	"scripts/wsh.bash": "wsh.bash",
	"scripts/wsh.fish": "wsh.fish",
	"scripts/zsh.env":  filepath.Join("zsh", ".zshenv"),
}

// A Kit is the scripts, written to a folder from which shells read them.
type Kit struct{ dir string }

// Install writes the scripts into a folder, which must be the caller's alone:
// shells will run what is there.
func Install(dir string) (*Kit, error) {
	for from, to := range files {
		data, err := scripts.ReadFile(from)
		if err != nil {
			return nil, fault.Wrap(fault.Internal, err, "read the shell scripts")
		}
		path := filepath.Join(dir, to)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fault.Wrap(fault.Internal, err, "write the shell scripts")
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return nil, fault.Wrap(fault.Internal, err, "write the shell scripts")
		}
	}
	return &Kit{dir: dir}, nil
}

// A Start is how to start a shell.
type Start struct {
	Path string
	Args []string
	Env  map[string]string // on top of the environment
	// Marks says that the shell is one that we make mark its prompts.
	Marks bool
}

// Start says how to start an interactive shell. getenv looks into the environment
// that the shell will have. A nil Kit starts every shell as it is.
func (k *Kit) Start(path string, getenv func(string) (string, bool)) Start {
	s := Start{Path: path, Args: []string{"-i"}, Env: map[string]string{}}
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	switch {
	case name == "cmd" || name == "powershell" || name == "pwsh":
		s.Args = nil
	case k == nil:
	case name == "bash":
		s.Args = []string{"--rcfile", filepath.Join(k.dir, "wsh.bash"), "-i"}
		s.Marks = true
	case name == "zsh":
		if was, ok := getenv("ZDOTDIR"); ok {
			s.Env["WSH_ZDOTDIR"] = was
		}
		s.Env["ZDOTDIR"] = filepath.Join(k.dir, "zsh")
		s.Marks = true
	case name == "fish":
		s.Args = []string{"--init-command", "source " + quote(filepath.Join(k.dir, "wsh.fish")), "-i"}
		s.Marks = true
	}
	return s
}

// quote quotes a word for fish.
func quote(word string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(word) + "'"
}
