//go:build linux

package soak

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// A record has what one run of a process held, over time.
type record struct {
	name    string
	pid     int
	first   usage // when it had just started
	since   time.Time
	times   []float64 // seconds since then
	memory  []float64 // bytes
	highest usage
}

// measure takes a sample of the process, and returns false when it has ended.
func (r *record) measure() bool {
	u, err := usageOf(r.pid)
	if err != nil {
		return false
	}
	if r.since.IsZero() {
		r.since, r.first = time.Now(), u
	}
	r.times = append(r.times, time.Since(r.since).Seconds())
	r.memory = append(r.memory, float64(u.memory))
	r.highest.descriptors = max(r.highest.descriptors, u.descriptors)
	r.highest.threads = max(r.highest.threads, u.threads)
	r.highest.memory = max(r.highest.memory, u.memory)
	return true
}

// slope is the slope of the line that fits the values best.
func slope(x, y []float64) float64 {
	var mx, my float64
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(x))
	}
	var xy, xx float64
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx
}

func (r *record) String() string {
	text := fmt.Sprintf("%s for %.0f s: at most %d MiB, %d descriptors, %d threads", r.name, r.times[len(r.times)-1], r.highest.memory>>20, r.highest.descriptors, r.highest.threads)
	// While it starts, a process takes what it will need.
	half := len(r.times) / 2
	if x, y := r.times[half:], r.memory[half:]; len(x) > 10 {
		text += fmt.Sprintf("; in its second half, memory grows by %.1f MiB an hour", slope(x, y)*3600/(1<<20))
	}
	return text
}

func TestSlope(t *testing.T) {
	if got := slope([]float64{0, 1, 2, 3}, []float64{5, 7, 9, 11}); got != 2 {
		t.Errorf("the slope is %v, want 2", got)
	}
	if got := slope([]float64{0, 1, 2, 3}, []float64{1, -1, -1, 1}); got != 0 {
		t.Errorf("the slope is %v, want 0", got)
	}
}

// heapEvery is how many seconds pass between two looks at the heaps.
func heapEvery() int { return max(3, int(settings.length.Seconds()/200)) }

// watch measures the processes of the servers until the soak ends.
func (w *world) watch(ctx context.Context) {
	for second := 1; sleep(ctx, time.Second); second++ {
		w.records.Lock()
		w.load = max(w.load, loadNow())
		for name, pid := range w.servers() {
			if pid == 0 {
				continue
			}
			r := w.current[name]
			if r == nil || r.pid != pid {
				r = &record{name: name, pid: pid}
				w.current[name] = r
				w.runs = append(w.runs, r)
			}
			if r.measure() && second%heapEvery() == 0 {
				_ = syscall.Kill(pid, syscall.SIGUSR1) // it may have ended
			}
		}
		w.records.Unlock()
	}
}

// loadNow returns the load of the machine in the last minute: how many threads run or wait to.
func loadNow() (load float64) {
	text, _ := os.ReadFile("/proc/loadavg") // the system may be out of files
	_, _ = fmt.Sscan(string(text), &load)
	return load
}

// servers returns the processes of the servers, 0 for those that do not run.
func (w *world) servers() map[string]int {
	pids := map[string]int{"wsh server": w.shells.pid()}
	for _, x := range w.sites {
		pids[x.name] = x.pid()
	}
	return pids
}

// reportUsage prints the run of each server that was longest.
func (w *world) reportUsage() {
	w.records.Lock()
	defer w.records.Unlock()
	w.s.t.Logf("the load of the machine: at most %.1f", w.load)
	w.reportFlat()
	longest := map[string]*record{}
	for _, r := range w.runs {
		if l := longest[r.name]; len(r.times) > 0 && (l == nil || len(r.times) > len(l.times)) {
			longest[r.name] = r
		}
	}
	for name := range w.servers() {
		if r := longest[name]; r != nil {
			w.s.t.Logf("%s; %s", r, growth(w.s.heapsOf(r.pid)))
		}
	}
}

// reportFlat prints by how much the server of terminals grew towards the end, and reports a leak.
func (w *world) reportFlat() {
	r := w.current["wsh server"]
	if r == nil {
		return
	}
	text, leaks := flat(w.s.heapsOf(r.pid), w.s.start.Add(settings.length*2/3))
	if w.s.t.Logf("wsh server, %s", text); leaks {
		w.s.wrong("wsh server, %s: a leak", text)
	}
}

// spare is how many descriptors a server may hold that it did not at its start: those of epoll, of
// a look-up and the like.
const spare = 6

// returns checks that a server has given back what it used, once all clients have left. It ends the
// process with a dump of its goroutines.
func (w *world) returns(ctx context.Context, p *process, before usage) {
	for begin := time.Now(); ; {
		now, err := usageOf(p.cmd.Process.Pid)
		if err != nil {
			w.s.wrong("%s has ended: %v: %s", p.name, err, tail(p.log.String(), 2000))
			return
		}
		if now.descriptors <= before.descriptors+spare && now.children <= before.children {
			break
		}
		if time.Since(begin) > w.s.patience {
			w.s.wrong("%s has %d descriptors and %d children, and had %d and %d at its start: %s",
				p.name, now.descriptors, now.children, before.descriptors, before.children, descriptors(p.cmd.Process.Pid))
			break
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return
		}
	}
	_ = p.cmd.Process.Signal(syscall.SIGQUIT) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(w.s.patience):
		w.s.wrong("%s does not end by SIGQUIT", p.name)
		p.kill()
	}
	_, dump, found := strings.Cut(p.log.String(), "SIGQUIT: quit")
	n := strings.Count(dump, "\ngoroutine ")
	w.s.note("returned", "%s: %d goroutines", p.name, n)
	if !found || n > 100 {
		w.s.wrong("%s has %d goroutines when all clients have left:\n%s", p.name, n, tail(dump, 20_000))
	}
}

// descriptors lists what the descriptors of a process lead to.
func descriptors(pid int) string {
	var list []string
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is valid
	for _, file := range files {
		to, _ := os.Readlink(file) // it may be closed meanwhile
		list = append(list, to)
	}
	return strings.Join(list, " ")
}

// left checks that no process and no file is left behind. Servers that were not settled have been
// killed: they do leave files.
func (s *soak) left(settled bool) {
	for begin := time.Now(); ; wait.Pause(100 * time.Millisecond) {
		found := s.processes()
		if len(found) == 0 {
			break
		}
		if time.Since(begin) > 30*time.Second {
			s.wrong("processes are left: %q", found)
			break
		}
	}
	patterns := []string{"race.*"}
	if settled {
		patterns = append(patterns, "tmp/*", "wsh/ui-mcp-*")
	}
	for _, pattern := range patterns {
		files, _ := filepath.Glob(filepath.Join(s.dir, pattern)) // the patterns are valid
		for _, file := range files {
			text := []byte{}
			if pattern == "race.*" {
				text, _ = os.ReadFile(file) // what cannot be read is named at least
			}
			s.wrong("%s is left %s", file, text)
		}
	}
}

// processes lists the processes that have to do with the soak, besides this one.
func (s *soak) processes() (list []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is valid
	for _, file := range all {
		environ, _ := os.ReadFile(file) // it may have ended, or be another user's
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		if strings.Contains(string(environ)+string(command), s.dir) {
			list = append(list, filepath.Base(filepath.Dir(file))+" "+strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return list
}
