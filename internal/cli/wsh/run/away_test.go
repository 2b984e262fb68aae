//go:build unix

package run

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/wake"
)

// ofB and ofC are sessions on other servers.
var (
	ofB = wire.Session{Name: "b/0", ID: "b/one", Running: true}
	ofC = wire.Session{Name: "c/0", ID: "c/one", Running: true}
)

// A reply writes the answer to a request, or reports that the session's server is away.
type reply func(http.ResponseWriter, *http.Request) bool

// An awayServer answers as a server here that reaches others.
type awayServer struct {
	replies map[string]reply // by method and path; to others, the session's server is away
	code    string           // of that error; "": host_away
}

// away are the statuses of the codes.
var away = map[string]int{
	"": http.StatusServiceUnavailable, string(terminals.HubAway): http.StatusServiceUnavailable,
	string(terminals.HostSilent): http.StatusGatewayTimeout, string(terminals.ServerNotFound): http.StatusNotFound,
}

func (s awayServer) remote(t *testing.T) *caller.Remote {
	t.Helper()
	return inMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/server" {
			_, _ = io.WriteString(w, "{}")
			return
		}
		if f := s.replies[r.Method+" "+r.URL.Path]; f != nil && f(w, r) {
			return
		}
		code := s.code
		if code == "" {
			code = string(terminals.HostAway)
		}
		w.WriteHeader(away[s.code])
		_, _ = io.WriteString(w, `{"error":{"code":"`+code+`","message":"b is away"}}`)
	}))
}

// says answers with a value.
func says(status int, v any) reply {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v) // to memory
		return true
	}
}

// from is f after a time.
func from(d time.Duration, f reply) reply {
	start := time.Now()
	return func(w http.ResponseWriter, r *http.Request) bool { return time.Since(start) >= d && f(w, r) }
}

// until answers a request when there is something, or when its caller does not wait any more.
func until(done <-chan struct{}, f reply) reply {
	return func(w http.ResponseWriter, r *http.Request) bool {
		select {
		case <-done:
			return f(w, r)
		case <-r.Context().Done():
			return false
		}
	}
}

// How a command ended on a machine is told, even if the connection breaks before its session is
// removed. That one stays.
func TestRunAllCutAtEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := awayServer{replies: map[string]reply{
			"POST /sessions":                says(http.StatusCreated, ofB),
			"GET /sessions/b/one/wait/exit": says(http.StatusOK, wire.Exit{}),
		}}.remote(t)
		o := outcome{name: "b/", Server: "b"}
		Command{}.runOn(t.Context(), t.Context(), r, terminals.NewSession{Command: "true"}, &o)
		var out strings.Builder
		e := caller.Env{Streams: commandline.Streams{Out: &out}}
		if err := printOutcomes(e, []*outcome{&o}, false); err != nil || o.Outcome != "exit 0" || o.failed() || !strings.Contains(out.String(), "b/0") {
			t.Errorf("%+v, printed as %q, %v", o, &out, err)
		}
	})
}

// TestMain starts outside of any bubble what the first use of signals starts once.
func TestMain(m *testing.M) {
	first := make(chan os.Signal, 1)
	signal.Notify(first, syscall.SIGPIPE)
	signal.Stop(first)
	os.Exit(m.Run())
}

// A signal reaches the program when the broken connection to its machine is back. If it does not
// come back, wsh ends.
func TestSignalWhileAway(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		all  bool
		back time.Duration
	}{
		"run, back":     {false, 5 * time.Second},
		"run, lost":     {false, time.Hour},
		"run all, back": {true, 5 * time.Second},
		"run all, lost": {true, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				typed, over := make(chan struct{}), new(sync.Once)
				r := awayServer{replies: map[string]reply{
					"POST /sessions": says(http.StatusCreated, ofB),
					"POST /sessions/b/one/signal": from(tt.back, func(w http.ResponseWriter, _ *http.Request) bool {
						over.Do(func() { close(typed) })
						w.WriteHeader(http.StatusNoContent)
						return true
					}),
					"GET /sessions/b/one/wait/exit": until(typed, says(http.StatusOK, wire.Exit{Code: 130})),
					"GET /sessions/b/one/ws/raw":    until(typed, says(http.StatusGone, nil)),
				}}.remote(t)
				signalled, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(caller.EndSignal(syscall.SIGINT)) })
				lost := tt.back > caller.BackTime
				start := time.Now()
				var errs testkit.Log
				if tt.all {
					o := outcome{name: "b/"}
					Command{}.runOn(t.Context(), signalled, r, terminals.NewSession{}, &o)
					if o.Outcome != map[bool]string{false: "exit 130", true: unknown}[lost] {
						t.Errorf("after %v: %+v", time.Since(start), o)
					}
					return
				}
				e := caller.Env{Streams: commandline.Streams{Out: io.Discard, Err: &errs}}
				err := Command{}.follow(signalled, e, r, ofB)
				if got := errors.Is(err, caller.EndSignal(syscall.SIGINT)); got != lost || lost != strings.Contains(errs.String(), "wsh wait b/0 --exit") || time.Since(start) > time.Minute {
					t.Errorf("after %v: %v, %s", time.Since(start), err, &errs)
				}
				if !lost {
					<-typed
				}
			})
		})
	}
}

// A session that was found on another server counts as removed only if that says so, and not while
// the server here does not know the other one.
func TestServerUnknownForAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := awayServer{code: string(terminals.ServerNotFound), replies: map[string]reply{
			"GET /sessions/b/one/wait/exit": from(5*time.Second, says(http.StatusOK, wire.Exit{Code: 3})),
			"GET /sessions/b/one":           from(5*time.Second, says(http.StatusOK, ofB)),
		}}
		if exit, err := caller.NewTracked(s.remote(t), ofB).AwaitExit(t.Context()); err != nil || exit.Code != 3 {
			t.Errorf("it is back: %+v, %v", exit, err)
		}
		s.replies = nil
		if _, err := caller.NewTracked(s.remote(t), ofB).AwaitExit(t.Context()); fault.DetailOf(err) != terminals.HostSilent {
			t.Errorf("it stays away: %v", err)
		}
		if err := removeUnnamed(t.Context(), caller.NewTracked(s.remote(t), ofB)); fault.DetailOf(err) != terminals.ServerNotFound {
			t.Errorf("removed while it is away: %v", err)
		}
		start := time.Now()
		if _, err := caller.ByName(s.remote(t), "b/0").AwaitExit(t.Context()); fault.KindOf(err) != fault.NotFound || time.Since(start) > time.Second {
			t.Errorf("a server that was never known, after %v: %v", time.Since(start), err)
		}
	})
}

// Waiting for any of several sessions goes on when the server of one goes away, and also when it
// is back.
func TestWaitAnyWhileAway(t *testing.T) {
	t.Parallel()
	for code := range away {
		for name, tt := range map[string]struct {
			list []wire.Session
			back time.Duration // of b; c has an answer after two minutes
			want string        // the session, or ""
		}{
			"the other":   {[]wire.Session{ofB, ofC}, time.Hour, "c/0"},
			"it, back":    {[]wire.Session{ofB, ofC}, time.Minute, "b/0"},
			"it, and one": {[]wire.Session{ofB}, time.Hour, ""},
		} {
			t.Run(code+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					start := time.Now()
					needed := says(http.StatusOK, map[string]string{"state": "line"})
					r := awayServer{code: code, replies: map[string]reply{
						"GET /sessions": func(w http.ResponseWriter, r *http.Request) bool {
							list := append([]wire.Session{}, tt.list...)
							if at := time.Since(start); at > time.Second && at < tt.back {
								list[0].LastKnownMS = new(at.Milliseconds())
							}
							return says(http.StatusOK, list)(w, r)
						},
						"GET /sessions/b/one/wait/state": from(tt.back, needed),
						"GET /sessions/b/one":            from(tt.back, says(http.StatusOK, ofB)),
						"GET /sessions/c/one/wait/state": func(w http.ResponseWriter, r *http.Request) bool {
							_ = wake.After(r.Context(), 2*time.Minute-time.Since(start))
							return needed(w, r)
						},
						"GET /sessions/c/one": says(http.StatusOK, ofC),
					}}.remote(t)
					raw, err := Wait{All: true, NeedsMe: true}.waitAny(t.Context(), r)
					var got struct{ Session string }
					if err == nil {
						err = json.Unmarshal(raw, &got)
					}
					if got.Session != tt.want || tt.want == "" != (fault.DetailOf(err) == terminals.HostSilent) {
						t.Errorf("after %v: %q, %v", time.Since(start), got.Session, err)
					}
				})
			})
		}
	}
}

// What has become of a command on each machine, or of each session that was waited for, is told
// when one of them goes away: of that one the outcome is unknown, with what was seen last.
func TestOutcomesWhileAway(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		do   func(context.Context, caller.Env, *caller.Remote) error
		want string
	}{
		"run": {func(ctx context.Context, e caller.Env, r *caller.Remote) error {
			return Command{Name: "0", All: []caller.LabelName{"job"}}.runAll(ctx, e, r, terminals.NewSession{Command: "make"})
		}, "b  unknown  20.3s  the connection to b is lost, and what becomes of the session \"b/0\" there is not known; \"wsh wait b/0 --exit\" waits for it: b is away; last seen: running 20s ago\n" +
			"c  exit 3   5s     c/0  done\nd  not run  -      it cannot be reached: no route\n"},
		"wait": {func(ctx context.Context, e caller.Env, r *caller.Remote) error {
			return Wait{Sessions: []caller.SessionName{"c/0", "b/0", "c/0"}, Exit: true}.waitEach(ctx, e, r)
		}, "b/0  unknown  20.3s  the connection to b is lost, and what becomes of the session \"b/0\" there is not known; \"wsh wait b/0 --exit\" waits for it: b is away; last seen: running 20s ago\n" +
			"c/0  exit 3   5s     done\n"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				job := []string{"job"}
				r := awayServer{replies: map[string]reply{
					"GET /server/info": says(http.StatusOK, terminals.ServerInfo{Hostname: "a"}),
					"GET /servers": says(http.StatusOK, []terminals.KnownServer{
						{Hostname: "b", Health: terminals.Healthy, Labels: job}, {Hostname: "c", Health: terminals.Healthy, Labels: job},
						{Hostname: "d", Health: terminals.Unavailable, Reason: "no route", Labels: job}, {Hostname: "e", Health: terminals.Healthy, Labels: []string{"other"}},
					}),
					"POST /sessions": func(w http.ResponseWriter, r *http.Request) bool {
						body, _ := io.ReadAll(r.Body)
						if strings.Contains(string(body), `"b/0"`) {
							return says(http.StatusCreated, ofB)(w, r)
						}
						return says(http.StatusCreated, ofC)(w, r)
					},
					"GET /sessions": func(w http.ResponseWriter, r *http.Request) bool {
						known := ofB
						known.State, known.LastKnownMS = "running", new(time.Since(start).Milliseconds())
						return says(http.StatusOK, []wire.Session{known, ofC})(w, r)
					},
					"GET /sessions/b/0": says(http.StatusOK, ofB),
					"GET /sessions/c/0": says(http.StatusOK, ofC),
					"GET /sessions/c/one/wait/exit": func(w http.ResponseWriter, r *http.Request) bool {
						_ = wake.After(r.Context(), 5*time.Second)
						return says(http.StatusOK, wire.Exit{Code: 3})(w, r)
					},
					"GET /sessions/c/one/scrollback": says(http.StatusOK, map[string]any{"lines": []string{"begun", "done", ""}}),
				}}.remote(t)
				var out strings.Builder
				err := tt.do(t.Context(), caller.Env{Streams: commandline.Streams{Out: &out, Err: io.Discard}}, r)
				if status, ok := errors.AsType[*commandline.StatusError](err); !ok || status.Status != commandline.ExitFailure || out.String() != tt.want {
					t.Errorf("%v, want\n%s\ngot\n%s", err, tt.want, &out)
				}
			})
		})
	}
}

// A command that is followed on a machine that goes away and stays away fails, and says how to wait
// for its session, which stays.
func TestStaysAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var errs testkit.Log
		e := caller.Env{Streams: commandline.Streams{Out: io.Discard, Err: &errs}}
		err := Command{}.follow(t.Context(), e, awayServer{}.remote(t), ofB)
		if fault.DetailOf(err) != terminals.HostSilent || !strings.Contains(err.Error(), `"wsh wait b/0 --exit" waits for it`) || errs.String() != "wsh: the connection to b has broken: trying again for 20s\n" {
			t.Errorf("%v, after saying %q", err, &errs)
		}
	})
}
