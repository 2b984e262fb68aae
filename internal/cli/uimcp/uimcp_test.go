package uimcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpui"
)

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"frobnicate", `unknown command "frobnicate"`},
		{"--frobnicate", "unknown flag --frobnicate"},
		{"mcp more", "unexpected argument more"},
		{"mcp --dri x", `unknown flag --dri, did you mean "--dir"?`},
		{"mcp --lua-timeout ten", `invalid duration "ten"`},
		{"mcp --lua-timeout 0s", "--lua-timeout must be more than 0"},
		{"mcp --lua-timeout=-1s", "--lua-timeout must be more than 0"},
		{"mcp --log-level loud", `--log-level must be one of "debug","info","warn","error" but got "loud"`},
		{"mcp --toolsets ui,terminals", `--toolsets must be one of "ui","popup","terminal" but got "terminals"`},
		{"serve --toolsets ui,,popup", "an empty value is not possible"},
		{"mcp --toolsets=", "an empty value is not possible"},
		{"mcp --toolsets x", `must be one of "ui","popup","terminal"`},
		{"mcp --max-sessions 3", "--toolsets ui,popup,terminal"},
		{"mcp --confirm rm", "--toolsets ui,popup,terminal"},
		{"serve --toolsets terminal --confirm (", "missing closing )"},
		{"mcp --toolsets terminal --confirm=", "--confirm is empty"},
		{"mcp --toolsets terminal --max-sessions 0", "--max-sessions must be at least 1"},
		{"serve --port 65536", "--port: "},
		{"serve --mcp-port x", "--mcp-port: "},
		{"mcp --unconfigured --dir x", "--dir and --unconfigured exclude each other"},
		{"install --force=perhaps", "perhaps"},
		{"version 2", "unexpected argument 2"},
		{"completion tcsh", "bash"},
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", strings.Fields(tt.args), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != commandline.ExitUsage || out.Len() > 0 {
			t.Errorf("ui-mcp %s: status %d, output %q", tt.args, status, out.String())
		}
		if got := errs.String(); !strings.HasPrefix(got, "ui-mcp: ") || strings.Count(got, "\n") != 1 || !strings.Contains(got, tt.want) {
			t.Errorf("ui-mcp %s: says %q, want one line with %q", tt.args, got, tt.want)
		}
	}
}

// Settings of clients may have a list with a blank after each comma.
func TestBlanksBetweenToolsets(t *testing.T) {
	var errs bytes.Buffer
	Run(t.Context(), "0.1.0", []string{"mcp", "--toolsets", "ui, popup", "--max-sessions", "3"}, commandline.Streams{Err: &errs})
	if !strings.Contains(errs.String(), "--toolsets ui,popup,terminal") {
		t.Errorf("it says %q", errs.String())
	}
}

func TestNoCommand(t *testing.T) {
	var out, errs bytes.Buffer
	if status := Run(t.Context(), "0.1.0", nil, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != commandline.ExitUsage || out.Len() > 0 {
		t.Errorf("status %d, output %q", status, out.String())
	}
	if !strings.Contains(errs.String(), "ui-mcp setup") {
		t.Errorf("does not say how to begin: %q", errs.String())
	}
}

func TestVersionAndHelp(t *testing.T) {
	for args, want := range map[string]string{
		"version":        "ui-mcp v0.1.0\n",
		"--version":      "ui-mcp v0.1.0\n",
		"mcp --version":  "ui-mcp v0.1.0\n",
		"--help":         "ui-mcp setup",
		"mcp --help":     "else 10s)",
		"serve --help":   "(default: 8001)",
		"install --help": "--force",
		"version --help": "Print the version.",
		"--help ":        "Exit status: 0",
		"serve -h":       "(default: 8000)",
		"--help --bogus": "",
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", strings.Fields(args), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if want == "" {
			if status != commandline.ExitUsage || out.Len() > 0 {
				t.Errorf("ui-mcp %s: status %d, output %q", args, status, out.String())
			}
			continue
		}
		if status != commandline.ExitOK || errs.Len() > 0 || !strings.Contains(out.String(), want) {
			t.Errorf("ui-mcp %s: status %d, errors %q, output %q", args, status, errs.String(), out.String())
		}
		if strings.Contains(want, "\n") && out.String() != want {
			t.Errorf("ui-mcp %s: output %q, want %q", args, out.String(), want)
		}
	}
}

// The help of every command has an example that can be run.
func TestHelpHasExamples(t *testing.T) {
	model := new(grammar).program("dev", commandline.Streams{Out: io.Discard, Err: io.Discard}).Model()
	leaves := model.Leaves(true)
	if len(leaves) < 11 {
		t.Fatalf("%d commands", len(leaves))
	}
	for _, leaf := range leaves {
		example := regexp.MustCompile(`(?m)^    .*\bui-mcp ` + leaf.Path() + `\b`)
		if !example.MatchString(leaf.Detail) {
			t.Errorf("ui-mcp %s --help has no example", leaf.Path())
		}
		var out, errs bytes.Buffer
		args := append(strings.Fields(leaf.Path()), "--help")
		if status := Run(t.Context(), "dev", args, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != commandline.ExitOK || !strings.Contains(out.String(), "ui-mcp "+leaf.Path()) {
			t.Errorf("ui-mcp %s: status %d, %q %q", strings.Join(args, " "), status, out.String(), errs.String())
		}
	}
}

// noisy is an app that writes to streams that belong to the protocol.
type noisy struct{ mcpui.Ops }

func (noisy) Changes() <-chan struct{} { return nil }
func (noisy) Status(context.Context) app.Status {
	fmt.Println("from a careless library")
	if n, err := os.Stdin.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		fmt.Printf("read %d bytes, %v\n", n, err)
	}
	return app.Status{State: "configured"}
}

var quiet = slog.New(slog.DiscardHandler)

// Only the connection reaches the process's own streams.
func TestReserve(t *testing.T) {
	out, errs := tempFile(t), tempFile(t)
	stdin, stdout, stderr := os.Stdin, os.Stdout, os.Stderr
	os.Stdout, os.Stderr = out, errs
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()

	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_status","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	e := env{Streams: commandline.Streams{In: in, Out: out, Err: errs}, version: "dev"}
	release, err := reserve()
	if err != nil {
		t.Fatal(err)
	}
	s, _ := newServer(noisy{}, nil, "dev", quiet, []toolset{"ui", "popup"}, nil, nil)
	err = serveStdio(t.Context(), s, &mcpserver.Stdio{In: e.In, Out: e.Out, Log: quiet})
	release()
	if err != nil {
		t.Errorf("serve: %v", err)
	}
	if os.Stdin != stdin || os.Stdout != out {
		t.Error("the streams were not given back")
	}
	if got := content(t, out); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"structuredContent":{"state":"configured"`) {
		t.Errorf("standard output: %q", got)
	}
	if got := content(t, errs); got != "from a careless library\n" {
		t.Errorf("standard error: %q", got)
	}
}

func TestEndOfInputAndStop(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	never, w := io.Pipe()
	defer w.Close()
	for name, tt := range map[string]struct {
		ctx context.Context
		in  io.Reader
	}{
		"end of input": {t.Context(), strings.NewReader("")},
		"stop":         {stopped, never},
	} {
		e := env{Streams: commandline.Streams{In: tt.in, Out: io.Discard, Err: io.Discard}, version: "dev"}
		s, _ := newServer(noisy{}, nil, "dev", quiet, []toolset{"ui", "popup"}, nil, nil)
		if err := serveStdio(tt.ctx, s, &mcpserver.Stdio{In: e.In, Out: e.Out, Log: quiet}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A command that was stopped has not failed, whatever it was waiting for.
func TestUnlessStopped(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(ending.Signal(syscall.SIGTERM))
	for _, err := range []error{context.Cause(ctx), ctx.Err(), fmt.Errorf("connect: %w", context.Cause(ctx))} {
		if got := unlessStopped(ctx, err); got != nil {
			t.Errorf("%v: %v", err, got)
		}
		if got := unlessStopped(t.Context(), err); got != err {
			t.Errorf("%v, not stopped: %v", err, got)
		}
	}
}

func tempFile(t *testing.T) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func content(t *testing.T, f *os.File) string {
	t.Helper()
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
