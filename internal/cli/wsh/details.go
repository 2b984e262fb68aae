package wsh

import (
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/setup"
)

// details are the last parts of what --help prints, by the command: paragraphs and examples.
var details = map[string]string{
	"new": `The session starts in this directory, with this environment. It goes on when this terminal is detached, with Ctrl+\ twice; "wsh attach" attaches it again. A server is started if none runs. It ends with the program's status; detached, with 0.

    wsh
    wsh --name build -c 'make watch'
    wsh new --tag ci --size manual`,
	"attach": `Ctrl+\ twice detaches, and Ctrl+\ with [ looks back; "wsh help keys" has all keys. Any number of terminals can be attached to a session. It ends with the program's status; detached, with 0.

    wsh attach
    wsh attach build
    wsh attach build --create
    wsh attach build --read-only --scrollback all`,
	"list": `Each line is a session: its name, its state, the size of its terminal, who is attached, the command and the tags. Sessions whose program has ended stay for a while, with the exit status. Without -L, the sessions of programs such as ui-mcp are listed, too, with the program and its directory (server_name in JSON); commands find them by name. Sessions of other servers are HOST/SESSION (see "wsh servers"); of one that does not answer, what was known last is listed. If nothing is known of one, standard error says so. If no server runs here and others were added, one is started.

A state is running; prompt: the shell waits for a command; line or secret: the program waits for input; fullscreen: it uses the whole screen; or ended.

    wsh list
    wsh list --tag ci --json
    wsh list --clients`,
	"run": `The command runs in a session of its own, in this directory and with this environment; on another server, in the home directory and with the environment there. A server is started if none runs. What the command writes is printed: as it is on a terminal, and without escape sequences elsewhere. It ends with the command's status, or 128 and the number of the signal that ended it. The command waits while what reads the output is slow. If this process is stopped or cut off for more than 20 s and the command has written more than 1 MiB meanwhile, the rest is not printed, and the status is 125.

Others can attach meanwhile, or "wsh send" types: without -i, a command that asks waits for them. Ctrl-C reaches the command; pressed again, it ends only what you see, and the command goes on. SIGQUIT (Ctrl+\), SIGTERM and SIGHUP are passed on to the command, too; a session with a name goes on when its terminal is closed. KILL cannot be passed on: the command goes on, too, in a session that "wsh list" shows and "wsh kill" ends. If what reads the output ends, such as head, the command is killed, unless the session has a name.

With -i, the input of a command that goes on ends where this process does. If the input cannot be read, the command gets SIGTERM before it sees an end.

    wsh run -- make test
    wsh run --name build 'make && make install'
    wsh run -b --name web -- npm start
    wsh run -i -- sort < names.txt
    wsh run --name build1/ -- make test
    wsh run --on gpu -- ./train
    wsh run --all os=linux -- make test`,
	"send": `The text is typed as it is; line ends are typed as Enter, and nothing is pressed at the end unless you say so. With --submit, the status is 1 if nothing changed on the screen after Enter.

    wsh send build "make test" -k Enter
    wsh send build -k C-c
    wsh send agent --submit "Fix the failing test, please."
    wsh send build - < script.sh
    wsh send build --secret - -k Enter < password.txt`,
	"screen": `The screen of a program that has ended can be read, too, until its session is removed. Blank rows at the end are left out of plain and color.

    wsh screen build
    wsh screen build -o build.png
    wsh screen build --json`,
	"wait": `One flag says what to wait for: --idle, --text, --pattern, --prompt, --exit or --needs-me. With --text and --pattern, what has scrolled off the screen since the call counts, too, and the matching line is printed. The status is 124 when the timeout has passed, and 127 when there is no such session, or no server.

With --needs-me and --tag or --all, sessions that are created meanwhile count, too. When all have ended, the command fails.

With several sessions, the command waits for each, and prints a table of what has become of it: how it ended, after which time, and the last line on its screen. If its server goes away meanwhile, that is unknown, and the table has what was seen last. The status is 0 if all have succeeded, 124 if only the time was over, and else 1.

    wsh wait build --text "Build finished" --timeout 5m
    wsh wait build --exit || echo "it failed"
    wsh wait build1/test build2/test --exit
    wsh wait --tag ci --exit --timeout 1h
    wsh wait build --prompt
    wsh wait agent --needs-me && notify-send "it waits for you"
    wsh wait --needs-me --tag agents`,
	"kill": `Everything that runs in the sessions is killed, and they are removed. On a terminal, the command asks first while programs run, shells that wait for a command excepted. If one of the names does not exist, none is killed.

    wsh kill build
    wsh kill --tag ci --yes`,
	"watch": `On a terminal, the session is displayed as it changes, until it ends or you press Ctrl-C, which reaches only this command. A watching terminal types nothing and never decides the size.

Elsewhere, each line is printed when the cursor has left it: first those on the screen, then what follows. A line to which the program returns is printed again. The alternate screen, which editors use, is left out.

With --json, each line is an event. The event "output" has whole lines, "exit" is the last one; docs/terminal.md describes the others.

    wsh watch build
    wsh watch build | grep -i error
    wsh watch build --json --events command,exit`,
	"detach": `All terminals that are attached leave, or the one that you name. The programs go on.

    wsh detach build
    wsh detach build --client ann@pts/3`,
	"lead": `The client leads from now on, as if it had typed: unless the session was given another rule with --size, its terminal decides the size. Another client takes the lead when a person types on it.

    wsh lead build ann@pts/3`,
	"rename": `Clients stay attached, and waits go on.

    wsh rename 0 build`,
	"tag": `The command prints the tags that the session has then, one on each line.

    wsh tag build --add ci --add linux
    wsh tag build --remove ci
    wsh tag build`,
	"scrollback": `The lines that have left the screen, and then those on it. A program on the alternate screen, such as an editor, has no lines there.

    wsh scrollback build | less
    wsh scrollback build -n 50`,
	"search": `Each line is a match: the number of the line, a colon, and the line, joined if it was wrapped. The history and the screen are searched. The status is 1 if nothing matches.

    wsh search build error
    wsh search build -i -e 'warn(ing)?:'`,
	"typed": `Each line is an entry: when, through what and by whom it was typed, what it is (text, keys, paste, mouse, line or signal), and the text. Programs say themselves what their names are. A session keeps the newest 1,000 entries.

Secrets are only counted, and so are the keys of people at attached terminals, which are private; agents type in their name, so their input is kept. With --json, each entry is a line.

    wsh typed build
    wsh typed build --follow --json`,
	"record": `Records the output as an asciicast, from the present screen on, until the program ends or you press Ctrl-C. A recording contains what programs display, and so the secrets that they display.

    wsh record build
    wsh record build --start; make; wsh record build --save build.cast
    wsh record --text build.cast | less

asciinema and the page of terminals play recordings.`,
	"overlay": `An overlay lies on top of what the program displays, in all attached terminals. The command prints the ID of a new one.

    wsh overlay build "tests fail" --x 60 --y 0 --bg red
    wsh overlay build --clear`,
	"panel": `A panel takes rows from the program, at the top or the bottom of the screen. The command prints the ID of a new one.

    wsh panel build "deploying to production" --position top --bg red
    wsh panel build --remove panel-1`,
	"server": `The server stays until it is stopped: with Ctrl-C, a signal or "wsh stop". Commands such as "wsh" and "wsh run" find it; without one they start their own. Each flag is also a key of [server] in the configuration file: see "wsh help settings".

    wsh server
    wsh server -L work --bind 127.0.0.1:0
    wsh server --bind 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem`,
	"status": `The status is 1 if no server runs.

    wsh status
    wsh status -L work --json`,
	"stop": `Everything that runs in its sessions is killed. On a terminal, the command asks first while programs run, shells that wait for a command excepted. It returns when the server has ended.

    wsh stop
    wsh stop -L work --yes`,
	"persist": `A server that another command has started ends when no program runs any more, no request is open and no result of a command can be read, unless it knows other servers; one that "wsh server" has started stays.

    wsh persist
    wsh persist on`,
	"token": `"wsh token" alone prints the server's own token, which allows everything.

    curl -H "Authorization: Bearer $(wsh token)" https://host:8080/sessions
    wsh token new --right read --session build --expires 24h
    wsh token revoke 2`,
	"logs": `Servers that other commands have started write a log. One that "wsh server" has started writes to its standard error.

    wsh logs
    wsh logs -f`,
	"config": `Each line is a setting: its key, its value, and where the value comes from. Flags override the environment, which overrides the file. Keys of [client] are flags of "wsh" and "wsh attach", except confirm, with which "wsh kill" and "wsh stop" ask on a terminal; keys of [server] are flags of "wsh server". A mistake in the file is an error that names the key.

    wsh config
    wsh config --check
    $EDITOR "$(wsh config --path)"`,
	"servers": `A server can know others, on other machines: their sessions are HOST/SESSION in every command, in lists and in pages. An address is ssh://[USER@]HOST[:PORT], which needs wsh and an account there and opens no port; or http://HOST:PORT or https://HOST:PORT, with a token of that server; or nats://HOST:PORT of a hub, whose hosts are listed while they are there.

Below a server is what is wrong with it, or what to do next.

    wsh servers add ssh://build1
    wsh servers
    wsh run --name build1/ -- make test
    wsh attach build1/work
    wsh servers remove build1
    wsh servers add nats://hub.example:4222`,
	"servers add": `The server is kept, also after a restart of this one, and tried again while it cannot be reached. The status is 1 if it cannot be used at first, and the reason is printed. A server is started here if none runs; over ssh, one is started there. A hub serves this server nothing until its owner has accepted it: the command says what to type there, and waits for it at a terminal; otherwise it prints "waiting" and ends with the status 0.

    wsh servers add ssh://build1
    wsh servers add ssh://ann@build1.example:2222 --name build1
    wsh servers add https://build2.example:8080 --token-file build2.token
    wsh servers add nats://hub.example:4222 --ca hub.pem`,
	"hub": `A hub lets hosts reach each other that cannot, or should not, connect to each other. It is a server of NATS in a program of its own, wsh-hub, which "wsh hub" starts, and only the hub's machine needs it; "wsh hub config" prints settings with which nats-server does the same.

A host that adds the hub asks to be accepted, and is served nothing until it is. A worker offers its sessions and asks questions; it sees and does nothing elsewhere. A desk uses the workers: it may do all there but administer them. Mutual desks use each other, too. The hub holds each message against that.

    wsh hub
    wsh hub --listen 192.0.2.1:4222 --tls-cert cert.pem --tls-key key.pem
    wsh hub list
    wsh hub accept UAKEY --as worker
    wsh hub accept UBKEY --as desk
    wsh hub withdraw UAKEY`,
	"hub accept": `The host keeps the name that it claims while it asks, which no other host of the hub has.

    wsh hub accept UAKEY --as worker
    wsh hub accept UBKEY --as desk
    wsh hub accept UCKEY --as desk --mutual`,
	"hub config": `A change of these settings takes effect when nats-server is reloaded.

    wsh hub config build1=UAKEY=worker laptop=UBKEY=desk`,
	"mcp": `An MCP client starts this command. It forwards messages to the server, which it starts if none runs, and ends when its input does.

    claude mcp add wsh -- wsh mcp
    {"mcpServers": {"wsh": {"command": "wsh", "args": ["mcp"]}}}`,
	"setup": setup.Details,
	"install": `Skills go to .claude/skills/wsh-NAME/SKILL.md. Those that are up to date, and those that you have changed, are left alone. A client of "wsh mcp" does not need them: it has the same documents as prompts.

    wsh install
    wsh install --dir ~
    wsh install --force`,
	"doctor": `It examines the command in PATH, who can use the folder of servers, all servers that run and whether they answer, clients and what they start, your shell, and what the system offers. Each line is ok, a note about something that not everyone needs, or a problem, and what to do is below. The status is 1 with a problem, else 0.

    wsh doctor
    wsh doctor --json`,
	"help": `Without a command, the whole command line is described.

    wsh help attach
    wsh help keys`,
	"docs":       docserver.Details,
	"man":        manual.Details,
	"completion": "The script makes the shell complete commands, flags and their values, and the names of sessions and tags as they are at that moment.\n\n" + completion.Usage,
	"version": `If a server runs, and its version is another one, the command says so, and what to do. For a build from an untagged commit, the version includes the commit.

    wsh version
    wsh version --json`,
}
