package uimcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/completion"
	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/doctor"
	"ui-mcp/internal/cli/manual"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/termask"
	"ui-mcp/internal/transport/peer"
)

// A command is the chosen command with its flags.
type command interface {
	run(ctx context.Context, e env) error
}

// An env is what a command may use of its process.
type env struct {
	commandline.Streams
	version string // as the linker set it; commands of wsh compare it, and clients learn the app's

	// peer says whose program sent a request; nil means that the system does. It is for tests.
	peer func(*http.Request) (peer.Standing, error)
}

// grammar is the command line. Its tags are the documentation.
type grammar struct {
	global   globalFlags
	commands commands
}

type globalFlags struct {
	Print kong.VersionFlag `name:"version" help:"Print the version."`
}

// commands are the commands of ui-mcp. [commandline.Program] reads the tags.
type commands struct {
	Setup setupCommand `cmd:"" group:"Every day:" help:"Add this server to the clients that are installed, or remove it."`
	Demo  demoCommand  `cmd:"" group:"Every day:" help:"Try a board, a log and terminals in the browser, without an agent."`
	MCP   mcpCommand   `cmd:"" group:"Every day:" name:"mcp" help:"Serve an AI agent over standard input and output. This is what an MCP client starts."`
	Serve serveCommand `cmd:"" group:"Every day:" help:"Serve an app without an agent, for development: pages on one port, MCP on another."`

	Check     checkCommand     `cmd:"" group:"Apps:" help:"Find what does not work in apps, without a server."`
	Install   installCommand   `cmd:"" group:"Apps:" help:"Write the bundled files (skills, resources, view definitions, scripts) into the project."`
	Uninstall uninstallCommand `cmd:"" group:"Apps:" help:"Remove the bundled files that nobody has changed from the project."`
	Linkapp   linkappCommand   `cmd:"" group:"Apps:" help:"Link an app's files into lua/ and viewdefs/, or remove the links."`

	Ask       askCommand       `cmd:"" group:"While a server runs:" help:"Ask the person a question in their browser, and print the answer."`
	Event     eventCommand     `cmd:"" group:"While a server runs:" help:"Print the events that the app pushes to the agent, one on each line, until the server ends."`
	Hook      hookCommand      `cmd:"" group:"While a server runs:" help:"Let the person answer an agent's permission prompts in their browser: clients start this as a hook."`
	State     stateCommand     `cmd:"" group:"While a server runs:" help:"Print the displayed object as JSON."`
	Variables variablesCommand `cmd:"" group:"While a server runs:" help:"Print the variables behind the pages as JSON."`

	Doctor   doctor.Command           `cmd:"" group:"Help:" help:"Examine servers, clients and permissions, and say what to do."`
	Docs     docserver.Command        `cmd:"" group:"Help:" help:"Display the documentation in the browser, or print a page of it."`
	Man      manual.Command           `cmd:"" group:"Help:" help:"Print a manual page, or write all of them into a directory."`
	Complete completion.ScriptCommand `cmd:"" group:"Help:" name:"completion" help:"Print a script that lets a shell complete these commands."`
	Version  versionCommand           `cmd:"" group:"Help:" help:"Print the version."`
	Offer    completeCommand          `cmd:"" group:"Help:" name:"complete" hidden:""`
}

// dirFlag chooses the base directory.
type dirFlag struct {
	Dir string `default:".claude/ui" complete:"directories" placeholder:"DIR" help:"Where apps, view definitions and logs are (default: ${default})."`
}

// AfterApply is called by kong. An empty DIR is usually an unset variable in a script.
func (f dirFlag) AfterApply() error {
	if f.Dir == "" {
		return errors.New("--dir is empty: give the base directory, such as .claude/ui")
	}
	return nil
}

// appFlags limit what an app may use, and choose what agents can do. Toolsets nil means ui and
// popup, AskPrompts nil leaves it to the project.
type appFlags struct {
	LuaTimeout *time.Duration `placeholder:"DURATION" help:"How long Lua may run at a time (default: lua_timeout in DIR/config.json, else 10s)."`
	LuaMemory  *megabytes     `placeholder:"MIB" help:"How much Lua may hold in a session, in MiB (default: lua_memory in DIR/config.json, else 512)."`
	NoHTTP     bool           `name:"no-http" help:"Let no app make HTTP requests with session:http."`
	NoExec     bool           `name:"no-exec" help:"Let no app run programs with session:exec, os.execute and io.popen, or use terminals."`

	Toolsets    []toolset      `default:"ui,popup" enum:"ui,popup,terminal" placeholder:"NAMES" help:"What agents get, of ui, popup and terminal, separated by commas (default: ${default})."`
	Confirm     *regexp.Regexp `placeholder:"PATTERN" help:"Ask the person before an agent enters a line in a terminal that matches this regular expression, such as '\\bsudo\\b|\\brm -r'. It prevents accidents, and is not a security boundary."`
	AskPrompts  *termask.Rule  `placeholder:"RULE" help:"When a program in a terminal that an agent uses asks for something, and nobody looks at the terminal, ask the person: off, secrets or all (default: ask_prompts in DIR/config.json, else secrets)."`
	MaxSessions *int           `placeholder:"N" help:"How many of the terminal sessions that one client of MCP started may run at once (default: 64)."`
}

// given returns the value of a flag, or the zero value if it was left out.
func given[T any](flag *T) (value T) {
	if flag != nil {
		value = *flag
	}
	return value
}

// Validate is called by kong.
func (f appFlags) Validate() error {
	switch {
	case (f.Confirm != nil || f.AskPrompts != nil || f.MaxSessions != nil) && !slices.Contains(f.Toolsets, terminalTools):
		return errors.New("--confirm, --ask-prompts and --max-sessions are about terminals: add --toolsets ui,popup,terminal")
	case f.LuaTimeout != nil && *f.LuaTimeout <= 0:
		return errors.New("--lua-timeout must be more than 0, such as 10s")
	case f.LuaMemory != nil && (*f.LuaMemory < 1 || *f.LuaMemory > 1<<20):
		return errors.New("--lua-memory must be between 1 and 1048576 MiB")
	case f.Confirm != nil && f.Confirm.String() == "":
		return errors.New("--confirm is empty: give a regular expression")
	case f.MaxSessions != nil && *f.MaxSessions < 1:
		return errors.New("--max-sessions must be at least 1")
	}
	return nil
}

// megabytes is a size in MiB.
type megabytes int64

type mcpCommand struct {
	dirFlag
	appFlags
	Unconfigured bool          `help:"Start without a base directory, and touch nothing, until the agent calls ui_configure. Excludes --dir."`
	Own          bool          `help:"Start a server for this client alone. Otherwise, all clients of DIR share one, with the flags of the first."`
	Linger       time.Duration `default:"30m" placeholder:"DURATION" help:"How long the app stays while a page is open and no agent is there (default: ${default})."`
	LogLevel     logLevel      `default:"warn" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`

	PermissionTool bool `help:"Add the tool permission_prompt, by which a client without a dialog asks the person whether another tool may be used."`

	// Serving is for servers that other commands start.
	Serving bool `hidden:"" help:"Be the server that clients share."`
}

// AfterApply is called by kong.
func (c mcpCommand) AfterApply(kctx *kong.Context) error {
	if !c.Unconfigured {
		return c.dirFlag.AfterApply()
	}
	if commandline.HasFlag(kctx, "dir") {
		return errors.New("--dir and --unconfigured exclude each other: the agent gives the directory with ui_configure")
	}
	return nil
}

type versionCommand struct{}

func (versionCommand) run(_ context.Context, e env) error {
	_, err := fmt.Fprintln(e.Out, version.Line("ui-mcp", e.version))
	return err
}
