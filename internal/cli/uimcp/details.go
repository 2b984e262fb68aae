package uimcp

import (
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/setup"
)

// details are the last parts of what --help prints, by the command: paragraphs and examples.
var details = map[string]string{
	"setup": setup.Details + `

Clients start the server in the project that you work on, where .claude/ui is; those that know no project get the path of .claude/ui in this directory. With --dir, all get that path.

    ui-mcp setup --client claude-desktop --dir ~/apps/.claude/ui`,
	"demo": `It opens your browser, or prints the address where it cannot. The page says what to ask an agent, and how one connects. Terminals there are your own shells.

All files are in a new directory, ui-mcp-demo-… in the system's directory for temporary files, which is removed at the end. Ctrl-C ends the demo, its terminals and what runs there. Only a demo that is killed leaves its directory behind.

    ui-mcp demo
    ui-mcp demo --no-open --port 8000`,
	"mcp": `Standard input and output carry JSON-RPC messages, one on each line; the log goes to standard error. The command ends when its input does.

    claude mcp add ui-mcp -- ui-mcp mcp
    {"mcpServers": {"ui-mcp": {"command": "ui-mcp", "args": ["mcp", "--dir", "/path/to/project/.claude/ui"]}}}`,
	"serve": `Both ports are open on 127.0.0.1 only. While the page displays nothing, an app appears as soon as its files are written. If agents have a server for DIR already, the ports are added to that while this command runs.

    ui-mcp serve --demo contacts --open
    ui-mcp serve --port 0 --mcp-port 0 --dir /tmp/try/.claude/ui`,
	"check": `It needs no server: it loads the app in a session of its own, clicks and fills in whatever there is, and reads the files. The app can change nothing meanwhile: what it writes is dropped, its requests, programs and questions are not answered, and there are no terminals.

With Chromium, Chrome, Edge or Brave on this machine, it also looks at the app, as it is at first and once its controls have been used, in a hidden browser at 390 and 1280 px, light and dark. So it finds what is too wide, cut off, too pale or too small, missing glyphs and errors in the console. Nobody else can open these pages. Scripts in view definitions run there, as they do for ui_screenshot.

Each finding is a line with file and line, what is wrong, and what to do. Lines with "not tried" follow: what no control led to, and what a check does not do, such as scrolling and choosing files. Exit status: 0 without findings, 1 with some.

    ui-mcp check contacts
    ui-mcp check contacts orders --json --dir /path/to/project/.claude/ui`,
	"install": `Files that are up to date, and those that you have changed, are left alone. "ui-mcp mcp" and "ui-mcp serve" do this by themselves where nothing is installed.

    ui-mcp install
    ui-mcp install --claude-md
    ui-mcp install --dir /path/to/project/.claude/ui --force`,
	"uninstall": `Files that you have changed stay, and so do your apps and what they keep. A section in CLAUDE.md goes, too. "ui-mcp mcp" installs the files again: "ui-mcp setup --remove" takes it out of your clients' settings.

    ui-mcp uninstall
    ui-mcp uninstall --dir /path/to/project/.claude/ui`,
	"linkapp": `An app in apps/NAME is found without links. With them its code is found as lua/NAME.lua, its modules as lua/NAME/ and its view definitions in viewdefs/, too, where older projects look for them.

    ui-mcp linkapp add contacts
    ui-mcp linkapp remove contacts
    ui-mcp linkapp list`,
	"linkapp add": `Links that are there already stay. Nothing is linked when a file of yours is in the way of one.

    ui-mcp linkapp add contacts`,
	"linkapp remove": `Links to files that are gone are removed, too.

    ui-mcp linkapp remove contacts`,
	"linkapp list": `One name on each line.

    ui-mcp linkapp list`,
	"ask": `The question appears in the pages of a running server (ui-mcp serve, or the tool ui_start), and the answer is printed. When the server ends, the command waits for it to start again, and for the same question.

Exit status: without -o, --text and --secret, 0 for yes and 1 for no, by the person or by --default; otherwise 0 for an answer. 2 when the question is invalid, 3 when the person dismisses it or refuses to answer, 4 when nobody reacts or can be asked, 5 when anything else fails.

    ui-mcp ask "Deploy now?" && make deploy
    ui-mcp ask "Which database?" -o pg=PostgreSQL -o sqlite=SQLite --default pg --timeout 5m
    name=$(ui-mcp ask "A name for the release?" --text)`,
	"event": `Each event is one line of JSON, in the order in which the app has pushed them. The command listens to the newest server of DIR. When that ends, it goes on with the next one; when none has run for three seconds, it ends. Run one command at a time: an event goes to one listener only.

    ui-mcp event
    ui-mcp event --once`,
	"hook": `An agent's client starts this command as a hook, with JSON on standard input. Permission prompts and the agent's questions are then displayed on open pages, attached terminals and your other hosts, too, and the first answer counts, there or in the client. Where nobody is, nothing is printed, and the client goes on by itself. In a session of wsh, the hooks UserPromptSubmit, Stop, BeforeAgent, AfterAgent and Notification also tell whether the agent works, asks or is idle. "ui-mcp setup --hooks" adds them to the settings of clients.

    {"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "ui-mcp hook", "timeout": 86400}]}]}}
    {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ui-mcp hook --wake 5", "timeout": 86400}]}]}}`,
	"state": `The JSON has the displayed object, and under "$events" the events that no agent has collected:
the oldest, up to 1 MiB. "$moreEvents" is the number of the others.

    ui-mcp state
    ui-mcp state --dir /path/to/project/.claude/ui`,
	"variables": `The JSON is an array, parents before children: each variable with its path, type, value and properties.

    ui-mcp variables
    ui-mcp variables --session 2`,
	"doctor": `It examines the commands in PATH, who can use the folder of servers, the servers of apps and of terminals that run and whether they answer, clients and what they start, your shell, and what the system offers. Each line is ok, a note about something that not everyone needs, or a problem, and what to do is below. Exit status: 1 with a problem, else 0.

    ui-mcp doctor
    ui-mcp doctor --json`,
	"docs":       docserver.Details,
	"man":        manual.Details,
	"completion": "The script makes the shell complete commands, flags and names of apps.\n\n" + completion.Usage,
	"version": `For a build from an untagged commit, this includes the commit.

    ui-mcp version`,
}
