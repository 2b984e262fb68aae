//go:build linux

package soak

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// heapVariable names the folder in which the processes of a soak write what their heaps hold,
// whenever they get SIGUSR1.
const heapVariable = "SOAK_HEAPS"

// A heap is what a process holds in memory when all garbage has been collected, by the package that
// allocated it. Numbers come from a sample of the allocations, so small ones are rough.
type heap struct {
	At         time.Time
	Live       int64 // bytes of objects
	Stacks     int64 // bytes of goroutines' stacks
	Goroutines int
	By         map[string]int64 // bytes, by package
}

// reporting lets a command of the soak say what its heap holds.
func reporting(run func()) func() {
	return func() {
		if dir := os.Getenv(heapVariable); dir != "" {
			runtime.MemProfileRate = 64 << 10
			asked := make(chan os.Signal, 1)
			signal.Notify(asked, syscall.SIGUSR1)
			go func() {
				f, err := os.OpenFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
				if err != nil {
					panic(err) // without it, the soak would be silent about memory
				}
				for range asked {
					_ = json.NewEncoder(f).Encode(heapNow()) // a limit on the size of files is a fault of the soak
				}
			}()
		}
		run()
	}
}

func heapNow() heap {
	runtime.GC() // the profile is of the last collection but one
	runtime.GC()
	sizes := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sizes)
	h := heap{
		At: time.Now(), Live: int64(sizes[0].Value.Uint64()), Stacks: int64(sizes[1].Value.Uint64()),
		Goroutines: runtime.NumGoroutine(), By: map[string]int64{},
	}
	n, ok := runtime.MemProfile(nil, false)
	var records []runtime.MemProfileRecord
	for !ok {
		records = make([]runtime.MemProfileRecord, n+50)
		n, ok = runtime.MemProfile(records, false)
	}
	for _, r := range records[:n] {
		if count := float64(r.InUseObjects()); count > 0 {
			size := float64(r.InUseBytes()) / count
			h.By[ownerOf(r.Stack())] += int64(float64(r.InUseBytes()) / (1 - math.Exp(-size/float64(runtime.MemProfileRate))))
		}
	}
	return h
}

// ownerOf returns the innermost package of ours in a stack, or else the innermost one outside the
// runtime.
func ownerOf(stack []uintptr) string {
	owner := "runtime"
	for frames := runtime.CallersFrames(stack); ; {
		frame, more := frames.Next()
		folder, name := "", frame.Function
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			folder, name = name[:i+1], name[i+1:]
		}
		name, _, _ = strings.Cut(name, ".")
		if ours, ok := strings.CutPrefix(folder+name, "ui-mcp/"); ok {
			return strings.TrimPrefix(ours, "internal/")
		}
		if owner == "runtime" && name != "" && !strings.HasPrefix(folder, "internal/") {
			owner = folder + name
		}
		if !more {
			return owner
		}
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

// growth says what a heap holds, and what has grown from the middle of the list to its end.
func growth(list []heap) string {
	if len(list) < 4 {
		return "too few looks at its heap"
	}
	list = list[len(list)/2:]
	times, live := lives(list)
	first, last := list[0], list[len(list)-1]
	packages := slices.SortedFunc(maps.Keys(last.By), func(a, b string) int {
		return cmp.Or(cmp.Compare(last.By[b], last.By[a]), strings.Compare(a, b))
	})
	var parts []string
	for _, name := range packages[:min(6, len(packages))] {
		parts = append(parts, fmt.Sprintf("%s %s (%+.1f)", name, mebibytes(last.By[name]), float64(last.By[name]-first.By[name])/(1<<20)))
	}
	return fmt.Sprintf("without garbage %s MiB and %s of stacks, growing by %.1f MiB an hour; %d goroutines, and %d before; most in MiB, with the growth within %.0f s: %s",
		mebibytes(last.Live), mebibytes(last.Stacks), slope(times, live)*3600/(1<<20), last.Goroutines, first.Goroutines, last.At.Sub(first.At).Seconds(), strings.Join(parts, ", "))
}

// lives returns when each look was, in seconds after the first, and the bytes of objects.
func lives(list []heap) (times, live []float64) {
	for _, h := range list {
		times, live = append(times, h.At.Sub(list[0].At).Seconds()), append(live, float64(h.Live))
	}
	return times, live
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
	times, live := lives(list)
	low, middle, high := trend(times, live)
	const unit = 3600.0 / (1 << 20)
	return fmt.Sprintf("with full histories: in the last %.0f s it held %s MiB without garbage, growing by %.1f MiB an hour (by %.1f to %.1f, with 95 %%), where %d may be",
		times[len(times)-1], mebibytes(list[len(list)-1].Live), middle*unit, low*unit, high*unit, mostGrowth), low*unit > mostGrowth
}

// trend returns the median of the slopes between each two values (Theil and Sen), and the limits of
// the true slope with a probability of 95 %, by Kendall's rank correlation. What is under way at
// some looks hardly matters to it, however much that is.
func trend(x, y []float64) (low, middle, high float64) {
	var slopes []float64
	for i := range x {
		for j := range i {
			slopes = append(slopes, (y[i]-y[j])/(x[i]-x[j]))
		}
	}
	slices.Sort(slopes)
	n, of := float64(len(x)), float64(len(slopes))
	off := 1.96 * math.Sqrt(n*(n-1)*(2*n+5)/18)
	at := func(rank float64) float64 { return slopes[int(min(max(rank, 0), of-1))] }
	return at((of - off) / 2), at(of / 2), at((of + off) / 2)
}

func TestTrend(t *testing.T) {
	var x, y []float64
	for i := range 40 {
		x, y = append(x, float64(i)), append(y, 3*float64(i)+float64(i%2))
	}
	y[5], y[20] = 1e6, 1e6
	if low, middle, high := trend(x, y); middle != 3 || low < 2.9 || low > 3 || high < 3 || high > 3.1 {
		t.Errorf("a slope of 3, with two values that are off, is %v to %v, in the middle %v", low, high, middle)
	}
}

// What grows by chance only is flat, and a leak is found.
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
			list = append(list, heap{At: begin.Add(at), Live: int64((30 + 3*r.Float64() + tt.leak*at.Hours()) * (1 << 20))})
		}
		if text, leaks := flat(list, begin); leaks != tt.leaks {
			t.Errorf("%s: a leak: %t; %s", tt.name, leaks, text)
		}
	}
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }

var held [][]byte

// What is allocated here is this package's, also if a function of the standard library allocates
// it.
func TestHeap(t *testing.T) {
	begin := heapNow()
	for range 64 {
		held = append(held, bytes.Repeat([]byte("x"), 1<<20))
	}
	end := heapNow()
	held = nil
	grown := end.Live - begin.Live
	if grown < 60<<20 || grown > 80<<20 {
		t.Errorf("64 MiB are %d bytes", grown)
	}
	text := growth([]heap{begin, begin, begin, end})
	if !strings.Contains(text, "MiB an hour") {
		t.Error(text)
	}
	// Of a sample in which each of 64 allocations is with a probability of 0.86.
	if got := end.By["soak"] - begin.By["soak"]; got < 40<<20 || got > 90<<20 {
		t.Errorf("of 64 MiB, this package has %d bytes: %v", got, end.By)
	}
}
