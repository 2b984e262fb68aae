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
	"testing"
	"time"

	"ui-mcp/internal/testkit/netns"
	"ui-mcp/internal/testkit/wait"
)

// farTrip is how long the way to a far host and back takes.
const farTrip = 50 * time.Millisecond

// far returns a link to a port of this machine, with half of a trip of delay in each direction.
func far(b *testing.B, port int) *netns.Route {
	b.Helper()
	l := netns.Connect(b, &netns.Host{Name: "near"}, &netns.Host{Name: "far"}, port, 0)
	l.Set(farTrip/2, 0)
	return l
}

// sshServer starts a server of SSH, which lets this user in with a key of its own, and returns its
// port and the options of a client.
func sshServer(b *testing.B, dir string) (port int, options []string) {
	b.Helper()
	program, err := exec.LookPath("/usr/sbin/sshd")
	if err != nil {
		b.Skip("there is no server of SSH")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, key := range []string{"host", "user"} {
		output(b, exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(key)))
	}
	config := fmt.Sprintf("ListenAddress %s\nHostKey %s\nAuthorizedKeysFile %s\nPidFile none\nStrictModes no\nUsePAM no\nPrintMotd no\nPrintLastLog no\n", address, path("host"), path("user.pub"))
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
		c, err := net.Dial("tcp", address.String())
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return address.Port, []string{
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
	name   string
	env    map[string]string
	attach func(session string) []string
	far    *netns.Route
}

// BenchmarkFleetFar attaches to a session of a host that is 50 ms away: through the server here,
// which knows that host over SSH, and by "ssh HOST tmux attach", with a connection of its own and
// with one that is open already (ControlMaster). It counts what crosses.
func BenchmarkFleetFar(b *testing.B) {
	routes := farRoutes(b)
	took, bytes := map[string]stopwatch{}, map[string]int64{}
	looks := make([]*look, len(routes))
	count := func(name string, r route, do func()) {
		there, back := r.far.Crossed()
		do()
		thereNow, backNow := r.far.Crossed()
		bytes[r.name+name+"-bytes-there"] += thereNow - there
		bytes[r.name+name+"-bytes-back"] += backNow - back
	}
	b.Run("attach", func(b *testing.B) {
		for b.Loop() {
			for _, r := range routes {
				count("-attach", r, func() {
					start := time.Now()
					l := lookAt(b, r.env, r.attach("full"))
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
		looks[i] = lookAt(b, r.env, r.attach("echo"))
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
func reportFar(b *testing.B, routes []route, what string, took map[string]stopwatch, bytes map[string]int64) {
	b.ReportMetric(0, "ns/op")
	for _, r := range routes {
		p50 := took[r.name+what].ms(0.5)
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
	there, here := newHost(b), newHost(b)
	sshPort, options := sshServer(b, here.dir)
	script(b, filepath.Join(here.dir, "ssh"), "exec /usr/bin/ssh "+strings.Join(options, " ")+` "$@"`)
	script(b, filepath.Join(there.dir, "program"), "export "+assign(there.env)+"\nexec "+there.program+` "$@"`)
	here.env["PATH"] = here.dir + ":" + os.Getenv("PATH")
	there.serve("--hostname", "far")
	here.serve("--hostname", "near")
	commands := map[string]string{"full": fullScreen, "echo": "echo ready; exec cat >/dev/null"}
	for session, command := range commands {
		there.session(session, command)
	}
	port := far(b, sshPort)
	here.run(here.program, "servers", "add", fmt.Sprintf("ssh://127.0.0.1:%d?command=%s", port.Port, filepath.Join(there.dir, "program")))
	routes = append(routes, route{"wsh", here.env, func(session string) []string { return here.attach("far/" + session) }, port})
	if _, err := exec.LookPath("tmux"); err != nil {
		return routes
	}
	for session, command := range commands {
		there.tmuxSession(session, command)
	}
	b.Cleanup(func() { there.run("tmux", "kill-server") })
	for _, name := range []string{"ssh+tmux", "open-ssh+tmux"} {
		port := far(b, sshPort)
		ssh := append(append([]string{"ssh", "-p", strconv.Itoa(port.Port)}, options...), "-o", "ControlPath="+filepath.Join(here.dir, name))
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
				_, err := os.Stat(filepath.Join(here.dir, name))
				return err == nil
			})
		}
		routes = append(routes, route{name, here.env, func(session string) []string {
			return append(ssh[:len(ssh):len(ssh)], "-t", "127.0.0.1", "env", assign(there.env), "tmux", "-f", "/dev/null", "attach-session", "-t", session)
		}, port})
	}
	return routes
}
