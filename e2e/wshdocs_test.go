//go:build unix

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/testkit/wait"
)

// The examples in the documents about terminals do what stands there: those of one page, in order,
// with one server.
//
// A console block has commands and their answers, of which JSON may be a part, and a websocket
// block what goes over /ws/json. A text that ends in "…" stands for one with that beginning, also
// in later commands. A toml block is a configuration file.
func TestTerminalDocuments(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the examples use curl: ", err)
	}
	block := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	for page, least := range map[string]int{"terminal": 5, "security": 1} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../docs/" + page + ".md")
			if err != nil {
				t.Fatal(err)
			}
			blocks := block.FindAllStringSubmatch(string(text), -1)
			if len(blocks) < least || strings.Count(string(text), "\n```") != 2*len(blocks) {
				t.Errorf("%d blocks of code were found, want at least %d, and the end of each", len(blocks), least)
			}
			if len(blocks) == 0 {
				return
			}
			d := document{T: t, s: startShellServer(t, "TCP"), dir: t.TempDir()}
			for _, m := range blocks {
				switch language, code := m[1], m[2]; language {
				case "console":
					d.console(code)
				case "websocket":
					d.webSocket(code)
				case "toml":
					d.configuration(code)
				case "text": // a figure
				default:
					t.Errorf("a block of %q is not run: %s", language, code)
				}
			}
		})
	}
}

// A document is a page whose examples are being run.
type document struct {
	*testing.T
	s     *shellServer
	dir   string
	known []string // texts that end in "…" and what they stand for, by turns
}

func (d *document) console(code string) {
	d.Helper()
	for step := range strings.SplitSeq(strings.TrimPrefix(code, "$ "), "\n$ ") {
		command, want, _ := strings.Cut(step, "\n")
		actual := strings.ReplaceAll(strings.NewReplacer(d.known...).Replace(command), "localhost:8080", strings.TrimPrefix(d.s.base, "http://"))
		ctx, cancel := context.WithTimeout(d.Context(), wait.Patience)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", actual)
		cmd.Dir = d.dir
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+filepath.Dir(filepath.Dir(d.s.socket)))
		got, err := cmd.Output()
		if err != nil {
			d.Errorf("%s: %v", command, err)
		} else if want = strings.TrimSpace(want); want == "" {
			if len(got) > 0 {
				d.Errorf("%s\n%s\nwant no answer", command, got)
			}
		} else if diff := opcases.Diff(d.resolve(want, string(got)), string(got)); diff != "" {
			d.Errorf("%s\n%s", command, diff)
		}
	}
}

// resolve puts what an answer has in place of texts that end in "…".
func (d *document) resolve(want, got string) string {
	for _, m := range regexp.MustCompile(`"([^"]*…)"`).FindAllStringSubmatch(want, -1) {
		start := `"` + regexp.QuoteMeta(strings.TrimSuffix(m[1], "…"))
		if actual := regexp.MustCompile(start + `[^"]+"`).FindString(got); actual != "" {
			d.known = append(d.known, m[1], strings.Trim(actual, `"`))
		}
	}
	return strings.NewReplacer(d.known...).Replace(want)
}

// webSocket sends the messages of the client, and waits for those of the server. Others may come
// between them, and events before answers.
func (d *document) webSocket(code string) {
	d.Helper()
	conn, _, refusal := d.s.dial(d, "/ws/json")
	if conn == nil {
		d.Fatal(refusal)
	}
	ctx, cancel := context.WithTimeout(d.Context(), wait.Patience)
	defer cancel()
	var seen []string // that no line of the block stands for so far
	for line := range strings.Lines(code) {
		message := strings.TrimSpace(line[1:])
		if line[0] == '>' {
			if err := conn.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
				d.Fatal(err)
			}
			continue
		}
		is := func(got string) bool { return opcases.Diff(message, got) == "" }
		id := regexp.MustCompile(`^\{"id": ?\d+,`).FindString(message)
		for !slices.ContainsFunc(seen, is) {
			_, got, err := conn.Read(ctx)
			if err != nil {
				d.Fatalf("%s: %v; but %.2000s", message, err, strings.Join(seen, "\n"))
			}
			if id != "" && strings.HasPrefix(string(got), strings.ReplaceAll(id, " ", "")) && !is(string(got)) {
				d.Fatalf("%s: %s", message, opcases.Diff(message, string(got)))
			}
			seen = append(seen, string(got))
		}
		i := slices.IndexFunc(seen, is)
		seen = slices.Delete(seen, i, i+1)
	}
}

// configuration starts a server with a configuration file, on another port than that of the file.
func (d *document) configuration(code string) {
	d.Helper()
	file := filepath.Join(d.dir, "config.toml")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		d.Fatal(err)
	}
	startShellServer(d, "TCP", "--config", file)
}
