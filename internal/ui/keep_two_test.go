package ui_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// TestKeepProcess is a server of TestKeepTwoProcesses, which can kill it.
func TestKeepProcess(t *testing.T) {
	dir := os.Getenv("UI_TEST_KEEP")
	if dir == "" {
		return
	}
	w := &world{t: t, dir: dir, limit: patience}
	w.start()
	answer := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(os.Stderr, "\n> %s\n", text)
	}
	answer(w.display("expenses"))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch code := lines.Text(); code {
		case "problems":
			answer(strings.Join(w.problems(), "\n"))
		default:
			result, _ := w.run(code)
			answer(result)
		}
	}
	w.engine.Close()
}

// A keepProcess is a server in a process of its own.
type keepProcess struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startKeepProcess(t *testing.T, dir string) *keepProcess {
	t.Helper()
	p := &keepProcess{t: t, cmd: exec.Command(os.Args[0], "-test.run=^TestKeepProcess$")}
	p.cmd.Env = append(os.Environ(), "UI_TEST_KEEP="+dir)
	out, err := p.cmd.StderrPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	p.answer()
	return p
}

// answer reads the next answer.
func (p *keepProcess) answer() (s string) {
	p.t.Helper()
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			p.t.Fatal("the process has ended: ", err)
		}
		if text, ok := strings.CutPrefix(line, "> "); ok {
			_ = json.Unmarshal([]byte(text), &s)
			return s
		}
	}
}

func (p *keepProcess) ask(line string) string {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.ReplaceAll(line, "\n", " ")+"\n"); err != nil {
		p.t.Fatal(err)
	}
	return p.answer()
}

// end closes the engine, or kills the process.
func (p *keepProcess) end(kill bool) {
	p.t.Helper()
	if kill {
		_ = p.cmd.Process.Kill()
	}
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.cmd.Wait(); err != nil && !kill {
		p.t.Error(err)
	}
}

func (p *keepProcess) owns() bool { return !strings.Contains(p.ask("problems"), "is kept by") }

// Whatever two servers on one folder and an editor change, and whenever a server is killed, also
// while it writes: what was in the file is there still, or in a previous version, which is told.
func TestKeepTwoProcesses(t *testing.T) {
	t.Parallel()
	for seed := range uint64(load.Count(2, 20)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 43))
			files := &world{t: t, dir: t.TempDir()}
			files.write("viewdefs/MCP.DEFAULT.html", shell)
			for name, content := range expensesFiles() {
				files.write(name, content)
			}
			var servers [2]*keepProcess
			t.Cleanup(func() {
				for _, p := range servers {
					if p != nil {
						p.end(true)
					}
				}
			})
			next := 0
			add := func(p *keepProcess) string {
				next++
				p.ask(fmt.Sprintf("expenses:add('<%d>', 1)", next))
				return fmt.Sprintf("<%d>", next)
			}
			partial := func() bool {
				list, _ := filepath.Glob(filepath.Join(files.dir, "data", "expenses.*.part"))
				return len(list) > 0
			}
			file := func() string { return files.kept("expenses.json") }
			rows := func(text string) (list []string) {
				for part := range strings.SplitSeq(text, "<") {
					if number, _, ok := strings.Cut(part, ">"); ok {
						list = append(list, number)
					}
				}
				slices.Sort(list)
				return list
			}
			saved := map[string]bool{} // was in the file, and was not told to be elsewhere
			see := func() {
				for _, row := range rows(file()) {
					saved[row] = true
				}
			}
			log := ""
			for range 12 {
				for i, p := range servers {
					if p == nil {
						servers[i] = startKeepProcess(t, files.dir)
					}
				}
				owner, other := 0, 1
				wait.Until(t, "one server saves", func() bool {
					if servers[0].owns() {
						owner, other = 0, 1
						return !servers[1].owns()
					}
					owner, other = 1, 0
					return servers[1].owns()
				})
				by := fmt.Sprint("is kept by the server with the process ID ", servers[owner].cmd.Process.Pid)
				wait.Until(t, "the other one says which", func() bool { return strings.Contains(servers[other].ask("problems"), by) })
				end := func(i int, kill bool) {
					servers[i].end(kill)
					servers[i] = nil
				}
				// crash ends the owner in the midst of saving, if that can be hit.
				crash := func() {
					before := file()
					wait.Until(t, "it saves", func() bool { return partial() || file() != before })
					if r.IntN(2) == 0 {
						wait.Pause(time.Duration(r.IntN(10)) * time.Millisecond)
					}
					end(owner, true)
				}
				action := r.IntN(11)
				log += fmt.Sprint(action, " ")
				switch action {
				case 0:
					add(servers[owner])
					crash()
				case 1: // the other one has what nobody saves
					add(servers[other])
					add(servers[owner])
				case 2:
					add(servers[other])
					end(owner, r.IntN(2) == 0)
				case 3:
					add(servers[other])
					add(servers[owner])
					crash()
				case 4:
					add(servers[other])
					end(other, r.IntN(2) == 0)
				case 5, 6, 7, 9, 10: // an editor
					next++
					row := fmt.Sprintf("<%d>", next)
					theirs := strings.Replace(file(), `"items": [`, `"items": [{"$type": "Expense", "note": "`+row+`"},`, 1)
					theirs = strings.Replace(theirs, ",\n    ]", "\n    ]", 1)
					theirs = strings.Replace(theirs, "},]", "}]", 1)
					if action > 7 { // what nobody saves must not replace what the editor has written
						add(servers[other])
					}
					if action == 6 || action > 8 {
						add(servers[owner])
					}
					if theirs != "" {
						files.write("data/expenses.json", theirs)
						saved[strings.Trim(row, "<>")] = true
					}
					if action == 7 {
						add(servers[owner])
						crash()
					}
				case 8:
					add(servers[owner])
					end(owner, false)
				}
				see()
				aside := map[string]bool{}
				wait.Until(t, "all have what the file has, after "+log, func() bool {
					if files.kept("expenses.previous.json") != "" {
						wait.Until(t, "the previous version is told, after "+log, func() bool {
							return slices.ContainsFunc(servers[:], func(p *keepProcess) bool {
								return p != nil && strings.Contains(p.ask("problems"), "expenses.previous.json has another version")
							}) || servers[0] == nil && servers[1] == nil
						})
						// A person takes it away.
						if err := os.Rename(filepath.Join(files.dir, "data", "expenses.previous.json"), filepath.Join(files.dir, "mine")); err != nil {
							t.Fatal(err)
						}
						for _, row := range rows(testkit.Read(t, files.dir, "mine")) {
							aside[row] = true
						}
					}
					for _, p := range servers {
						if p == nil {
							continue
						}
						has := p.ask("local list = {} for _, e in ipairs(expenses.items) do table.insert(list, e.note) end return table.concat(list)")
						if !slices.Equal(rows(has), rows(file())) || strings.Contains(p.ask("problems"), "is not saved") {
							return false
						}
					}
					return files.kept("expenses.previous.json") == ""
				})
				see()
				now := rows(file())
				for row := range saved {
					switch {
					case slices.Contains(now, row):
					case aside[row]:
						delete(saved, row)
					default:
						t.Fatalf("seed %d, after %s: %s is lost; the file has %v, previous versions had %v", seed, log, row, now, aside)
					}
				}
			}
		})
	}
}
