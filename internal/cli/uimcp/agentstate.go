package uimcp

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/terminals"
	remote "ui-mcp/internal/transport/client"
)

// tellTime is how long a hook may take to tell what its agent does: the agent waits.
const tellTime = time.Second

// does returns what an agent does whose client starts a hook, or "" if that does not say. Claude
// Code and Gemini CLI have other names for the same.
func (in hookInput) does() term.AgentState {
	switch in.Event {
	case "UserPromptSubmit", "BeforeAgent":
		return agents.Working
	case "Stop", "AfterAgent":
		return agents.Idle
	case "PermissionRequest":
		return agents.Asks
	case "Notification":
		switch in.Notification {
		case "permission_prompt", "elicitation_dialog", "ToolPermission":
			return agents.Asks
		}
	}
	return ""
}

// tell tells the session of wsh in which the agent runs what that does. It fails in silence, as
// outside of sessions: the state is then what the screen shows. The server takes it only from the
// agent in the foreground of the session, and so not from one that another agent has started, nor
// from a daemon that is shared by several. Some agents start themselves once more: the first of
// such processes is the agent. One that an agent runs as a command has a shell above it.
func tell(ctx context.Context, vars environ.Variables, does term.AgentState) {
	session, server := vars.Get(term.IDVariable), vars.Get(instance.Variable)
	if does == "" || session == "" || server == "" {
		return
	}
	agent, name := 0, ""
	for pid, args := range pty.Ancestors(os.Getpid()) {
		found := agents.Named(args)
		if name != "" && found != name {
			break
		}
		if found != "" {
			agent, name = pid, found
		}
	}
	folder, err := instance.Open(vars, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if agent == 0 || err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	c := remote.New(remote.Options{Dial: func(context.Context) (net.Conn, error) { return folder.Dial(server, "") }})
	defer c.Close(nil)
	_, _ = terminals.ReportAgent.Do(ctx, c, terminals.Everything, terminals.AgentReport{
		Target: terminals.Target{Session: session}, PID: agent, State: string(does),
	})
}
