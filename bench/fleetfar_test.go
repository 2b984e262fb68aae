//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// farTrip is how long the way to a far host and back takes.
const farTrip = 50 * time.Millisecond

// A farPort is a port of this machine, from which a far host is reached. It counts what crosses, in
// bytes.
type farPort struct {
	port        int
	there, back atomic.Int64
}

// far returns a port behind which another one is, with half of a trip of delay in each direction.
func far(b *testing.B, to string) *farPort {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	p := &farPort{port: l.Addr().(*net.TCPAddr).Port}
	var running sync.WaitGroup
	var mu sync.Mutex // guards the two variables below
	var open []net.Conn
	over := false
	running.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			if open = append(open, near); over {
				_ = near.Close()
			}
			mu.Unlock()
			other, err := net.Dial("tcp", to)
			if err != nil {
				_ = near.Close()
				continue
			}
			running.Go(func() { late(near, other, &p.there) })
			running.Go(func() { late(other, near, &p.back) })
		}
	})
	b.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		over = true
		for _, conn := range open { // that the server here keeps, which ends later
			_ = conn.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	return p
}

// late passes on what a connection sends, half of a trip later.
func late(from, to net.Conn, count *atomic.Int64) {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 1<<14)
	go func() {
		defer close(pieces)
		for {
			buf := make([]byte, 32<<10)
			n, err := from.Read(buf)
			if n > 0 {
				count.Add(int64(n))
				pieces <- piece{buf[:n], time.Now().Add(farTrip / 2)}
			}
			if err != nil {
				return
			}
		}
	}()
	defer from.Close()
	defer to.Close()
	for p := range pieces {
		wait.Pause(time.Until(p.due))
		if _, err := to.Write(p.data); err != nil {
			return
		}
	}
}

// sshServer starts a server of SSH, which lets this user in with a key of its own, and returns its
// address and the options of a client.
func sshServer(b *testing.B, dir string) (address string, options []string) {
	b.Helper()
	program, err := exec.LookPath("/usr/sbin/sshd")
	if err != nil {
		b.Skip("there is no server of SSH")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address = l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	_ = l.Close()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, key := range []string{"host", "user"} {
		output(b, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(key)))
	}
	config := fmt.Sprintf("ListenAddress 127.0.0.1:%s\nHostKey %s\nAuthorizedKeysFile %s\nPidFile none\nStrictModes no\nUsePAM no\nPrintMotd no\nPrintLastLog no\n", port, path("host"), path("user.pub"))
	if err := os.WriteFile(path("sshd_config"), []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	var said bytes.Buffer
	server := exec.Command(program, "-D", "-e", "-f", path("sshd_config"))
	server.Stderr = &said
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = server.Wait()
	}()
	b.Cleanup(func() {
		_ = server.Process.Kill()
		<-over
	})
	wait.Until(b, "the server of SSH listens", func() bool {
		select {
		case <-over:
			b.Skip("the server of SSH does not run here: ", said.String())
		default:
		}
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return address, []string{
		"-F", os.DevNull, "-i", path("user"), "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes",
	}
}

// script writes a program for the shell.
func script(b *testing.B, path, text string) {
	b.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		b.Fatal(err)
	}
}

// assign returns variables as a shell assigns them for a command.
func assign(env map[string]string) string {
	var text strings.Builder
	for name, value := range env {
		fmt.Fprintf(&text, "%s=%s ", name, value)
	}
	return text.String()
}

// A route attaches to sessions of another host.
type route struct {
	multiplexer
	far *farPort
}

// BenchmarkFleetFar attaches to a session of a host that is 50 ms away: through the server here,
// which knows that host over SSH, and by "ssh HOST tmux attach", with a connection of its own and
// with one that is open already (ControlMaster). It counts what crosses.
func BenchmarkFleetFar(b *testing.B) {
	routes := farRoutes(b)
	took, bytes := map[string][]time.Duration{}, map[string]int64{}
	looks := make([]*look, len(routes))
	count := func(name string, r route, do func()) {
		there, back := r.far.there.Load(), r.far.back.Load()
		do()
		bytes[r.name+name+"-bytes-there"] += r.far.there.Load() - there
		bytes[r.name+name+"-bytes-back"] += r.far.back.Load() - back
	}
	b.Run("attach", func(b *testing.B) {
		for b.Loop() {
			for _, r := range routes {
				count("-attach", r, func() {
					start := time.Now()
					l := lookAt(b, r.multiplexer, r.attach("full"), termCols, termRows)
					l.showsAll(b)
					took[r.name+"-attach"] = append(took[r.name+"-attach"], time.Since(start))
					if err := l.process.Close(); err != nil {
						b.Fatal(err)
					}
					<-l.over
				})
			}
		}
		reportFar(b, routes, "-attach", took, bytes)
	})
	routes = routes[:min(len(routes), 2)] // an open connection is as far away as a new one
	for i, r := range routes {
		looks[i] = lookAt(b, r.multiplexer, r.attach("echo"), termCols, termRows)
		looks[i].shows(b, "ready")
	}
	b.Run("key", func(b *testing.B) {
		n := 0
		for b.Loop() {
			for i, r := range routes {
				count("-key", r, func() { took[r.name+"-key"] = append(took[r.name+"-key"], looks[i].echo(b, n)) })
			}
			n++
		}
		reportFar(b, routes, "-key", took, bytes)
	})
}

// reportFar reports the median time of something by each route, what crossed in each direction, and
// how many trips the time is.
func reportFar(b *testing.B, routes []route, what string, took map[string][]time.Duration, bytes map[string]int64) {
	b.ReportMetric(0, "ns/op")
	for _, r := range routes {
		p50 := percentile(took[r.name+what], 50) / 1000
		b.ReportMetric(p50, r.name+"-p50-ms")
		b.ReportMetric(p50*float64(time.Millisecond)/float64(farTrip), r.name+"-trips")
		for _, way := range []string{"-bytes-there", "-bytes-back"} {
			b.ReportMetric(float64(bytes[r.name+what+way])/float64(len(took[r.name+what])), r.name+way)
		}
	}
}

// farRoutes starts a far host, with sessions "full" and "echo" of wsh and of tmux, and returns the
// ways to attach to them.
func farRoutes(b *testing.B) (routes []route) {
	b.Helper()
	program := buildShell(b)
	dir, env := hostAt(b)
	farDir, farEnv := hostAt(b)
	address, options := sshServer(b, dir)
	script(b, filepath.Join(dir, "ssh"), "exec /usr/bin/ssh "+strings.Join(options, " ")+` "$@"`)
	script(b, filepath.Join(farDir, "program"), "export "+assign(farEnv)+"\nexec "+program+` "$@"`)
	env["PATH"] = dir + ":" + os.Getenv("PATH")

	startShell(b, program, farEnv, "--hostname", "far")
	startShell(b, program, env, "--hostname", "near")
	const echo = "echo ready; exec cat >/dev/null"
	newSession(b, program, farEnv, "full", fullScreen)
	newSession(b, program, farEnv, "echo", echo)
	port := far(b, address)
	runAt(b, env, program, "servers", "add", fmt.Sprintf("ssh://127.0.0.1:%d?command=%s", port.port, filepath.Join(farDir, "program")))
	routes = append(routes, route{multiplexer{name: "wsh", env: env, attach: func(session string) []string {
		return []string{program, "attach", "--scrollback", "none", "--status", "none", "far/" + session}
	}}, port})
	if _, err := exec.LookPath("tmux"); err != nil {
		return routes
	}
	for _, session := range []string{"full", "echo"} {
		command := map[string]string{"full": fullScreen, "echo": echo}[session]
		runAt(b, farEnv, append(tmuxSession(session), command, ";", "set-option", "-g", "status", "off", ";", "set-option", "-s", "escape-time", "0")...)
	}
	b.Cleanup(func() { runAt(b, farEnv, "tmux", "kill-server") })
	for _, name := range []string{"ssh+tmux", "open-ssh+tmux"} {
		port := far(b, address)
		ssh := append(append([]string{"ssh", "-p", strconv.Itoa(port.port)}, options...), "-o", "ControlPath="+filepath.Join(dir, name))
		if name == "open-ssh+tmux" {
			master := exec.Command(ssh[0], append(ssh[1:len(ssh):len(ssh)], "-o", "ControlMaster=yes", "-N", "127.0.0.1")...)
			if err := master.Start(); err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() {
				_ = master.Process.Kill()
				_ = master.Wait()
			})
			wait.Until(b, "the connection is open", func() bool {
				_, err := os.Stat(filepath.Join(dir, name))
				return err == nil
			})
		}
		routes = append(routes, route{multiplexer{name: name, env: env, attach: func(session string) []string {
			return append(ssh[:len(ssh):len(ssh)], "-t", "127.0.0.1", "env", assign(farEnv), "tmux", "-f", "/dev/null", "attach-session", "-t", session)
		}}, port})
	}
	return routes
}

// BenchmarkFleetFlood measures the echo at a terminal that is attached to a session of one host,
// alone, while a program of another host writes all the time and nobody looks, and while a terminal
// here is attached to that one, too. All is on this machine: what the program itself takes of its
// processors is in the second.
func BenchmarkFleetFlood(b *testing.B) {
	program := buildShell(b)
	dir, env := hostAt(b)
	env["PATH"] = dir + ":" + os.Getenv("PATH")
	startShell(b, program, env, "--hostname", "near")
	hosts := map[string]string{}
	for _, name := range []string{"calm", "busy"} {
		_, vars := hostAt(b)
		startShell(b, program, vars, "--hostname", name)
		newSession(b, program, vars, "echo", "echo ready; exec cat >/dev/null")
		if name == "busy" {
			newSession(b, program, vars, "flood", `while read -r go; do [ "$go" = go ] && yes "$(seq 1 60 | tr '\n' ' ')" & read -r stop; kill $!; done`)
		}
		hosts[name] = "exec env " + assign(vars) + program + " servers pipe"
	}
	script(b, filepath.Join(dir, "ssh"), `while [ "$1" != -- ]; do shift; done
case "$2" in calm) `+hosts["calm"]+`;; busy) `+hosts["busy"]+`;; esac`)
	attach := func(session string) *look {
		return lookAt(b, multiplexer{env: env}, []string{program, "attach", "--scrollback", "none", "--status", "none", session}, termCols, termRows)
	}
	for name := range hosts {
		runAt(b, env, program, "servers", "add", "ssh://"+name)
	}
	typing := attach("calm/echo")
	typing.shows(b, "ready")
	tell := func(word string) { runAt(b, env, program, "send", "busy/flood", word, "-k", "Enter") }
	took := map[string][]time.Duration{}
	measure := func(name string, n int) {
		for i := range 50 {
			took[name] = append(took[name], typing.echo(b, n*50+i))
		}
	}
	n := 0
	for b.Loop() {
		measure("alone", n)
		tell("go")
		measure("flood", n+1)
		looking := attach("busy/flood")
		looking.shows(b, "57 58 59 60")
		measure("looked-at", n+2)
		_ = looking.process.Close()
		<-looking.over
		tell("stop")
		n += 3
	}
	b.ReportMetric(0, "ns/op")
	for name, list := range took {
		b.ReportMetric(percentile(list, 50)/1000, name+"-p50-ms")
		b.ReportMetric(percentile(list, 99)/1000, name+"-p99-ms")
	}
	b.ReportMetric(percentile(took["looked-at"], 50)/percentile(took["flood"], 50), "x-flood-looked-at")
}
