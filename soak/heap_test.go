//go:build linux

package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// heapVariable names the folder in which the processes of a soak write what their heaps hold,
// whenever they get SIGUSR1.
const heapVariable = "SOAK_HEAPS"

// A heap is what the objects of a process take in memory when all garbage has been collected.
type heap struct {
	At   time.Time
	Live int64 // bytes
}

// reporting lets a command of the soak say what its heap holds.
func reporting(run func()) func() {
	return func() {
		if dir := os.Getenv(heapVariable); dir != "" {
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, syscall.SIGUSR1)
			go func() {
				f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
				if err != nil {
					panic(err) // without it, the soak would be silent about memory
				}
				for range asked {
					runtime.GC()
					live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
					metrics.Read(live)
					_ = json.NewEncoder(f).Encode(heap{time.Now(), int64(live[0].Value.Uint64())}) // a limit on the size of files is a fault of the soak
				}
			}()
		}
		run()
	}
}

// heapsOf reads what a process has written.
func (s *soak) heapsOf(pid int) (list []heap) {
	data, _ := os.ReadFile(filepath.Join(s.dir, "heaps", fmt.Sprint(pid))) // a process may end before it is asked
	for line := range bytes.Lines(data) {
		var h heap
		if json.Unmarshal(line, &h) == nil { // the process may have been killed in the middle
			list = append(list, h)
		}
	}
	return list
}

// The most by which a process whose histories are full may grow, in MiB an hour: about 300 bytes
// for each line that is typed. Less cannot be told from chance within minutes, from this many looks
// on.
const (
	mostGrowth = 16
	enoughOf   = 30
)

// flat says how much a heap has grown since a time, and whether that is certainly more than it may.
func flat(list []heap, since time.Time) (text string, leaks bool) {
	list = slices.DeleteFunc(list, func(h heap) bool { return h.At.Before(since) })
	if len(list) < enoughOf {
		return fmt.Sprintf("%d looks at its heap in the last third: %d tell whether it grows", len(list), enoughOf), false
	}
	low, middle, high := trend(list)
	last := list[len(list)-1]
	return fmt.Sprintf("with full histories: in the last %.0f s it held %.1f MiB without garbage, growing by %.1f MiB an hour (by %.1f to %.1f, with 95 %%), where %d may be",
		last.At.Sub(list[0].At).Seconds(), float64(last.Live)/(1<<20), middle, low, high, mostGrowth), low > mostGrowth
}

// trend returns the median of the slopes between each two looks (Theil and Sen), in MiB an hour,
// and the limits of the true slope with a probability of 95 %, by Kendall's rank correlation. What
// is under way at some looks hardly matters to it, however much that is.
func trend(list []heap) (low, middle, high float64) {
	var slopes []float64
	for i, a := range list {
		for _, b := range list[:i] {
			slopes = append(slopes, float64(a.Live-b.Live)/(1<<20)/a.At.Sub(b.At).Hours())
		}
	}
	slices.Sort(slopes)
	n, of := float64(len(list)), float64(len(slopes))
	off := 1.96 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	at := func(rank float64) float64 { return slopes[int(min(max(rank, 0), of-1))] }
	return at((of - off) / 2), at(of / 2), at((of + off) / 2)
}

// What grows by chance only is flat, and a leak is found, also where some looks are far off.
func TestFlat(t *testing.T) {
	r := stream(1, "heap")
	for _, tt := range []struct {
		name  string
		looks int
		leak  float64 // MiB an hour
		leaks bool
	}{
		{"noise", 60, 0, false},
		{"as much as may be", 60, mostGrowth, false},
		{"a leak", 60, 3 * mostGrowth, true},
		{"too few looks", enoughOf - 1, 100 * mostGrowth, false},
	} {
		begin := time.Now()
		list := []heap{{At: begin.Add(-time.Minute)}} // before the histories were full
		for i := range tt.looks {
			at := time.Duration(i) * 3 * time.Second
			live := 30 + 3*r.Float64() + tt.leak*at.Hours()
			if i%20 == 5 {
				live *= 10
			}
			list = append(list, heap{At: begin.Add(at), Live: int64(live * (1 << 20))})
		}
		if text, leaks := flat(list, begin); leaks != tt.leaks {
			t.Errorf("%s: a leak: %t; %s", tt.name, leaks, text)
		}
	}
}

// usage is what a process holds.
type usage struct{ memory, descriptors, threads, children int }

// usageOf measures a process. It fails when the process has ended.
func usageOf(pid int) (u usage, err error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	files, err := os.ReadDir(dir + "fd")
	if err != nil {
		return u, err
	}
	status, err := os.ReadFile(dir + "status")
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		number, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil:
		case name == "VmRSS":
			u.memory = n << 10
		case name == "Threads":
			u.threads = n
		}
	}
	u.descriptors, u.children = len(files), len(childrenOf(pid))
	return u, nil
}

// childrenOf lists the child processes of a process.
func childrenOf(pid int) (list []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is valid
	for _, file := range tasks {
		data, _ := os.ReadFile(file) // a thread may end meanwhile
		for _, word := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, child)
			}
		}
	}
	return list
}

// A record has the most that one run of a process held.
type record struct {
	name    string
	pid     int
	seconds int
	most    usage
}

// servers returns all servers.
func (w *world) servers() []*server {
	list := []*server{w.shells.server}
	for _, x := range w.sites {
		list = append(list, x.server)
	}
	return list
}

// watch measures the processes of the servers until the soak ends, and asks for their heaps.
func (w *world) watch(ctx context.Context) {
	heapEvery := max(3, int(settings.length.Seconds()/200)) // seconds
	for second := 1; sleep(ctx, time.Second); second++ {
		w.mu.Lock()
		for _, x := range w.servers() {
			now, err := usageOf(x.pid())
			if err != nil {
				continue // it does not run
			}
			r := w.current[x.name]
			if r == nil || r.pid != x.pid() {
				r = &record{name: x.name, pid: x.pid()}
				w.current[x.name] = r
				w.runs = append(w.runs, r)
			}
			r.seconds++
			r.most = usage{max(r.most.memory, now.memory), max(r.most.descriptors, now.descriptors), max(r.most.threads, now.threads), max(r.most.children, now.children)}
			if second%heapEvery == 0 {
				_ = syscall.Kill(r.pid, syscall.SIGUSR1) // it may have ended
			}
		}
		w.mu.Unlock()
	}
}

// reportUsage prints the run of each server that was longest, and by how much the server of
// terminals grew towards the end, and reports a leak.
func (w *world) reportUsage() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.servers() {
		longest := &record{}
		for _, r := range w.runs {
			if r.name == x.name && r.seconds > longest.seconds {
				longest = r
			}
		}
		w.s.t.Logf("%s for %d s: at most %d MiB, %d descriptors, %d threads", x.name, longest.seconds, longest.most.memory>>20, longest.most.descriptors, longest.most.threads)
	}
	if r := w.current[w.shells.name]; r != nil {
		text, leaks := flat(w.s.heapsOf(r.pid), w.s.begun.Add(settings.length*2/3))
		if w.s.t.Logf("%s, %s", r.name, text); leaks {
			w.s.wrong("%s, %s: a leak", r.name, text)
		}
	}
}

// spare is how many descriptors a server may hold that it did not at its start: those of epoll, of
// a look-up and the like.
const spare = 6

// returns checks that a server has given back what it used, once all clients have left. It ends the
// process with a dump of its goroutines.
func (w *world) returns(ctx context.Context, x *server) {
	p := x.process.Load()
	if err := await(ctx, patience, func() error {
		now, err := usageOf(p.cmd.Process.Pid)
		if err == nil && (now.descriptors > x.before.descriptors+spare || now.children > x.before.children) {
			var list []string
			files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.cmd.Process.Pid)) // the pattern is valid
			for _, file := range files {
				to, _ := os.Readlink(file) // it may be closed meanwhile
				list = append(list, to)
			}
			err = fmt.Errorf("it has %d children, and had %d at its start, and %d descriptors: %s", now.children, x.before.children, x.before.descriptors, list)
		}
		return err
	}); err != nil {
		w.s.wrong("%s, when all clients have left: %v: %s", x.name, err, tail(p.log.String(), 2000))
	}
	if err := p.end(syscall.SIGQUIT); err == nil {
		w.s.wrong("%s ends well by SIGQUIT", x.name)
	}
	_, dump, found := strings.Cut(p.log.String(), "SIGQUIT: quit")
	n := strings.Count(dump, "\ngoroutine ")
	w.s.note("returned", "%s: %d goroutines", x.name, n)
	if !found || n > 100 {
		w.s.wrong("%s has %d goroutines when all clients have left:\n%s", x.name, n, tail(dump, 20_000))
	}
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
		patterns = append(patterns, "tmp/*", "wsh/ui-mcp-*", "wsh/project-*")
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
