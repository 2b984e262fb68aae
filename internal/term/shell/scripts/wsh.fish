# Read by fish after the person's own files. Marks prompts and commands with OSC 133 and numbers them:
# docs/adr/0036 has the protocol. Newer versions of fish mark them, too, but without numbers.

set -g __wsh_key
set -g __wsh_took
set -g __wsh_offers $WSH_KEY_FILE.offers
if builtin test -r "$WSH_KEY_FILE"
    builtin read -g __wsh_key <$WSH_KEY_FILE
    command rm -f -- $WSH_KEY_FILE
end
set -e WSH_KEY_FILE

if status is-interactive; and test -n "$__wsh_key"
    # n is the number of the prompt; ran: its line was run; ended: its end is marked.
    set -g __wsh_n 0
    set -g __wsh_ran 0
    set -g __wsh_ended 0

    function __wsh_mark
        builtin printf '\e]133;%s;wsh=%s.%s\a' $argv[1] $__wsh_key $__wsh_n
    end

    function __wsh_start --on-event fish_preexec
        builtin set -g __wsh_ran 1
        if builtin set -q __wsh_line; and builtin test "$(builtin string trim -r -- $argv[1])" != "$(builtin string trim -r -- $__wsh_line)"
            __wsh_mark 'C;k=x'
        else
            __wsh_mark C
        end
        builtin set -e __wsh_line
    end

    # Before the prompt, and not after a line that holds no command.
    function __wsh_end --on-event fish_postexec
        __wsh_mark "D;$status;k=1"
        builtin set -g __wsh_ended 1
    end

    # Once for each prompt, however often it is drawn.
    function __wsh_begin --on-event fish_prompt
        builtin test $__wsh_ended = 1; or __wsh_mark "D;;k=$__wsh_ran"
        builtin set -g __wsh_ran 0
        builtin set -g __wsh_ended 0
        builtin set -g __wsh_n (builtin math $__wsh_n + 1)
        __wsh_mark A
        __wsh_wrap
    end

    # A line that is wrong stays in the editor, also ours.
    function __wsh_refused --on-event fish_posterror
        builtin set -q __wsh_line; and __wsh_drop
    end
    function __wsh_drop
        builtin set -e __wsh_line
        builtin commandline ''
        __wsh_mark "B;k=r$__wsh_pressed"
    end

    # The person's prompt sees the status and pipestatus of the command, so nothing comes before it.
    function __wsh_wrap
        builtin string match -q '*__wsh_fish_prompt*' -- (builtin functions fish_prompt); and return
        builtin functions -e __wsh_fish_prompt
        builtin functions -c fish_prompt __wsh_fish_prompt
        function fish_prompt
            __wsh_fish_prompt
            __wsh_mark B
        end
    end
    __wsh_wrap

    # Keys that the terminal presses, never the person. Ten forget what has been typed, take and enter
    # the line that is offered, if there is one, and say which of both; ten others change nothing if
    # there is something, and say so. The last, for unfinished lines, is as the first: fish keeps these
    # in its editor. vi's modes become the inserting one, and a paste ends. A menu or a search in
    # history is closed.
    # What fish still looks for in the background, for a search in history, replaces what is in the
    # editor, up to the moment when fish runs it. So the terminal waits after such keys, and whether
    # fish has run another line is marked. With a blank at its end, the line differs from one that a
    # menu has selected, and no abbreviation is expanded.
    function __wsh_take
        builtin test -d $__wsh_offers/(builtin string split / $argv[1])[1]; and builtin echo >$__wsh_offers/$argv[1] # else fish warns
    end
    function __wsh_ready
        set -l offer
        if builtin test -r $__wsh_offers/line
            set offer (builtin string split0 <$__wsh_offers/line)
        end
        if builtin test (builtin count $offer) -eq 3; and builtin test $offer[1] != "$__wsh_took"; and __wsh_take $offer[1]
            set -g __wsh_took $offer[1]
            __wsh_mark "B;k=t"(builtin string sub -s -1 $__wsh_took)$argv[1]
            set -g __wsh_line $offer[2]
            set -g __wsh_pressed $argv[1]
            builtin string match -qr -- '^$|\\\\$' $offer[2]; or builtin set offer[2] "$offer[2] "
            builtin commandline -r -- $offer[2]
            builtin commandline --is-valid 2>/dev/null
            if builtin test $status = 2 # unfinished: fish would wait for its rest
                __wsh_drop
            else
                builtin commandline -f execute
            end
        else
            builtin commandline -f cancel
            builtin commandline ''
            __wsh_mark "B;k=r$argv[1]"
        end
    end
    function __wsh_ask
        if builtin test -n "$(builtin commandline)"; or builtin commandline -P
            __wsh_mark "B;k=h$argv[1]"
        else
            __wsh_ready $argv[1]
        end
    end
    function __wsh_bind
        set -l mode
        for mode in default insert visual replace replace_one operator paste
            if test $mode = default; and test "$fish_key_bindings" != fish_vi_key_bindings
                bind -M $mode \e\[$argv[1]~ $argv[2]
            else
                bind -M $mode -m insert \e\[$argv[1]~ $argv[2]
            end
        end
    end
    function __wsh_keys --on-variable fish_key_bindings
        set -l i
        for i in 0 1 2 3 4 5 6 7 8 9
            __wsh_bind 2013$i "__wsh_ready $i"
            __wsh_bind 2014$i "__wsh_ask $i"
        end
        __wsh_bind 20150 '__wsh_ready x'
    end
    __wsh_keys
end
