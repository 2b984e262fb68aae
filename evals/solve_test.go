//go:build unix

package evals

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bridge is the command that agents start as the server: bridge ADDRESS. It forwards its standard
// streams to the workplace, which keeps the server when the agent has ended.
func bridge() {
	conn, err := net.Dial("unix", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.Close()
		os.Exit(0)
	}()
	_, _ = io.Copy(os.Stdout, conn)
}

// solve is the command of an agent that plays the solution of a wish: solve CONFIG FILE VERSION, in
// the project. The version is "whole", "nothing", or the index of a fault.
func solve() {
	if err := play(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// configuration is the file that clients of MCP read.
type configuration struct {
	Servers map[string]launch `json:"mcpServers"`
}

type launch struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

func play(config, file, version string) error {
	w, err := readWish(file)
	if err != nil {
		return err
	}
	switch index, err := strconv.Atoi(version); {
	case err == nil:
		if w, err = w.faulty(w.faults[index]); err != nil {
			return err
		}
	case version == "nothing":
		w.solution, w.calls = nil, "ui_start {}"
	}
	data, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	var c configuration
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	server := c.Servers["ui-mcp"]
	ctx := context.Background()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "solution", Version: "0"}, nil).
		Connect(ctx, &mcp.CommandTransport{Command: exec.Command(server.Command, server.Args...)}, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, f := range w.solution {
		path, ok := strings.CutPrefix(f.Name, "project/")
		if !ok {
			path = filepath.Join(".claude", "ui", path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	project, err := os.Getwd()
	if err != nil {
		return err
	}
	for line := range strings.Lines(strings.ReplaceAll(w.calls, "{project}", project)) {
		tool, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		var args map[string]any
		if err := json.Unmarshal([]byte(text), &args); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err == nil && res.IsError {
			err = fmt.Errorf("failed: %s", texts(res))
		}
		if err == nil {
			fmt.Println(tool, texts(res))
		} else if version == "whole" {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	return nil
}

func texts(res *mcp.CallToolResult) (all string) {
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			all += c.Text
		}
	}
	return all
}
