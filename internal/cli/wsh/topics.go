package wsh

import (
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/attaching"
)

// topics are what "wsh help" describes besides commands.
var topics = []commandline.Topic{
	attaching.KeysTopic,
	{Name: "sizes", Help: "whose terminal decides the size of a session", Text: `A session has one size, however many terminals are attached. The rule is chosen with --size, or with size in the configuration file:

    leader    the size of the terminal that was typed on last; before, that of the first one
    manual    no terminal decides: only programs resize the session, on request

By default, the leader decides: a phone or a second screen that only looks changes nothing. A terminal that is smaller than the session displays the part with the cursor; one that is larger leaves the rest empty. "wsh lead" gives the lead to a terminal by name; "wsh list --clients" lists them.`},
	{Name: "states", Help: "what a session is doing", Text: `What a session is doing, as "wsh list" prints it. The state comes from the terminal and the shell, never from the text on the screen.

    running      the program works
    prompt       the shell waits for a command
    line         the program waits for a line
    secret       the program waits for a line that it does not display, such as a password
    fullscreen   the program uses the whole screen, like an editor
    ended        the program has ended: with a status, or by a signal

"wsh wait NAME --needs-me" waits until somebody must do something: line, secret, or prompt after a command. Programs that read single keys, such as "read -s -n1", cannot be distinguished from an editor.`},
	{Name: "settings", Help: "the configuration file", Text: `The configuration file is ~/.config/wsh/config.toml, or the one in WSH_CONFIG. It need not exist. The table [client] is for "wsh" and "wsh attach", and [server] for "wsh server"; their keys are named like the flags, with _ for -:

    [client]
    detach_key = "ctrl-]"
    scrollback = "none"
    size = "manual"
    alt_screen = true

    [server]
    bind = "127.0.0.1:9000"
    scrollback = 50000

Flags override the environment, which overrides the file. "wsh config" prints all settings with their values, and where each comes from; "wsh config --check" checks the file. An unknown key is an error that names its line.`},
	{Name: "environment", Help: "the variables that matter", Text: `Variables that wsh reads:

    WSH_SERVER_NAME   the server's name, like -L
    WSH_TOKEN         the token of a server that is started
    WSH_CONFIG        the configuration file
    WSH_HOSTNAME      what a server calls itself
    WSH_BASE_PREFIX   the path below which a server serves everything
    SHELL             the shell of new sessions
    XDG_RUNTIME_DIR   the folder in which the servers' sockets are, in wsh
    NO_COLOR          no colours in what commands print, nor in questions at an attached terminal

Sessions get the caller's environment; WSH_SESSION is the name of the session, WSH_SESSION_ID its ID, which stays the same when the name changes, and WSH_SERVER_NAME the name of its server.`},
}
