//go:build linux

package term_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// Many sessions come and go, half of them by themselves, and leave nothing: no goroutine, no
// descriptor, no process, no zombie.
func TestLeaks(t *testing.T) {
	home := t.TempDir() // whose path marks our processes
	r := newRegistry(t, func(c *registry.Config) { c.Environ = append(c.Environ, "LEAK_TEST="+home) })
	visit := func(i int) error {
		command := "exit 3"
		if i%2 == 0 {
			command = "sleep 1000 & trap '' HUP; printf ready; read x"
		}
		s, err := r.Create(t.Context(), registry.CreateOptions{Command: command})
		if err != nil {
			return err
		}
		if i%2 == 0 {
			if _, err := s.WaitForText(t.Context(), "ready", 0); err != nil {
				return err
			}
			// It ignores SIGHUP, and is asked to end: SIGKILL would come seconds later.
			if err := s.Keys(t.Context(), "Enter"); err != nil {
				return err
			}
		}
		if _, err := s.WaitExit(t.Context(), 0); err != nil {
			return err
		}
		return r.Remove(s)
	}
	const together = 4
	cycle := func(n int) {
		var all sync.WaitGroup
		defer all.Wait()
		for first := range together {
			all.Go(func() {
				for i := first; i < n; i += together {
					if err := visit(i); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	cycle(20) // what is made once
	goroutines, descriptors := runtime.NumGoroutine(), descriptors(t)
	cycle(load.Count(100, 1000))
	wait.Until(t, fmt.Sprintf("there are no more goroutines than before: %d", goroutines), func() bool {
		return runtime.NumGoroutine() <= goroutines // some may be about to end
	})
	wait.Until(t, fmt.Sprintf("there are no more descriptors than before: %d", descriptors), func() bool {
		return len(descriptorsOf(t)) <= descriptors
	})
	wait.Until(t, "no process is left", func() bool { return len(ours(t, home)) == 0 })
}

func descriptors(t *testing.T) int { return len(descriptorsOf(t)) }

func descriptorsOf(t *testing.T) []string {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	must(t, err)
	var open []string
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil {
			open = append(open, to)
		}
	}
	return open
}

// ours lists the processes with our mark in their environment, and our zombies.
func ours(t *testing.T, mark string) []string {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	must(t, err)
	var left []string
	for _, d := range dirs {
		env, err := os.ReadFile(filepath.Join(d, "environ"))
		if err == nil && strings.Contains(string(env), "LEAK_TEST="+mark) {
			left = append(left, d)
		}
		stat, err := os.ReadFile(filepath.Join(d, "stat"))
		if err == nil && strings.Contains(string(stat), fmt.Sprintf(") Z %d ", os.Getpid())) {
			left = append(left, d+" (zombie)")
		}
	}
	return left
}
