package others

import (
	"bytes"
	"strings"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals"
)

// known are servers of all kinds, as a server lists them.
var known = []terminals.KnownServer{
	{Hostname: "build1", Address: "ssh://build1", Health: terminals.Healthy},
	{Hostname: "both", Address: "ssh://both", Health: terminals.Healthy},
	{Address: "ssh://new", Health: terminals.Connecting, Reason: "no route"},
	{Address: "nats://hub:4222", Health: terminals.Healthy, Key: "UHERE", Role: "desk"},
	{Address: "nats://new:4222", Health: terminals.Waiting, Key: "UHERE", Reason: `type "wsh hub accept UHERE"`},
	{Hostname: "sand1", Address: "nats://hub:4222/USAND", Health: terminals.Healthy, Key: "USAND"},
}

// Commands complete with the servers for which they are.
func TestServersToComplete(t *testing.T) {
	for command, want := range map[string]string{
		"remove": "build1 both ssh://new nats://hub:4222 nats://new:4222",
		"send":   "build1 both sand1",
	} {
		var got []string
		for _, s := range known {
			if name := NameFor(command, s); name != "" {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", command, got, want)
		}
	}
}

// The list of servers is as wide as names and addresses need. What is said of one is below it.
func TestListOfServers(t *testing.T) {
	var out bytes.Buffer
	table := tableOf(known, map[string]int{"build1": 2})
	if err := table.Print(caller.Env{Streams: commandline.Streams{Out: &out}}); err != nil {
		t.Fatal(err)
	}
	const want = `NAME    ADDRESS          STATE             ANSWERS IN  SESSIONS
build1  ssh://build1     healthy           -           2 sessions
both    ssh://both       healthy           -           0 sessions
-       ssh://new        connecting again  -           -
    no route
-       nats://hub:4222  healthy           -           -
    a desk there, with the key UHERE: workers are listed while they are there
-       nats://new:4222  waiting           -           -
    type "wsh hub accept UHERE"
sand1   nats://hub:4222  healthy           -           0 sessions
    key USAND
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
