package uimcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/popup/permission"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/regular"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	remote "ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/wake"
)

const (
	maxHookInput = 8 << 20  // of what a client says, in bytes
	maxWakeText  = 64 << 10 // of the events that wake an agent, in bytes
	wakePoll     = 20       // seconds; then the hook looks again whether something is displayed
)

type hookCommand struct {
	serverFlags
	sessionFlag
	Client string `default:"Claude Code" placeholder:"NAME" help:"The client that starts this, for the person (default: ${default})."`
	Wake   int    `placeholder:"N" help:"When the agent stops, wait for an event of the app and wake the agent with it, at most N times in a row (default: never)."`
}

type hookInput struct {
	permission.Request
	Event        string `json:"hook_event_name"`
	Notification string `json:"notification_type"` // of the event Notification
	Session      string `json:"session_id"`
	Woken        bool   `json:"stop_hook_active"` // the agent works because a hook has woken it
}

// run exits with 0, or with 1 and a reason: clients take 2 for a refusal, which only a person may
// give.
func (c hookCommand) run(ctx context.Context, e env) error {
	output, err := c.answer(ctx, e)
	if err == nil && output != nil {
		err = json.NewEncoder(e.Out).Encode(output)
	}
	if err != nil {
		return &commandline.StatusError{Status: commandline.ExitFailure, Err: err}
	}
	return nil
}

// answer returns what the client is to do, or nil if that is for the client to find out.
func (c hookCommand) answer(ctx context.Context, e env) (any, error) {
	var in hookInput
	text, err := io.ReadAll(io.LimitReader(e.In, maxHookInput+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxHookInput:
		return nil, nil // nobody could read it
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("standard input is not what a client says to a hook: %w", err)
	}
	vars := environ.Variables(os.Environ())
	in.Client, in.Project = c.Client, vars.Get("CLAUDE_PROJECT_DIR")
	if in.Project == "" {
		in.Project = in.Cwd
	}
	if !filepath.IsAbs(c.Dir) {
		c.Dir = filepath.Join(in.Project, c.Dir)
	}
	tell(ctx, vars, in.does())
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	if in.Event == "PermissionRequest" { // the client asks at the same time
		watching.Go(func() {
			watch(ctx, in.Session, sessionsOf(vars), func(does agents.State) {
				tell(ctx, vars, does)
				cancel()
			})
		})
	}
	switch {
	case in.Event == "Stop" && c.Wake > 0:
		return c.awaitEvent(ctx, in, vars)
	case in.Tool == permission.AskTool && (in.Event == "PermissionRequest" || in.Event == "PreToolUse"):
		return c.askAll(ctx, in)
	case in.Event == "PermissionRequest":
		a, err := c.pose(ctx, in.Spec())
		if d, ok := in.Decide(a); ok && err == nil {
			tell(ctx, vars, agents.Working)
			return specific(in.Event, "decision", d), nil
		}
		return nil, err
	}
	return nil, nil
}

// sessionsOf returns the folder in which Claude Code says what each of its sessions does. It does
// not promise that: without it, a question is withdrawn a little later, when the hook is ended.
func sessionsOf(vars environ.Variables) string {
	if dir := vars.Get("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, "sessions")
	}
	home, _ := vars.Home() // without one, nothing is found
	return filepath.Join(home, ".claude", "sessions")
}

// watch calls answered when the person has answered in the client: it no longer waits for them,
// and did before. What the agent does then is "" unless it works: it may have been interrupted. The
// client ends the hook only with the agent's turn.
func watch(ctx context.Context, session, sessions string, answered func(does agents.State)) {
	for waited := false; wake.After(ctx, lookEvery) == nil; {
		files, _ := filepath.Glob(filepath.Join(sessions, "*.json"))
		for _, file := range files {
			var s struct{ SessionID, Status string }
			text, err := regular.ReadFile(file, maxHookInput)
			if err != nil || json.Unmarshal(text, &s) != nil || s.SessionID != session {
				continue
			}
			if waited && s.Status != "waiting" {
				answered(map[string]agents.State{"busy": agents.Working}[s.Status])
				return
			}
			waited = waited || s.Status == "waiting"
		}
	}
}

// specific is an answer that only one kind of hook has.
func specific(event, name string, value any) any {
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": event, name: value}}
}

// askAll asks the agent's own questions. If one is not answered, the client asks all of them.
func (c hookCommand) askAll(ctx context.Context, in hookInput) (any, error) {
	specs, err := in.Specs()
	if err != nil {
		return nil, nil // the client knows what it means
	}
	var answers []question.Answer
	for _, s := range specs {
		a, err := c.pose(ctx, s)
		if err != nil || a.Outcome != question.Answered {
			return nil, err
		}
		answers = append(answers, a)
	}
	input, err := in.Answered(answers)
	if err != nil {
		return nil, err
	}
	if in.Event == "PermissionRequest" {
		return specific(in.Event, "decision", permission.Decision{Behavior: "allow", Input: input}), nil
	}
	return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": in.Event, "permissionDecision": "allow", "updatedInput": input}}, nil
}

// pose asks at the running server. Where there is none, or nobody is there, or the person decides
// nothing, the answer is the zero value.
func (c hookCommand) pose(ctx context.Context, s question.Spec) (question.Answer, error) {
	said, err := c.serverFlags.pose(ctx, io.Discard, s)
	if said.Error != nil || errors.Is(err, errAway) || ctx.Err() != nil {
		return question.Answer{}, nil
	}
	var r popuprpc.Result
	if err == nil {
		err = json.Unmarshal(said.Result, &r)
	}
	return question.Answer{Outcome: r.Outcome, Source: r.Source, Value: r.SelectedValue, Values: r.SelectedValues, Text: r.Text}, err
}

// awaitEvent waits for events of the app for as long as a page displays it.
func (c hookCommand) awaitEvent(ctx context.Context, in hookInput, vars environ.Variables) (any, error) {
	count, err := countOf(in.Session, vars)
	if err != nil {
		return nil, err
	}
	n := 0
	if text, err := regular.ReadFile(count, maxHookInput); err == nil && in.Woken {
		n, _ = strconv.Atoi(string(text)) // else it is as if there was none
	}
	if n >= c.Wake {
		return nil, os.Remove(count)
	}
	cl := c.client(0)
	defer cl.http.CloseIdleConnections()
	session := url.Values{"session": {c.Session}}
	for {
		server, err := cl.one(io.Discard)
		if err != nil || !server.Watched {
			return nil, nil
		}
		state, err := cl.get(ctx, server, "/state", session)
		if err != nil || state.status != http.StatusOK || string(bytes.TrimSpace(state.body)) == "null" {
			return nil, nil
		}
		a, err := cl.get(ctx, server, "/wait", url.Values{"session": {c.Session}, "timeout": {strconv.Itoa(wakePoll)}})
		switch {
		case err != nil || a.status != http.StatusOK && a.status != http.StatusNoContent:
			return nil, nil
		case a.status == http.StatusOK:
			var lines bytes.Buffer
			if err := printEvents(&lines, a.body); err != nil {
				return nil, err
			}
			text := lines.Bytes()
			if len(text) > maxWakeText { // whole lines; the app's state has the rest
				text = text[:bytes.LastIndexByte(text[:maxWakeText], '\n')+1]
			}
			if err := os.WriteFile(count, []byte(strconv.Itoa(n+1)), 0o600); err != nil {
				return nil, err // it could wake for ever
			}
			return map[string]string{"decision": "block", "reason": "Events of the app of ui-mcp, one a line, as ui-mcp event prints them:\n" + string(text)}, nil
		}
	}
}

// countOf returns the file that counts how often an agent was woken in a row.
func countOf(session string, vars environ.Variables) (string, error) {
	cache, err := vars.CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "ui-mcp", "wake")
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])), os.MkdirAll(dir, 0o700)
}

// tellTime is how long a hook may take to tell what its agent does: the agent waits.
const tellTime = time.Second

// does returns what an agent does whose client starts a hook, or "" if that does not say. Claude
// Code and Gemini CLI have other names for the same.
func (in hookInput) does() agents.State {
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
func tell(ctx context.Context, vars environ.Variables, does agents.State) {
	session, server := vars.Get(registry.IDVariable), vars.Get(instance.Variable)
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
