# Read by bash instead of ~/.bashrc, which it reads first, or before its first prompt. Marks prompts
# and commands with OSC 133 and numbers them, so that the terminal knows which line was run, when it
# ended and with what status: docs/adr/0036 has the protocol. It must parse in bash 3.2, where it
# does nothing.

__wsh_key= __wsh_offers=${WSH_KEY_FILE-}.offers __wsh_took=
if [ -r "${WSH_KEY_FILE-}" ]; then
	IFS= read -r __wsh_key <"$WSH_KEY_FILE"
	command -p rm -f -- "$WSH_KEY_FILE"
fi
unset WSH_KEY_FILE

__wsh_bare=${WSH_PROMPT_COMMAND+1}
if [ -n "$__wsh_bare" ]; then # bash reads no files: these are the commands of its first prompt
	unset PROMPT_COMMAND
	if [ -n "$WSH_PROMPT_COMMAND" ]; then export PROMPT_COMMAND="$WSH_PROMPT_COMMAND"; fi
elif [ -n "${WSH_LOGIN-}" ]; then
	unset WSH_LOGIN
	if [ -r /etc/profile ]; then . /etc/profile; fi
	for __wsh_file in ~/.bash_profile ~/.bash_login ~/.profile; do
		if [ -r "$__wsh_file" ]; then . "$__wsh_file"; break; fi
	done
else
	__wsh_file=${WSH_RC_FILE-}
	unset WSH_RC_FILE
	case $__wsh_file in
	'') __wsh_file=~/.bashrc ;;
	*/*) ;;
	*) __wsh_file=./$__wsh_file ;; # and not one in PATH
	esac
	if [ -r "$__wsh_file" ]; then . "$__wsh_file"; fi
fi
unset __wsh_file WSH_PROMPT_COMMAND

# The person's own marks stay: the terminal follows those with the key only. PS0 came with bash 4.4.
if [[ $- == *i* && -n ${__wsh_key:+x} ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
	# Functions have no variables of their own: "set -k" takes the variables of local from it.
	# n is the number of the prompt; ran: its line was run; ended: its end is marked; count is how
	# many commands bash has begun, which it does not count for a line that it drops, and shown is
	# how many these were at the last prompt. more says that it was one for the rest of a line.
	__wsh_n=0 __wsh_ran=0 __wsh_ended=0 __wsh_count= __wsh_shown= __wsh_scalar= __wsh_more=0 __wsh_bound=none

	# The prompt's commands. Tracing, and traps that write, are not seen in them.
	__wsh_first=$'{\n__wsh_end\n} >/dev/null 2>&1'
	__wsh_last='{ __wsh_prompt; } 3>&2 >/dev/null 2>&1'

	__wsh_mark() {
		case $- in *x*) local - && builtin set +x ;; esac # the trace may go to a file
		{
			builtin printf '\e]133;%s;wsh=%s.%s\a' "$1" "$__wsh_key" "$__wsh_n" ||
				builtin echo -ne "\e]133;$1;wsh=$__wsh_key.$__wsh_n\a" || :
		} >/dev/tty
	}

	# Sets ran if bash has run a command since the last call.
	__wsh_look() {
		__wsh_now='\#'
		__wsh_now=${__wsh_now@P}
		if [[ $__wsh_now == "$__wsh_count" ]]; then __wsh_ran=0; else __wsh_ran=1; fi
		__wsh_count=$__wsh_now
	}

	# The first of the prompt's commands, so that their output is not the command's. It always
	# succeeds, for the sake of an ERR trap: bash restores the status and PIPESTATUS itself.
	__wsh_end() {
		__wsh_status=$?
		if [[ -n ${__wsh_trap-} ]]; then builtin eval "$__wsh_trap"; __wsh_trap=; fi
		if ((__wsh_ended)); then return 0; fi
		__wsh_look
		if ((__wsh_ran)); then __wsh_mark "D;$__wsh_status;k=1"; else __wsh_mark 'D;;k=0'; fi
		__wsh_n=$((__wsh_n + 1)) __wsh_ran=0 __wsh_ended=1
		return 0
	}

	# The last of them: what comes before may have set another prompt.
	__wsh_prompt() {
		__wsh_end
		__wsh_ended=0
		__wsh_arm
		__wsh_dress
		if ! [[ -t 3 ]]; then __wsh_mark A; fi # bash writes its prompts to standard error
		return 0
	}

	# Puts the marks into the prompts. PS1 marks the end of the line before, too, in case that our
	# commands are lost, and notes how many commands there were. The marks refer to the key, since
	# prompts may be exported, except where bash expands nothing in prompts. They have no "!", which
	# is the number of the line in POSIX mode.
	__wsh_dress() {
		if builtin [ "${PS1-}${PS2-}${PS0-}$BASHOPTS" = "${__wsh_worn-}" ]; then return 0; fi
		case $- in *x*) local - && builtin set +x ;; esac
		__wsh_a='$__wsh_key.$((__wsh_more=0,__wsh_shown=\#,__wsh_n))' __wsh_b='$__wsh_key.$__wsh_n'
		__wsh_s='$__wsh_key.$((__wsh_more=1,__wsh_n))'
		__wsh_d='\[\e]133;D;$?;k=$((__wsh_shown==\#?0:1));l=1;wsh=$__wsh_key.$(('$__wsh_counts'__wsh_n-1))\a\]'
		__wsh_c='$__wsh_key.$((__wsh_n+=__wsh_ran,__wsh_ran=1,__wsh_ended=0,__wsh_n))'$__wsh_rearm
		if ! builtin shopt -q promptvars; then
			__wsh_a=$__wsh_key.$__wsh_n
			__wsh_b=$__wsh_a __wsh_c=$__wsh_a __wsh_s=$__wsh_a __wsh_d=
		fi
		if [[ ${PS1-} != *"A;wsh=$__wsh_a\\a"*"B;wsh=$__wsh_b\\a"* ]]; then
			__wsh_strip PS1 '\[\e]133;' '\a\]'
			PS1=$__wsh_d'\[\e]133;A;wsh='$__wsh_a'\a\]'${PS1-}'\[\e]133;B;wsh='$__wsh_b'\a\]'
		fi
		if [[ ${PS2-} != *"A;k=s;wsh=$__wsh_s\\a"* ]]; then
			__wsh_strip PS2 '\[\e]133;' '\a\]'
			PS2='\[\e]133;A;k=s;wsh='$__wsh_s'\a\]'${PS2-}
		fi
		# While a line is edited, bash refers to the memory of PS0.
		if [[ ${1-} != editing && ${PS0-} != *"C;wsh=$__wsh_c\\a"* ]]; then
			__wsh_strip PS0 '\e]133;' '\a'
			PS0=${PS0-}'\e]133;C;wsh='$__wsh_c'\a'
			if [[ -z $__wsh_d ]]; then builtin declare -g +x PS0; fi # it has the key
		fi
		# Marks that name the prompt's number are made anew each time; PS0 may lack its own.
		if [[ -n $__wsh_d && ${1-} != editing ]]; then __wsh_worn=${PS1-}${PS2-}${PS0-}$BASHOPTS; fi
	}

	# Removes our marks from a prompt, given how they begin and end.
	__wsh_strip() {
		__wsh_text=${!1-}
		while [[ $__wsh_text == *"$2"*wsh=*"$3"* ]]; do
			__wsh_head=${__wsh_text%%"$2"*}
			__wsh_text=${__wsh_text#"$__wsh_head"}
			__wsh_text=$__wsh_head${__wsh_text#*"$3"}
		done
		builtin printf -v "$1" %s "$__wsh_text" || builtin eval "$1=\$__wsh_text"
	}

	# Keys that the terminal presses, never the person. Ten forget what has been typed, take the line
	# that is offered, if there is one, and say which of both. Another key follows each, and then
	# enters it. Where the prompt was made without us, everything is put back, and the line before is
	# over.
	__wsh_ready() {
		READLINE_LINE= READLINE_POINT=0
		__wsh_enter=
		if [[ ${PROMPT_COMMAND[*]-} != *__wsh_prompt* ]]; then
			__wsh_look
			if ((__wsh_ran)) && { [[ ${PS1-} != *__wsh_n* ]] || ! builtin shopt -q promptvars; }; then
				__wsh_mark 'D;;k=1'
				__wsh_n=$((__wsh_n + 1)) __wsh_ended=0
			fi
			__wsh_ran=0
			__wsh_arm
			__wsh_dress editing
		fi
		if ((__wsh_more)); then
			__wsh_mark 'A;k=s' # it may not have been seen
		elif builtin mapfile -t -d '' __wsh_list <"$__wsh_offers/line" && [[ ${__wsh_list[2]-} == . && ${__wsh_list[0]} != "$__wsh_took" ]] && { ((1)); } >"$__wsh_offers/${__wsh_list[0]}"; then
			__wsh_took=${__wsh_list[0]} READLINE_LINE=${__wsh_list[1]} READLINE_POINT=${#READLINE_LINE} __wsh_enter='\C-m'
			__wsh_mark "B;k=t${__wsh_took: -1}$1"
			return
		fi
		READLINE_LINE=
		__wsh_mark "B;k=r$1"
	}

	# Ten others change nothing if there is something, and say so.
	__wsh_ask() { if [[ -n $READLINE_LINE ]]; then __wsh_enter= && __wsh_mark "B;k=h$1"; else __wsh_ready "$1"; fi; }

	__wsh_press() { # COMMAND KEY
		"$1" "$2"
		if [[ $__wsh_enter == "$__wsh_bound" ]]; then return; fi
		__wsh_bound=$__wsh_enter
		for __wsh_keymap in emacs vi-insert; do
			builtin bind -m "$__wsh_keymap" "\"\\e[20151~\": \"$__wsh_enter\"" ||
				{ builtin enable bind && builtin bind -m "$__wsh_keymap" "\"\\e[20151~\": \"$__wsh_enter\""; builtin enable -n bind; }
		done
	}

	# One drops an unfinished line: only a signal makes bash forget what it has read of it, and only
	# one that is not caught. The person's trap comes back at the prompt.
	__wsh_drop() {
		READLINE_LINE= READLINE_POINT=0
		__wsh_trap=$(builtin trap -p INT)
		builtin trap - INT
		builtin kill -INT "$$"
	}

	if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
		# PROMPT_COMMAND is a list: the person's commands stay what they are, and see the status
		# and PIPESTATUS of the command. Element 133 survives an assignment to PROMPT_COMMAND,
		# and PS0 sets it again when it is lost.
		__wsh_arm() {
			if [[ ${PROMPT_COMMAND[133]-} != "$__wsh_last" ]]; then PROMPT_COMMAND[133]=$__wsh_last; fi
			case ${PROMPT_COMMAND[0]-} in
			"$__wsh_first") ;;
			'') if ((${#PROMPT_COMMAND[@]} > 1)); then __wsh_wrap; fi ;;
			*) __wsh_wrap ;;
			esac
			return 0
		}
		__wsh_wrap() {
			__wsh_0=${PROMPT_COMMAND[0]-} __wsh_list=()
			if [[ -n $__wsh_scalar && $__wsh_0 == *"$__wsh_first"* ]]; then
				__wsh_0=${__wsh_0//"$__wsh_first"/$__wsh_scalar} # composed with the old value
			fi
			if [[ -n $__wsh_scalar && ${PROMPT_COMMAND[1]-} == "$__wsh_scalar" ]]; then
				builtin unset 'PROMPT_COMMAND[1]'
			fi
			__wsh_scalar=$__wsh_0
			if [[ -n $__wsh_0 ]]; then __wsh_list=("$__wsh_0"); fi
			for __wsh_i in "${!PROMPT_COMMAND[@]}"; do
				if ((__wsh_i != 0 && __wsh_i != 133)); then __wsh_list+=("${PROMPT_COMMAND[__wsh_i]}"); fi
			done
			PROMPT_COMMAND=("$__wsh_first")
			if ((${#__wsh_list[@]})); then PROMPT_COMMAND+=("${__wsh_list[@]}"); fi
			if [[ ${PROMPT_COMMAND[${#PROMPT_COMMAND[@]} - 1]} == __bp_interactive_mode ]]; then
				# bash-preexec takes the first command after this one for the person's.
				builtin unset "PROMPT_COMMAND[${#PROMPT_COMMAND[@]} - 1]"
				PROMPT_COMMAND[133]=$__wsh_last PROMPT_COMMAND[134]=__bp_interactive_mode
			else
				PROMPT_COMMAND[133]=$__wsh_last
			fi
		}
		# While our commands are lost, the expansion of PS1 counts prompts.
		__wsh_counts='__wsh_n+=${PROMPT_COMMAND[133]+0*}1,__wsh_ran*=${PROMPT_COMMAND[133]+1+0*}0,'
		__wsh_rearm=';${PROMPT_COMMAND[133]:=$__wsh_last}'
	else
		__wsh_arm() {
			case ${PROMPT_COMMAND-} in
			*"$__wsh_last") ;;
			*) PROMPT_COMMAND="$__wsh_first${PROMPT_COMMAND:+
$PROMPT_COMMAND}
$__wsh_last" ;;
			esac
			return 0
		}
		__wsh_rearm= __wsh_counts=
	fi

	# In vi's command mode, "i" comes first, for the inserting mode.
	__wsh_bind() { # KEY COMMAND
		builtin bind -m emacs -x "\"\\e[$1~\": $2 >/dev/null 2>&1" 2>/dev/null
		builtin bind -m vi-insert -x "\"\\e[$1~\": $2 >/dev/null 2>&1" 2>/dev/null
		builtin bind -m vi-command "\"\\e[${3-$1}~\": \"i\\e[${3-$1}~\"" 2>/dev/null
	}
	__wsh_keys() { # KEY FUNCTION
		for __wsh_i in 0 1 2 3 4 5 6 7 8 9; do
			__wsh_bind "3$1$__wsh_i" "{ __wsh_press $2 $__wsh_i; }" "2$1$__wsh_i"
			builtin bind -m emacs "\"\\e[2$1$__wsh_i~\": \"\\e[3$1$__wsh_i~\\e[20151~\"" 2>/dev/null
			builtin bind -m vi-insert "\"\\e[2$1$__wsh_i~\": \"\\e[3$1$__wsh_i~\\e[20151~\"" 2>/dev/null
		done
	}
	__wsh_keys 013 __wsh_ready
	__wsh_keys 014 __wsh_ask
	__wsh_bind 20150 __wsh_drop # without braces, which bash does not understand between quotes
	unset -f __wsh_bind __wsh_keys
	__wsh_look
	__wsh_ran=0
	__wsh_arm
	__wsh_dress
fi

if [ -n "$__wsh_bare" ]; then
	for __wsh_i in "${PROMPT_COMMAND[@]}"; do eval "$__wsh_i"; done
fi
unset __wsh_bare __wsh_i
