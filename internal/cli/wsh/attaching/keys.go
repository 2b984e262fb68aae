package attaching

import (
	"ui-mcp/internal/cli/commandline"
)

// KeysTopic is displayed at an attached terminal, too.
var KeysTopic = commandline.Topic{Name: "keys", Help: "keys of an attached terminal", Text: `Keys of an attached terminal. All others go to the program.

    Ctrl+\ twice       detach: the program goes on; "wsh attach" attaches again
    Ctrl+\ and d       detach, too
    Ctrl+\ and [       look back: scroll, search and copy; h lists the keys there
    Ctrl+\ and PageUp  look back, one page up
    Ctrl+\ and s       choose another session of this server from a list
    Ctrl+\ and L       return to the session before; again: come back
    Ctrl+\ and $       rename the session
    Ctrl+\ and a       show or hide what agents do, in the last row
    Ctrl+\ and ?       list these keys
    Ctrl+\ and Ctrl+Z  suspend the client, as Ctrl-Z does others; "fg" resumes it
    Ctrl+\ and \       send Ctrl+\ to the program, which ends many of them
    Ctrl+\             take the keyboard back from an agent that has captured it

Ctrl+\ waits for the second key, as the last row says; a key that is not in this list is dropped with it. Another key than Ctrl+\ is chosen with --detach-key, or with detach_key in the configuration file; "off" leaves only "wsh detach".

On other commands: Ctrl-C on "wsh run" reaches the command that runs; pressed again, it ends only what you see.`}
