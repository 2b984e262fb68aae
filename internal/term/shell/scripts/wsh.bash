# Read by bash instead of ~/.bashrc, which it reads first. Marks prompts and commands with OSC 133 and
# numbers them, so that the terminal knows which line was run, when it ended and with what status:
# docs/terminal.md has the protocol. It must parse in bash 3.2, where it does nothing.

__wsh_key=${WSH_MARK_KEY-}
unset WSH_MARK_KEY

if [ -n "${WSH_LOGIN-}" ]; then
	unset WSH_LOGIN
	if [ -r /etc/profile ]; then . /etc/profile; fi
	for __wsh_file in ~/.bash_profile ~/.bash_login ~/.profile; do
		if [ -r "$__wsh_file" ]; then . "$__wsh_file"; break; fi
	done
	unset __wsh_file
elif [ -z "${WSH_NO_RC-}" ] && [ -r ~/.bashrc ]; then . ~/.bashrc; fi
unset WSH_NO_RC

__wsh_marked() { case "${PS0-}${PS1-}${PROMPT_COMMAND[*]-}" in *'133;'*) return 0 ;; esac; return 1; }

# The person's own marks are left alone. PS0 came with bash 4.4.
if [[ $- == *i* && -n $__wsh_key ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) && ! __wsh_marked; then
	# n is the number of the prompt; ran: its line was run; ended: its end is marked.
	__wsh_n=0 __wsh_ran=0 __wsh_ended=0 __wsh_scalar=

	__wsh_mark() { builtin printf '\e]133;%s;wsh=%s.%s\a' "$1" "$__wsh_key" "$__wsh_n" 2>/dev/null >/dev/tty || builtin :; }

	# The first of the prompt's commands, so that their output is not the command's. It always
	# succeeds, for the sake of an ERR trap: bash restores the status and PIPESTATUS itself.
	__wsh_end() {
		local status=$?
		if ((__wsh_ended)); then return 0; fi
		if ((__wsh_ran)); then __wsh_mark "D;$status"; else __wsh_mark 'D;'; fi
		__wsh_n=$((__wsh_n + 1)) __wsh_ran=0 __wsh_ended=1
		return 0
	}

	# The last of them: what comes before may have set another prompt.
	__wsh_prompt() {
		__wsh_end
		__wsh_ended=0
		case ${PS1-} in
		*__wsh_n*) ;;
		*) PS1='\[\e]133;A;wsh=$__wsh_key.$(('$__wsh_count'__wsh_n))\a\]'${PS1-}'\[\e]133;B;wsh=$__wsh_key.$__wsh_n\a\]' ;;
		esac
		case ${PS2-} in
		*__wsh_n*) ;;
		*) PS2='\[\e]133;A;k=s;wsh=$__wsh_key.$__wsh_n\a\]'${PS2-} ;;
		esac
		__wsh_arm
		return 0
	}

	# Ten keys that the terminal presses, never the person: forgets what has been typed, and says so.
	__wsh_ready() {
		READLINE_LINE= READLINE_POINT=0
		__wsh_mark "B;k=r$1"
	}

	if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
		# PROMPT_COMMAND is a list: the person's commands stay what they are, and see the status
		# and PIPESTATUS of the command. Element 133 survives an assignment to PROMPT_COMMAND,
		# and PS0 sets it again when it is lost.
		__wsh_arm() {
			PROMPT_COMMAND[133]=__wsh_prompt
			case ${PROMPT_COMMAND[0]-} in
			__wsh_end) ;;
			'') if ((${#PROMPT_COMMAND[@]} > 1)); then __wsh_wrap; fi ;;
			*) __wsh_wrap ;;
			esac
			return 0
		}
		__wsh_wrap() {
			local first=${PROMPT_COMMAND[0]-} i
			local -a list=()
			if [[ -n $__wsh_scalar && $first == *__wsh_end* ]]; then
				first=${first//__wsh_end/$__wsh_scalar} # composed with the old value
			fi
			if [[ -n $__wsh_scalar && ${PROMPT_COMMAND[1]-} == "$__wsh_scalar" ]]; then
				unset 'PROMPT_COMMAND[1]'
			fi
			__wsh_scalar=$first
			if [[ -n $first ]]; then list=("$first"); fi
			for i in "${!PROMPT_COMMAND[@]}"; do
				if ((i != 0 && i != 133)); then list+=("${PROMPT_COMMAND[i]}"); fi
			done
			PROMPT_COMMAND=(__wsh_end)
			if ((${#list[@]})); then PROMPT_COMMAND+=("${list[@]}"); fi
			if [[ ${PROMPT_COMMAND[${#PROMPT_COMMAND[@]} - 1]} == __bp_interactive_mode ]]; then
				# bash-preexec takes the first command after this one for the person's.
				unset "PROMPT_COMMAND[${#PROMPT_COMMAND[@]} - 1]"
				PROMPT_COMMAND[133]=__wsh_prompt PROMPT_COMMAND[134]=__bp_interactive_mode
			else
				PROMPT_COMMAND[133]=__wsh_prompt
			fi
		}
		# While our commands are lost, the expansion of PS1 counts prompts.
		__wsh_count='__wsh_n+=${PROMPT_COMMAND[133]+0*}1,__wsh_ran*=${PROMPT_COMMAND[133]+1+0*}0,'
		# A variable of this name makes the expansion a number.
		__wsh_prompt=0 __wsh_rearm='${PROMPT_COMMAND[133]:=__wsh_prompt},'
	else
		__wsh_arm() {
			case ${PROMPT_COMMAND-} in
			*__wsh_prompt) ;;
			*) PROMPT_COMMAND="__wsh_end${PROMPT_COMMAND:+
$PROMPT_COMMAND}
__wsh_prompt" ;;
			esac
			return 0
		}
		__wsh_rearm= __wsh_count=
	fi

	# Expansions run in this shell, so they can count. A line after a prompt without our commands
	# has a number, too.
	PS0=${PS0-}'\e]133;C;wsh=$__wsh_key.$(('$__wsh_rearm'__wsh_n+=__wsh_ran,__wsh_ran=1,__wsh_ended=0,__wsh_n))\a'
	unset __wsh_rearm

	for __wsh_map in emacs vi-insert vi-command; do
		for __wsh_key_n in 0 1 2 3 4 5 6 7 8 9; do
			builtin bind -m "$__wsh_map" -x "\"\\e[2013$__wsh_key_n~\": __wsh_ready $__wsh_key_n" 2>/dev/null
		done
	done
	unset __wsh_key_n
	unset __wsh_map
	__wsh_arm
fi
unset -f __wsh_marked
