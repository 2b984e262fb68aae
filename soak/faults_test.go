//go:build linux

package soak

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stream returns the random numbers of one actor. They depend on the seed and the actor's name
// only, so that the same seed makes each actor do the same, whatever the others do meanwhile.
func stream(seed uint64, actor string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, actor)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// pause returns a random pause whose mean is given.
func pause(r *rand.Rand, mean time.Duration) time.Duration {
	return mean/2 + time.Duration(r.Int64N(int64(mean)))
}

// A fault is something that may go wrong.
type fault struct {
	kind string
	do   func(ctx context.Context, b blow)
}

// A blow is a fault that happens: target says which of those that it can strike, counting round,
// and length how long one lasts that is repaired.
type blow struct {
	kind   string
	target int
	length time.Duration
}

// ending matches the faults after which a server starts again.
var ending = regexp.MustCompile("^(kill|ask) .*server")

// strike makes faults happen at random times, one after another. Each kind occurs once before one
// occurs again.
func (w *world) strike(ctx context.Context, name string, faults []fault) {
	faults = slices.DeleteFunc(faults, func(f fault) bool { return slices.Contains(strings.Split(settings.without, ","), f.kind) })
	if len(faults) == 0 {
		return
	}
	r := stream(w.s.seed, "faults "+name)
	var order []int
	for at := pause(r, faultPace); at < settings.length; at += pause(r, faultPace) {
		if len(order) == 0 {
			order = r.Perm(len(faults))
		}
		f := faults[order[0]]
		b := blow{f.kind, r.IntN(1000), time.Second + time.Duration(r.Int64N(int64(3*time.Second)))}
		order = order[1:]
		if !sleep(ctx, at-time.Since(w.s.begun)) {
			return
		}
		if ending.MatchString(f.kind) && at > settings.length*6/10 {
			continue // so that servers run long enough to measure what they hold
		}
		w.s.note("fault", "%s (%d)", b.kind, b.target)
		// What has begun is repaired, also when the soak ends meanwhile.
		f.do(context.WithoutCancel(ctx), b)
		w.s.note("repaired", "%s (%d)", b.kind, b.target)
	}
}

// connectionFaults are what may happen to connections.
func (w *world) connectionFaults() []fault {
	proxies := []*proxy{w.sites[0].agentProxy, w.sites[0].pageProxy, w.shells.proxy}
	of := func(b blow) *proxy { return proxies[b.target%len(proxies)] }
	return []fault{
		{"cut connections", func(_ context.Context, b blow) { of(b).each(1+b.target%3, (*proxied).close) }},
		{"reset in the middle", func(_ context.Context, b blow) { of(b).each(1+b.target%3, func(l *proxied) { l.breaks = true }) }},
		{"stall all connections", func(ctx context.Context, b blow) {
			of(b).stall()
			sleep(ctx, b.length)
			of(b).release()
		}},
	}
}

// processFaults are what may happen to processes and their directories.
func (w *world) processFaults() []fault {
	hub, shells := w.sites[0], w.shells
	site := func(b blow) *site { return w.sites[b.target%len(w.sites)] }
	stop := func(ctx context.Context, x *server, b blow) {
		pid := x.pid()
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			w.s.note("skipped", "%s: %v", b.kind, err)
			return
		}
		sleep(ctx, b.length)
		_ = syscall.Kill(pid, syscall.SIGCONT) // it may have been killed
	}
	few := func(ctx context.Context, x *server, b blow, descriptors uint64) {
		lift, err := limit(x.pid(), unix.RLIMIT_NOFILE, descriptors)
		if err != nil {
			w.s.note("skipped", "%s: %v", b.kind, err)
			return
		}
		sleep(ctx, b.length)
		_ = lift() // it may have ended
	}
	return []fault{
		{"kill the browser", func(context.Context, blow) {
			for _, pid := range browsers() {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
			}
		}},
		{"kill the server", func(ctx context.Context, _ blow) { hub.restart(ctx, syscall.SIGKILL) }},
		{"kill a server", func(ctx context.Context, b blow) { site(b).restart(ctx, syscall.SIGKILL) }},
		{"ask a server to end", func(ctx context.Context, b blow) { site(b).restart(ctx, syscall.SIGTERM) }},
		{"stop a server for a while", func(ctx context.Context, b blow) { stop(ctx, site(b).server, b) }},
		{"64 descriptors", func(ctx context.Context, b blow) {
			few(ctx, hub.server, b, 64)
			hub.caughtUp(ctx, b.kind)
		}},
		{"256 descriptors", func(ctx context.Context, b blow) {
			few(ctx, hub.server, b, 256)
			hub.caughtUp(ctx, b.kind)
		}},
		{"a session without memory", func(ctx context.Context, _ blow) { hub.exhaust(ctx) }},
		{"a full disk", func(ctx context.Context, b blow) {
			hub.disturb(ctx, b, func() (func() error, error) {
				if w.smallDisk {
					return fill(filepath.Dir(filepath.Dir(hub.dir)))
				}
				return limit(hub.pid(), unix.RLIMIT_FSIZE, 0)
			})
		}},
		{"a sealed directory", func(ctx context.Context, b blow) {
			x := site(b)
			x.disturb(ctx, b, func() (func() error, error) { return seal(filepath.Join(x.dir, "data")) })
		}},
		{"a directory is away", func(ctx context.Context, b blow) {
			x := site(b)
			dir := filepath.Join(x.dir, []string{"apps/ledger", "log", "popups"}[b.target%3])
			x.disturb(ctx, b, func() (func() error, error) {
				return func() error {
					_ = os.RemoveAll(dir) // the server may have made it again
					return os.Rename(dir+".away", dir)
				}, os.Rename(dir, dir+".away")
			})
		}},
		{"a directory is removed", func(ctx context.Context, b blow) {
			x := site(b)
			x.disk.Lock()
			x.ledgers["1"].diskLost()
			if err := os.RemoveAll(filepath.Join(x.dir, "data")); err != nil {
				w.s.note("skipped", "%s: %v", b.kind, err) // the server has written there meanwhile
			}
			x.disk.Unlock()
			x.caughtUp(ctx, b.kind)
		}},
		{"kill wsh server", func(ctx context.Context, _ blow) { shells.restart(ctx, syscall.SIGKILL) }},
		{"ask wsh server to end", func(ctx context.Context, _ blow) { shells.restart(ctx, syscall.SIGTERM) }},
		{"stop wsh server for a while", func(ctx context.Context, b blow) { stop(ctx, shells.server, b) }},
		{"descriptors of wsh server", func(ctx context.Context, b blow) { few(ctx, shells.server, b, 64) }},
		{"kill a shell", func(_ context.Context, b blow) { shells.terminals[b.target%len(shells.terminals)].killProgram() }},
		{"kill a bridge", func(_ context.Context, b blow) {
			select {
			case shells.bridges[b.target%len(shells.bridges)].kill <- struct{}{}:
			default: // it is to be killed already
			}
		}},
	}
}

// smallDisk makes a directory a file system of its own, which is soon full. It needs the rights of
// root; without, it returns false, and disks are full by a limit on the size of files.
func (s *soak) smallDisk(dir string) bool {
	if os.MkdirAll(dir, 0o755) != nil || unix.Mount("soak", dir, "tmpfs", 0, "size=24m") != nil {
		return false
	}
	s.t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			s.t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return true
}

// fill takes what is left of the disk with a directory, until the result is called.
func fill(dir string) (empty func() error, err error) {
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 4096} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
	if !errors.Is(err, unix.ENOSPC) {
		err = errors.Join(err, os.Remove(name))
		return nil, err
	}
	return func() error { return os.Remove(name) }, nil
}

// limit sets one limit of a process, until the result is called.
func limit(pid, resource int, to uint64) (lift func() error, err error) {
	var old unix.Rlimit
	if err := unix.Prlimit(pid, resource, nil, &old); err != nil {
		return nil, err
	}
	err = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: to, Max: old.Max}, nil)
	return func() error {
		if err := unix.Prlimit(pid, resource, &old, nil); !errors.Is(err, unix.ESRCH) { // it may have ended
			return err
		}
		return nil
	}, err
}

// seal lets nothing be made or removed in a directory, until the result is called. Root is not kept
// out by permissions, but by a flag of the file system.
func seal(dir string) (unseal func() error, err error) {
	if os.Geteuid() != 0 {
		return func() error { return os.Chmod(dir, 0o755) }, os.Chmod(dir, 0o555)
	}
	set := func(flag bool) error {
		f, err := os.Open(dir)
		if err != nil {
			return err
		}
		defer f.Close()
		flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		if flags |= unix.STATX_ATTR_IMMUTABLE; !flag {
			flags &^= unix.STATX_ATTR_IMMUTABLE // the same bit as FS_IMMUTABLE_FL
		}
		return unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags)
	}
	return func() error { return set(false) }, set(true)
}

// disturb lets something happen to the directory of a site for some time. Afterwards, the list must
// reach the disk again.
func (x *site) disturb(ctx context.Context, b blow, begin func() (end func() error, err error)) {
	x.disk.Lock()
	end, err := begin()
	if err != nil {
		x.s.note("skipped", "%s: %s: %v", x.name, b.kind, err)
	} else {
		sleep(ctx, b.length)
		if err := end(); err != nil {
			x.s.fatal("%s: %s cannot be repaired: %v", x.name, b.kind, err)
		}
	}
	x.disk.Unlock()
	x.caughtUp(ctx, b.kind)
	sleep(ctx, 3*time.Second) // what else could not be stored is tried again each second
}

// exhaust lets a script of a session of its own take all the memory that it may. The script fails,
// and the session goes on.
func (x *site) exhaust(ctx context.Context) {
	_ = x.do(ctx, func(call context.Context) { // fails when the soak ends
		a := x.agent(x.mcp)
		r, err := a.call(call, "ui_run", map[string]any{"sessionId": "hog", "code": `local t = {} while true do t[#t + 1] = ("x"):rep(100000) .. #t end`})
		if err == nil && !r.isError {
			x.s.wrong("%s: a script that takes all memory returns %s", x.name, r.text)
		}
		x.s.note("hog", "%s: %.200s (%v)", x.name, r.text, err)
		if r, err := a.call(call, "ui_run", map[string]any{"sessionId": "hog", "code": "return 6 * 7"}); err == nil && r.text != "42" {
			x.s.wrong("%s: after a script that took all memory, 6 * 7 = %s", x.name, r.text)
		}
	})
}
