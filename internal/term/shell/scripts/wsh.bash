# Read by bash instead of ~/.bashrc, which it reads first. Marks prompts and
# commands with OSC 133, so that the terminal knows when a command has ended and
# with what status.

if [ -r ~/.bashrc ]; then . ~/.bashrc; fi

__wsh_marked() { case "${PS0-}${PS1-}${PROMPT_COMMAND[*]-}" in *'133;'*) return 0 ;; esac; return 1; }

# The person's own marks are left alone. PS0 came with bash 4.4.
if [[ $- == *i* ]] && ! __wsh_marked && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
	__wsh_ran=0 __wsh_none=x

	# First of the prompt's commands, since it needs the status, which it passes on.
	__wsh_end() {
		local status=$?
		if ((__wsh_ran)); then builtin printf '\e]133;D;%s\a' "$status"; fi
		__wsh_ran=0
		return "$status"
	}

	# Last of them: what comes before may have set another prompt.
	__wsh_prompt() {
		local status=$?
		case $PS1 in
		*'133;A'*) ;;
		*) PS1='\[\e]133;A\a\]'$PS1'\[\e]133;B\a\]' ;;
		esac
		return "$status"
	}

	# The expansion of nothing, which leaves a note that a command was run.
	PS0=${PS0-}'\e]133;C\a${__wsh_none:$((__wsh_ran=1)):0}'

	if [[ $(builtin declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
		PROMPT_COMMAND=(__wsh_end "${PROMPT_COMMAND[@]}" __wsh_prompt)
	else
		PROMPT_COMMAND="__wsh_end${PROMPT_COMMAND:+
$PROMPT_COMMAND}
__wsh_prompt"
	fi
fi
unset -f __wsh_marked
