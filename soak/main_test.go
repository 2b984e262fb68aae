//go:build linux

// Package soak runs both commands for a long time, with everything at once and with faults: agents
// over MCP, pages, attached terminals, questions, apps that are being saved, while processes are
// killed, disks fill up and connections break. Checkers that know nothing of the program's inside
// hold what was acknowledged against what is there.
//
// make soak runs it, for ten minutes. The package's other tests, which make test runs, test the
// checkers. It measures processes in /proc, so it runs on Linux only.
package soak

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ui-mcp/internal/cli/uimcp"
	"ui-mcp/internal/cli/wsh"
	"ui-mcp/internal/testkit/signals"
)

// settings are how much a soak does.
var settings struct {
	length                     time.Duration
	seed                       uint64
	agents, piped, bridges     int
	pages, simulated           int
	attached, sessions, floods int
	questions                  int
	saves                      int
	pace, faults               time.Duration
	timeline                   string
	without                    string
}

func init() {
	flag.DurationVar(&settings.length, "soak", 0, "how long to run TestSoak; 0 skips it")
	flag.Uint64Var(&settings.seed, "seed", 0, "what makes the same schedule again; 0 takes one from the clock")
	flag.IntVar(&settings.agents, "agents", 8, "agents over HTTP")
	flag.IntVar(&settings.piped, "piped", 4, "agents with a server of their own, on its standard streams")
	flag.IntVar(&settings.bridges, "bridges", 8, "agents through wsh mcp")
	flag.IntVar(&settings.pages, "pages", 8, "pages in Chromium")
	flag.IntVar(&settings.simulated, "simulated", 30, "simulated pages")
	flag.IntVar(&settings.attached, "attached", 10, "attached terminals")
	flag.IntVar(&settings.sessions, "sessions", 90, "quiet sessions of terminals")
	flag.IntVar(&settings.floods, "floods", 10, "sessions that flood")
	flag.IntVar(&settings.questions, "questions", 6, "askers of questions")
	flag.IntVar(&settings.saves, "saves", 20, "how often an app is saved in a minute")
	flag.DurationVar(&settings.pace, "pace", time.Second, "mean pause of an actor between two actions")
	flag.DurationVar(&settings.faults, "faults", 8*time.Second, "mean pause between two faults of a sort")
	flag.StringVar(&settings.timeline, "timeline", "", "file for everything that happens")
	flag.StringVar(&settings.without, "without", "", "kinds of faults to leave out, separated by commas")
}

func TestMain(m *testing.M) {
	testscript.Main(runner{m}, map[string]func(){
		"ui-mcp": reporting(func() { os.Exit(uimcp.Main("0.1.0", nil)) }),
		"wsh":    reporting(func() { os.Exit(wsh.Main("0.1.0", nil)) }),
	})
}

type runner struct{ m *testing.M }

func (r runner) Run() int {
	signals.Default()
	return r.m.Run()
}
