package uimcp

import (
	"fmt"
	"strings"
)

// bashScript completes in bash, 3.2 and newer.
func bashScript(commands []completion) string {
	var b strings.Builder
	b.WriteString(`# Completion of ui-mcp for bash: source <(ui-mcp completion bash)
_ui_mcp() {
    local at= words= i
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    # "--dir=x" is three words to bash.
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$at/${COMP_WORDS[i]}" in
`)
	for _, step := range steps(commands) {
		fmt.Fprintf(&b, "        %s) at=%s ;;\n", quote(step.from+"/"+step.word), quote(step.to))
	}
	b.WriteString("        esac\n    done\n    case $before in\n")
	for _, f := range valued(commands) {
		switch f.value {
		case directory:
			fmt.Fprintf(&b, "    %s)\n        while IFS= read -r i; do COMPREPLY+=(\"$i\"); done < <(compgen -d -- \"$word\")\n        return\n        ;;\n", f.text)
		case choice:
			fmt.Fprintf(&b, "    %s)\n        COMPREPLY=($(compgen -W %s -- \"$word\"))\n        return\n        ;;\n", f.text, quote(strings.Join(f.choices, " ")))
		default:
			fmt.Fprintf(&b, "    %s) return ;;\n", f.text)
		}
	}
	b.WriteString("    esac\n    case $at in\n")
	for _, c := range commands {
		var words []string
		for _, w := range c.texts() {
			words = append(words, w.text)
		}
		fmt.Fprintf(&b, "    %s) words=%s ;;\n", quote(c.path), quote(strings.Join(words, " ")))
	}
	b.WriteString(`    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _ui_mcp ui-mcp
`)
	return b.String()
}

// zshScript completes in zsh, as a file _ui-mcp in fpath or sourced.
func zshScript(commands []completion) string {
	var b strings.Builder
	b.WriteString(`#compdef ui-mcp
# Completion of ui-mcp for zsh: ui-mcp completion zsh > "${fpath[1]}/_ui-mcp"
_ui-mcp() {
    local at= word
    local -a list
    for word in "${(@)words[2,CURRENT-1]}"; do
        case "$at/$word" in
`)
	for _, step := range steps(commands) {
		fmt.Fprintf(&b, "            (%s) at=%s ;;\n", quote(step.from+"/"+step.word), quote(step.to))
	}
	b.WriteString("        esac\n    done\n    case \"${words[CURRENT-1]}\" in\n")
	for _, f := range valued(commands) {
		switch f.value {
		case directory:
			fmt.Fprintf(&b, "        (%s) _files -/; return ;;\n", f.text)
		case choice:
			fmt.Fprintf(&b, "        (%s) compadd %s; return ;;\n", f.text, strings.Join(f.choices, " "))
		default:
			fmt.Fprintf(&b, "        (%s) _message %s; return ;;\n", f.text, quote(f.help))
		}
	}
	b.WriteString("    esac\n    case \"$at\" in\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "        (%s) list=(\n", quote(c.path))
		for _, w := range c.texts() {
			fmt.Fprintf(&b, "            %s\n", quote(strings.ReplaceAll(w.text+":"+w.help, "\n", " ")))
		}
		b.WriteString("        ) ;;\n")
	}
	b.WriteString(`    esac
    _describe ui-mcp list
}
if [ "${funcstack[1]}" = _ui-mcp ]; then
    _ui-mcp "$@"
else
    compdef _ui-mcp ui-mcp
fi
`)
	return b.String()
}

// fishScript completes in fish.
func fishScript(commands []completion) string {
	var b strings.Builder
	b.WriteString("# Completion of ui-mcp for fish: ui-mcp completion fish > ~/.config/fish/completions/ui-mcp.fish\ncomplete -c ui-mcp -f\n")
	for _, c := range commands {
		at := "__fish_use_subcommand"
		if c.path != "" {
			at = "__fish_seen_subcommand_from " + strings.ReplaceAll(c.path, " ", "; and __fish_seen_subcommand_from ")
		}
		words := at
		if c.path != "" {
			words += "; and not __fish_seen_subcommand_from"
			for _, w := range c.words {
				words += " " + w.text
			}
		}
		for _, w := range c.words {
			fmt.Fprintf(&b, "complete -c ui-mcp -n %s -a %s -d %s\n", quote(words), w.text, quote(w.help))
		}
		for _, f := range c.flags {
			end := ""
			switch f.value {
			case directory:
				end = " -xa '(__fish_complete_directories)'"
			case choice:
				end = " -xa " + quote(strings.Join(f.choices, " "))
			case anything:
				end = " -x"
			}
			fmt.Fprintf(&b, "complete -c ui-mcp -n %s -l %s -d %s%s\n", quote(at), strings.TrimPrefix(f.text, "--"), quote(f.help), end)
		}
	}
	return b.String()
}

// A step is a word that leads from one command to another.
type step struct{ from, word, to string }

func steps(commands []completion) []step {
	var list []step
	for _, c := range commands[1:] {
		from, word := "", c.path
		if i := strings.LastIndexByte(c.path, ' '); i >= 0 {
			from, word = c.path[:i], c.path[i+1:]
		}
		list = append(list, step{from, word, c.path})
	}
	return list
}

// quote quotes s as one word, for any of the shells.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
