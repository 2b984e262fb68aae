package completion

import (
	"fmt"
	"io"
	"strings"
)

// A ScriptCommand is the command that prints the script of a shell.
type ScriptCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"The shell: bash, zsh, fish or powershell."`
}

// Print writes the script that completes the command lines of a program.
func (c ScriptCommand) Print(out io.Writer, program string) error {
	_, err := io.WriteString(out, script(c.Shell, program))
	return err
}

// script returns the script that makes a shell complete a program, or "" for an unknown shell. It
// runs "PROGRAM complete SHELL -- WORD...", which is a [Query].
func script(shell, program string) string {
	text := map[string]string{"bash": bash, "zsh": zsh, "fish": fish, "powershell": powershell}[shell]
	return strings.NewReplacer("PROGRAM", program, "FUNCTION", "_"+strings.ReplaceAll(program, "-", "_")).Replace(text)
}

// Usage says how to use the scripts of a program.
func Usage(program string) string {
	var b strings.Builder
	for _, line := range [][2]string{
		{"source <(%s completion bash)", "in ~/.bashrc"},
		{"source <(%s completion zsh)", "in ~/.zshrc, after compinit"},
		{"%[1]s completion fish > ~/.config/fish/completions/%[1]s.fish", "once"},
		{"%s completion powershell | Out-String | Invoke-Expression", "in $PROFILE"},
	} {
		fmt.Fprintf(&b, "    # %s\n    %s\n", line[1], fmt.Sprintf(line[0], program))
	}
	return b.String()
}

// bash works with version 3.2 and newer.
const bash = `# Completion of PROGRAM for bash: source <(PROGRAM completion bash)
FUNCTION() {
    local kind= line= text= word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    case $word in [=:@]) word= ;; esac
    while IFS= read -r line; do
        if [ -z "$kind" ]; then
            kind=$line
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <(PROGRAM complete bash -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    case $kind in
    files*)
        compopt -o filenames 2>/dev/null
        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "$word")
        ;;
    directories*)
        compopt -o filenames 2>/dev/null
        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -d -- "$word")
        ;;
    command*)
        if [ "$(type -t _command_offset)" = function ]; then
            _command_offset $((${kind#command } + 1))
        elif [ $((${kind#command } + 1)) -eq "$COMP_CWORD" ]; then
            while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -c -- "$word")
        else
            compopt -o filenames 2>/dev/null
            while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen -f -- "$word")
        fi
        ;;
    esac
}
complete -F FUNCTION PROGRAM
`

const zsh = `#compdef PROGRAM
# Completion of PROGRAM for zsh: source <(PROGRAM completion zsh) after compinit,
# or PROGRAM completion zsh > "${fpath[1]}/_PROGRAM"
FUNCTION() {
    local -a lines list
    local line text help
    lines=("${(@f)$(PROGRAM complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    case ${lines[1]} in
    files*)
        [[ ${lines[1]} == *= ]] && compset -P '*='
        _files
        return
        ;;
    directories*)
        [[ ${lines[1]} == *= ]] && compset -P '*='
        _files -/
        return
        ;;
    command*)
        local start=$((${lines[1]#command } + 2))
        words=("${(@)words[start,-1]}")
        CURRENT=$((CURRENT - start + 1))
        _normal
        return
        ;;
    esac
    for line in "${(@)lines[2,-1]}"; do
        text=${line%%$'\t'*} help=${line#*$'\t'}
        if [[ -n $help ]]; then
            list+=("${text//:/\\:}:$help")
        elif [[ -n $text ]]; then
            list+=("${text//:/\\:}")
        fi
    done
    _describe PROGRAM list
}
if [ "${funcstack[1]}" = _PROGRAM ]; then
    FUNCTION "$@"
else
    compdef FUNCTION PROGRAM
fi
`

const fish = `# Completion of PROGRAM for fish: PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish
function __FUNCTION
    set -l word (commandline -ct)
    set -l words (commandline -opc)
    set -l lines (PROGRAM complete fish -- $words[2..] "$word" 2>/dev/null)
    set -l kind (string split -m 1 ' ' -- $lines[1])
    switch "$kind[1]"
        case files
            for path in (__fish_complete_path (string replace -- "$kind[2]" '' "$word"))
                echo "$kind[2]$path"
            end
        case directories
            for path in (__fish_complete_directories (string replace -- "$kind[2]" '' "$word"))
                echo "$kind[2]$path"
            end
        case command
            set -l start (math $kind[2] + 2)
            complete -C (string join ' ' -- (string escape -- $words[$start..]) "$word")
        case words
            printf '%s\n' $lines[2..]
    end
end
complete -c PROGRAM -f -a '(__FUNCTION)'
`

// powershell works with version 5.1 and newer. The line is one argument, because older versions
// drop empty ones. Where there are no candidates, PowerShell completes the names of files.
const powershell = `# Completion of PROGRAM for PowerShell: PROGRAM completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName PROGRAM -ScriptBlock {
    param($word, $command, $cursor)
    $length = $cursor - $command.Extent.StartOffset
    $line = $command.Extent.Text.PadRight($length).Substring(0, $length)
    $answer = @(PROGRAM complete powershell -- $line 2>$null)
    if ($answer.Count -eq 0 -or $answer[0] -notlike 'words*') { return }
    foreach ($candidate in $answer[1..$answer.Count]) {
        $text, $help = $candidate -split "$([char]9)", 2
        if (-not $text) { continue }
        if (-not $help) { $help = $text }
        $typed = if ($text -match '[\s''"$;&|(){}@#<>,]') { "'" + $text.Replace("'", "''") + "'" } else { $text }
        [System.Management.Automation.CompletionResult]::new($typed, $text, 'ParameterValue', $help)
    }
}
`
