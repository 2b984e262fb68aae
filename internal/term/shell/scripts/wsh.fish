# Read by fish after the person's own files. Marks prompts and commands with OSC
# 133, so that the terminal knows when a command has ended and with what status.
# Newer versions of fish do that themselves, but for the end of the prompt.

if status is-interactive; and not string match -q '*133;*' -- (functions fish_prompt 2>/dev/null)
    if not string match -qr '^([4-9]|\d\d)\.' -- $version
        set -g __wsh_ran 0
        function __wsh_start --on-event fish_preexec
            set -g __wsh_ran 1
            printf '\e]133;C\a'
        end
        # Before the prompt, since a line that holds no command has no end.
        function __wsh_end --on-event fish_postexec
            set -l code $status
            test $__wsh_ran = 1; and printf '\e]133;D;%s\a' $code
            set -g __wsh_ran 0
        end
    end

    functions -c fish_prompt __wsh_fish_prompt
    function fish_prompt
        set -l code $status
        printf '\e]133;A\a'
        __wsh_status $code
        __wsh_fish_prompt
        printf '\e]133;B\a'
    end
    function __wsh_status
        return $argv[1]
    end
end
