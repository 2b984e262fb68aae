//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/errcode"
)

// Events, frames, error codes and ends of WebSockets are as the documents say, over TCP; attached
// terminals use the Unix socket. TLS is below HTTP, and has TestExposed of cli/wsh.
func TestShellServerAPI(t *testing.T) {
	load.Long(t, "internal/transport/httpterm TestCases has every operation")
	t.Parallel()
	for name, story := range apiStories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			token := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(token, []byte(ownersToken), 0o600); err != nil {
				t.Fatal(err)
			}
			r := apiRun{T: t, s: startShellServer(t, "TCP", append(story.flags, "--token-file", token)...), methods: map[int]step{}}
			for _, st := range story.steps {
				for i := range max(st.times, 1) {
					r.run(st, "$odd", strconv.Itoa((i+1)%2), "$even", strconv.Itoa(i%2))
				}
			}
			r.answers()
		})
	}
}

// notFromOutside are errors that no client can bring about, and the tests that do so inside of the
// process.
var notFromOutside = map[string]string{
	"500 internal_error":       "a defect: httpterm TestDefect, wsterm TestDefect",
	"503 host_away":            "another host: cli/wsh TestThreeHostsOfAHub",
	"504 host_silent":          "another host: cli/wsh TestThreeHostsOfAHub",
	"503 hub_away":             "a hub: cli/wsh TestHubHosts",
	"503 host_unreachable":     "another host of another version: errcode TestEveryErrorHasAMeaning",
	"501 host_lacks_operation": "another host over HTTP: transport/client TestFailures",
	"503 no_host_with_room":    "hosts that are full: fleet/place TestChoose",
	"409 nobody_attached":      "only the server itself asks persons, and takes another way then: term TestAskNobody, TestAskToType",
}

// onlyFrames are errors that only attached terminals are answered with.
var onlyFrames = map[string]string{
	"409 client_name_conflict": `07 {"code":"client_name_conflict"}`, // no other client can insist on its name
}

// The stories reach what the server and its documents say it has beside the operations and their
// errors, all of which httpterm and wsterm TestCases have: each event, frame, other error and
// reason for the end of a WebSocket.
func TestShellServerAPIIsComplete(t *testing.T) {
	t.Parallel()
	s := startShellServer(t, "TCP")
	done := map[string]bool{
		"event.input": true, // after frame 11
		"closed 1013": true, // after five seconds: wsterm TestAttachLate
	}
	for _, c := range opcases.All {
		if c.Err != nil {
			err := fault.With(c.Err.Detail, fault.New(c.Err.Kind, ""))
			done[fmt.Sprintf("code %d %s", errcode.Status(err), errcode.Of(err))] = true
		}
	}
	for _, story := range apiStories {
		for _, st := range story.steps {
			verb, rest, isRequest := strings.Cut(st.do, " ")
			status, _, _ := strings.Cut(st.want, " ")
			switch {
			case verb == "frame":
				for kind := range strings.FieldsSeq(rest) {
					done["frame "+kind] = true
				}
				for code, answer := range onlyFrames {
					if st.want == answer {
						done["code "+code] = true
					}
				}
			case verb == "closed":
				done["closed "+status] = true
			case !isRequest && strings.ContainsAny(st.want, "{["):
				done[st.do] = true // a method with success, or an event
			case !isRequest:
				done["code "+st.want] = true
			case status >= "4":
				done["code "+st.want] = true
			}
		}
	}
	var want []string
	_, asyncAPI := s.do(t, "GET", "/asyncapi.yaml", "")
	var document struct {
		Channels struct {
			Server struct{ Messages map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(asyncAPI), &document); err != nil {
		t.Fatal(err)
	}
	for name := range document.Channels.Server.Messages {
		if !strings.HasSuffix(name, ".reply") && name != "error" && terminals.Named(name) == nil {
			want = append(want, name)
		}
	}
	text, err := os.ReadFile("../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	reference, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| ([45]\\d\\d) \\| `?([a-z_]+)`? \\|").FindAllStringSubmatch(string(reference)+string(text), -1) {
		if code := m[1] + " " + m[2]; notFromOutside[code] == "" {
			want = append(want, "code "+code)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+_(?:method|required|superseded)`.*?) \\|").FindAllString(string(text), -1) {
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row, -1) {
			want = append(want, "code "+m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (1\d{3})\b`).FindAllStringSubmatch(string(text), -1) {
		want = append(want, "closed "+m[1])
	}
	_, frames, _ := strings.Cut(string(text), "\n### An attached terminal\n")
	for _, m := range regexp.MustCompile(`(?m)^\| ([0-9a-f, ;]+) \| ([a-z, ]+) \|`).FindAllStringSubmatch(frames, -1) {
		for pair := range strings.SplitSeq(m[1], ";") {
			kinds := strings.FieldsFunc(pair, func(r rune) bool { return r == ',' || r == ' ' })
			for i, by := range strings.Split(m[2], ", ") {
				if by != "server" && i < len(kinds) {
					want = append(want, "frame "+kinds[i])
				}
			}
		}
	}
	if len(want) < 80 {
		t.Errorf("only %d", len(want))
	}
	for _, w := range want {
		if !done[w] {
			t.Errorf("no story has %s", w)
		}
	}
}
