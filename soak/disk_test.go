//go:build linux

package soak

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

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
func limit(pid, resource int, to uint64) (lift func(), err error) {
	var old unix.Rlimit
	if err := unix.Prlimit(pid, resource, nil, &old); err != nil {
		return nil, err
	}
	if err := unix.Prlimit(pid, resource, &unix.Rlimit{Cur: to, Max: old.Max}, nil); err != nil {
		return nil, err
	}
	return func() { _ = unix.Prlimit(pid, resource, &old, nil) }, nil // it may have ended
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
func (x *site) disturb(ctx context.Context, f fault, begin func() (end func() error, err error)) {
	x.disk.Lock()
	end, err := begin()
	if err != nil {
		x.s.note("skipped", "%s: %s: %v", x.name, f.kind, err)
	} else {
		sleep(ctx, f.length)
		if err := end(); err != nil {
			x.s.fatal("%s: %s cannot be repaired: %v", x.name, f.kind, err)
		}
	}
	x.disk.Unlock()
	x.caughtUp(ctx, f.kind)
	sleep(ctx, 3*time.Second) // what else could not be stored is tried again each second
}

// caughtUp waits until all entries that are known now are on the disk.
func (x *site) caughtUp(ctx context.Context, after string) {
	top := x.ledgers["1"].mark().top
	for begin := time.Now(); ; {
		saved, err := x.savedLook()
		if err == nil && saved.Count >= top {
			return
		}
		if time.Since(begin) > 2*x.s.patience {
			x.s.wrong("%s: of %d entries, %d are on the disk %s after %q (%v)", x.name, top, saved.Count, time.Since(begin), after, err)
			return
		}
		if !sleep(ctx, 100*time.Millisecond) {
			return
		}
	}
}

// pid is the process of a site, or 0 while none runs.
func (x *site) pid() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.process == nil {
		return 0
	}
	return x.process.cmd.Process.Pid
}

// siteFaults are what may happen to a site besides its end.
func (w *world) siteFaults() map[string]func(ctx context.Context, f fault) {
	hub := w.sites[0]
	any := func(f fault) *site { return w.sites[f.target%len(w.sites)] }
	limited := func(ctx context.Context, f fault, pid, resource int, to uint64) {
		lift, err := limit(pid, resource, to)
		if err != nil {
			w.s.note("skipped", "%s: %v", f.kind, err)
			return
		}
		sleep(ctx, f.length)
		lift()
	}
	faults := map[string]func(ctx context.Context, f fault){
		"stop a server for a while": func(ctx context.Context, f fault) { w.pauseProcess(ctx, any(f).pid(), f) },
		"64 descriptors": func(ctx context.Context, f fault) {
			limited(ctx, f, hub.pid(), unix.RLIMIT_NOFILE, 64)
			hub.caughtUp(ctx, f.kind)
		},
		"256 descriptors": func(ctx context.Context, f fault) {
			limited(ctx, f, hub.pid(), unix.RLIMIT_NOFILE, 256)
			hub.caughtUp(ctx, f.kind)
		},
		"a full disk": func(ctx context.Context, f fault) {
			hub.disturb(ctx, f, func() (func() error, error) {
				if w.smallDisk {
					return fill(filepath.Dir(filepath.Dir(hub.dir)))
				}
				lift, err := limit(hub.pid(), unix.RLIMIT_FSIZE, 0)
				return func() error { lift(); return nil }, err
			})
		},
		"a sealed directory": func(ctx context.Context, f fault) {
			x := any(f)
			x.disturb(ctx, f, func() (func() error, error) { return seal(filepath.Join(x.dir, "data")) })
		},
		"a directory is away": func(ctx context.Context, f fault) {
			x := any(f)
			x.disturb(ctx, f, func() (func() error, error) {
				dir := filepath.Join(x.dir, []string{"apps/ledger", "log", "popups"}[f.target%3])
				return func() error {
					_ = os.RemoveAll(dir) // the server may have made it again
					return os.Rename(dir+".away", dir)
				}, os.Rename(dir, dir+".away")
			})
		},
		"a directory is removed": func(ctx context.Context, f fault) {
			x := any(f)
			x.disk.Lock()
			x.ledgers["1"].diskLost()
			if err := os.RemoveAll(filepath.Join(x.dir, "data")); err != nil {
				w.s.note("skipped", "%s: %v", f.kind, err) // the server has written there meanwhile
			}
			x.disk.Unlock()
			x.caughtUp(ctx, f.kind)
		},
		"a session without memory": func(ctx context.Context, f fault) { hub.exhaust(ctx) },
	}
	if w.shells.pid() != 0 {
		faults["stop wsh server for a while"] = func(ctx context.Context, f fault) { w.pauseProcess(ctx, w.shells.pid(), f) }
		faults["descriptors of wsh server"] = func(ctx context.Context, f fault) {
			limited(ctx, f, w.shells.pid(), unix.RLIMIT_NOFILE, 64)
		}
	}
	return faults
}

// pauseProcess stops a process for some time.
func (w *world) pauseProcess(ctx context.Context, pid int, f fault) {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		w.s.note("skipped", "%s: %v", f.kind, err)
		return
	}
	sleep(ctx, f.length)
	_ = syscall.Kill(pid, syscall.SIGCONT) // it may have been killed
}

// exhaust lets a script of a session of its own take all the memory that it may. The script fails,
// and the session goes on.
func (x *site) exhaust(ctx context.Context) {
	call, leave, err := x.gate.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	call, cancel := context.WithTimeout(call, x.s.patience)
	defer cancel()
	a := x.agent(x.address())
	r, err := a.call(call, "ui_run", map[string]any{"sessionId": "hog", "code": `local t = {} while true do t[#t + 1] = ("x"):rep(100000) .. #t end`})
	if err == nil && !r.isError {
		x.s.wrong("%s: a script that takes all memory returns %s", x.name, r.text)
	}
	x.s.note("hog", "%s: %.200s (%v)", x.name, r.text, err)
	if r, err := a.call(call, "ui_run", map[string]any{"sessionId": "hog", "code": "return 6 * 7"}); err == nil && r.text != "42" {
		x.s.wrong("%s: after a script that took all memory, 6 * 7 = %s", x.name, r.text)
	}
}
