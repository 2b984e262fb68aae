package completion

import (
	"context"
	"embed"
	"strings"

	"ui-mcp/internal/cli/commandline"
)

// scripts has a script for each shell, in which PROGRAM and FUNCTION stand for names. The one for
// bash works with version 3.2 and newer, and the one for PowerShell with 5.1: it passes the line as
// one argument, because older versions drop empty ones. Where it offers nothing, PowerShell
// completes the names of files.
//
//go:embed scripts
var scripts embed.FS

// A ScriptCommand is the command that prints the script of a shell.
type ScriptCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"The shell: bash, zsh, fish or powershell."`
}

// Run implements [commandline.Shared].
func (c ScriptCommand) Run(_ context.Context, e commandline.Call) error {
	return e.Print(false, script(c.Shell, e.Program.Name), nil)
}

// script returns the script that makes a shell complete a program, or "" for an unknown shell. It
// runs "PROGRAM complete SHELL -- WORD...", which is a [Query].
func script(shell, program string) string {
	text, _ := scripts.ReadFile("scripts/" + shell)
	return strings.NewReplacer("PROGRAM", program, "FUNCTION", "_"+strings.ReplaceAll(program, "-", "_")).Replace(string(text))
}

// Usage says how to use the scripts of PROGRAM.
const Usage = `    # in ~/.bashrc
    source <(PROGRAM completion bash)
    # in ~/.zshrc, after compinit
    source <(PROGRAM completion zsh)
    # once
    PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish
    # in $PROFILE
    PROGRAM completion powershell | Out-String | Invoke-Expression
`
