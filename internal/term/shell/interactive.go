package shell

import (
	"slices"
	"strings"
)

// known are the names of shells that take options as sh does.
var known = []string{
	"ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "ksh93", "lksh", "loksh", "mksh", "nu", "oksh", "posh", "rbash", "rksh", "sh", "tcsh", "yash", "zsh",
}

// valued are the long options of shells that are followed by a value.
var valued = []string{"--rcfile", "--init-file", "--init-command", "--features", "--profile", "--config", "--env-config", "--debug-output"}

// IsInteractive reports whether a program, given as its name and its arguments, is a shell that
// reads commands from its input: it was given neither commands nor a script. Shells that are not
// known, and options that are not, do not count.
func IsInteractive(args []string) bool {
	if len(args) == 0 {
		return false
	}
	name := shellName(strings.TrimPrefix(args[0], "-")) // which login shells have
	args = args[1:]
	if name == "busybox" && len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch {
	case name == "cmd" || name == "powershell" || name == "pwsh":
		return !slices.ContainsFunc(args, func(word string) bool {
			word = strings.ToLower(word)
			return word != "/d" && word != "-nologo" && word != "-noprofile"
		})
	case !slices.Contains(known, name):
		return false
	}
	letters := "oO" // options that are followed by a value
	if name == "fish" {
		letters = "CDdfop"
	}
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "-" || word == "--":
			return i+1 == len(args)
		case strings.HasPrefix(word, "--command"):
			return false
		case slices.Contains(valued, word):
			i++
		case strings.HasPrefix(word, "--"):
		case strings.HasPrefix(word, "-") && strings.Contains(word, "c"):
			return false
		case strings.HasPrefix(word, "-") && strings.Contains(word, "s"):
			return true
		case strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+"):
			if strings.ContainsAny(word[len(word)-1:], letters) {
				i++
			}
		default:
			return false // a script
		}
	}
	return true
}
