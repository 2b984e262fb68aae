//go:build linux

// Package soak runs both commands for a long time, with everything at once and with faults: agents
// over MCP, pages, attached terminals, questions, apps that are being saved, while processes are
// killed, disks fill up and connections break. Ledgers that know nothing of the program's inside
// hold what was acknowledged against what is there.
//
// make soak runs it, for ten minutes. The package's other tests, which make test runs, test the
// ledgers. It measures processes in /proc, so it runs on Linux only.
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
	length   time.Duration
	seed     uint64
	scale    float64
	timeline string
	without  string
}

func init() {
	flag.DurationVar(&settings.length, "soak", 0, "how long to run TestSoak; 0 skips it")
	flag.Uint64Var(&settings.seed, "seed", 0, "what makes the same schedule again; 0 takes one from the clock")
	flag.Float64Var(&settings.scale, "scale", 1, "how many actors and sessions there are, as a part of the usual numbers")
	flag.StringVar(&settings.timeline, "timeline", "", "file for everything that happens")
	flag.StringVar(&settings.without, "without", "", "kinds of faults to leave out, separated by commas")
}

// pace is the mean pause of an actor between two actions, faultPace that between two faults of a
// sort, and patience how long to wait for one answer, on a machine that is very busy.
const (
	pace      = time.Second
	faultPace = 8 * time.Second
	patience  = time.Minute
)

// scaled returns how many there are of what there are n usually.
func scaled(n int) int { return max(1, int(float64(n)*settings.scale)) }

func TestMain(m *testing.M) {
	testscript.Main(runner{m}, map[string]func(){
		"ui-mcp": reporting(func() { os.Exit(uimcp.Main("0.1.0")) }),
		"wsh":    reporting(func() { os.Exit(wsh.Main("0.1.0")) }),
	})
}

type runner struct{ m *testing.M }

func (r runner) Run() int {
	signals.Default()
	return r.m.Run()
}
