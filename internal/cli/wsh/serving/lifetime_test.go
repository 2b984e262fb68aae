package serving

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/wake"
)

// A life is a lifetime under test. Its methods are steps of a story.
type life struct {
	t        *testing.T
	lifetime *lifetime
	sessions *registry.Registry
	ended    chan string
}

// play tells a story of a server that may know others.
func play(t *testing.T, bridged bool, others func() bool, story func(life)) {
	synctest.Test(t, func(t *testing.T) {
		l := life{t, newLifetime(false, bridged), registry.New(registry.Config{
			Start: opcases.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler),
		}), make(chan string, 1)}
		l.lifetime.others = others
		go func() { l.ended <- l.lifetime.wait(t.Context(), l.sessions) }()
		synctest.Wait()
		defer func() {
			l.lifetime.Stop()
			if err := l.sessions.Close(); err != nil {
				t.Error(err)
			}
		}()
		story(l)
	})
}

// The kinds of sessions: a shell of a person, one that depends on a bridge, and a command.
var (
	ofPerson  = registry.CreateOptions{}
	ofBridge  = registry.CreateOptions{Dependent: true}
	ofCommand = registry.CreateOptions{Command: "make"}
)

func (l life) create(o registry.CreateOptions) *term.Session {
	l.t.Helper()
	s, err := l.sessions.Create(context.Background(), o)
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// exit ends the program of a session, which lingers.
func (l life) exit(s *term.Session) {
	l.t.Helper()
	if err := s.Signal(context.Background(), "TERM"); err != nil {
		l.t.Fatal(err)
	}
	<-s.Ended()
	synctest.Wait()
}

// stays fails the test if the server ends within a time.
func (l life) stays(d time.Duration) {
	l.t.Helper()
	time.Sleep(d)
	synctest.Wait()
	select {
	case reason := <-l.ended:
		l.t.Fatalf("the server ended: %s", reason)
	default:
	}
}

// ends fails the test unless the server ends after exactly that time.
func (l life) ends(after time.Duration) {
	l.t.Helper()
	if after > 0 {
		l.stays(after - time.Nanosecond)
		time.Sleep(time.Nanosecond)
	}
	synctest.Wait()
	select {
	case <-l.ended:
	default:
		l.t.Fatal("the server goes on")
	}
}

// bridge connects a bridge.
func (l life) bridge() (leave func()) {
	l.t.Helper()
	end, ok := l.lifetime.addBridge()
	if !ok {
		l.t.Fatal("the bridge is refused")
	}
	synctest.Wait()
	return func() { end(); synctest.Wait() }
}

// A server that a bridge started ends with the last bridge, unless another client needs it.
func TestLifetimeOfBridges(t *testing.T) {
	t.Parallel()
	if bridgeTime+closeTime > 10*time.Second {
		t.Errorf("the server may take %v to end after its last bridge, and %v to answer requests", bridgeTime, closeTime)
	}
	for name, story := range map[string]func(life){
		"the bridge never comes": func(l life) { l.ends(bridgeTime) },
		"one bridge, with a session": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			l.stays(time.Hour)
			leave()
			l.ends(bridgeTime)
			if _, ok := l.lifetime.addBridge(); ok {
				l.t.Error("a bridge connects to a server that ends")
			}
		},
		"a bridge follows": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			leave()
			l.stays(bridgeTime - time.Second)
			leave = l.bridge()
			l.stays(time.Hour)
			leave()
			l.ends(bridgeTime)
		},
		"two bridges": func(l life) {
			leaveA, leaveB := l.bridge(), l.bridge()
			leaveA()
			l.stays(time.Hour)
			leaveB()
			l.ends(bridgeTime)
		},
		"a person's session": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			l.create(ofPerson)
			leave()
			l.stays(time.Hour)
		},
		"a person's session that has ended": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			l.exit(l.create(ofPerson))
			leave()
			l.ends(bridgeTime)
		},
		"another client": func(l life) {
			leave := l.bridge()
			s := l.create(ofBridge)
			leaveClient := l.lifetime.addClient()
			leave()
			l.stays(bridgeTime)
			leaveClient()
			l.stays(time.Hour) // as without bridges
			l.exit(s)
			l.ends(lastSessionTime)
		},
		"an open request": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			leaveRequest := l.lifetime.addRequest()
			leave()
			l.stays(10 * bridgeTime)
			leaveRequest()
			l.ends(bridgeTime)
		},
		"a terminal that attaches during an open request": func(l life) {
			leave := l.bridge()
			s := l.create(ofBridge)
			leaveRequest := l.lifetime.addRequest()
			leave()
			l.stays(bridgeTime)
			leaveClient := l.lifetime.addClient()
			leaveRequest()
			l.stays(bridgeTime)
			leaveClient()
			l.stays(time.Hour)
			l.exit(s)
			l.ends(lastSessionTime)
		},
		"another client that has left": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			l.lifetime.addClient()()
			leave()
			l.ends(bridgeTime)
		},
		"a person keeps the server": func(l life) {
			leave := l.bridge()
			l.create(ofBridge)
			l.lifetime.SetPersistent(true)
			leave()
			l.stays(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) { play(t, true, nil, story) })
	}
}

func TestLifetime(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]func(life){
		"nobody comes": func(l life) { l.ends(firstSessionTime) },
		"a bridge comes": func(l life) {
			leave := l.bridge()
			l.stays(time.Hour)
			leave()
			l.ends(firstSessionTime)
		},
		"the last session ends": func(l life) {
			a, b := l.create(ofPerson), l.create(ofPerson)
			l.stays(time.Hour)
			l.exit(a)
			l.stays(time.Hour)
			l.exit(b)
			l.ends(lastSessionTime)
			if _, err := l.sessions.Create(context.Background(), registry.CreateOptions{}); fault.DetailOf(err) != registry.Stopping {
				l.t.Errorf("a session is created at the end: %v", err)
			}
		},
		"the last session is removed": func(l life) {
			a := l.create(ofPerson)
			if err := l.sessions.Remove(a); err != nil {
				l.t.Fatal(err)
			}
			l.ends(lastSessionTime)
		},
		"the result of a command": func(l life) {
			s := l.create(ofCommand)
			l.exit(s)
			l.stays(registry.DefaultLinger - time.Second)
			if _, err := l.sessions.Session(s.Name()); err != nil {
				l.t.Error(err)
			}
			time.Sleep(time.Second)
			l.ends(lastSessionTime)
		},
		"a result that is removed": func(l life) {
			s := l.create(ofCommand)
			l.exit(s)
			l.stays(lastSessionTime)
			if err := l.sessions.Remove(s); err != nil {
				l.t.Fatal(err)
			}
			l.ends(lastSessionTime)
		},
		"output that is still being read": func(l life) {
			s := l.create(ofPerson)
			leave := l.lifetime.addRequest()
			l.exit(s)
			l.stays(time.Hour)
			leave()
			l.ends(lastSessionTime)
		},
		"another follows at once": func(l life) {
			l.exit(l.create(ofPerson))
			l.stays(lastSessionTime / 2)
			b := l.create(ofPerson)
			l.stays(time.Hour)
			l.exit(b)
			l.ends(lastSessionTime)
		},
		"the first session cannot be created": func(l life) {
			l.stays(firstSessionTime / 2)
			if _, err := l.sessions.Create(context.Background(), registry.CreateOptions{Command: "fail"}); err == nil {
				l.t.Error("it was created")
			}
			time.Sleep(firstSessionTime)
			l.ends(0)
		},
		"it is to stay": func(l life) {
			l.lifetime.SetPersistent(true)
			l.exit(l.create(ofPerson))
			l.stays(time.Hour)
			l.lifetime.SetPersistent(false)
			l.ends(firstSessionTime)
		},
		"it is to end while a program runs": func(l life) {
			l.lifetime.SetPersistent(true)
			a := l.create(ofPerson)
			l.stays(time.Hour)
			l.lifetime.SetPersistent(false)
			l.stays(time.Hour)
			l.exit(a)
			l.ends(lastSessionTime)
		},
		"it is stopped": func(l life) {
			l.create(ofPerson)
			l.lifetime.Stop()
			l.lifetime.Stop()
			l.ends(0)
		},
	} {
		t.Run(name, func(t *testing.T) { play(t, false, nil, story) })
	}
}

// Who follows the questions of a server does not keep it, whatever else is asked of it does.
func TestFollowersDoNotKeep(t *testing.T) {
	t.Parallel()
	for path, keeps := range map[string]bool{httpio.QuestionsPath: false, "/health": false, "/ws/json": true} {
		play(t, false, nil, func(l life) {
			session := l.create(ofPerson)
			over := make(chan struct{})
			end := sync.OnceFunc(func() { close(over) })
			defer end()
			lasts := l.lifetime.observe(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-over }))
			go lasts.ServeHTTP(nil, httptest.NewRequest(http.MethodGet, path, nil))
			synctest.Wait()
			if l.exit(session); keeps {
				l.stays(time.Hour)
				end()
			}
			l.ends(lastSessionTime)
		})
	}
}

// A server that knows others stays without programs and without bridges until they are forgotten.
func TestLifetimeWithOtherServers(t *testing.T) {
	t.Parallel()
	for name, bridged := range map[string]bool{"started by a command": false, "started by a bridge": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			known := atomic.Bool{}
			known.Store(true)
			play(t, bridged, known.Load, func(l life) {
				l.stays(time.Hour)
				l.exit(l.create(ofPerson))
				l.stays(time.Hour)
				if bridged {
					l.bridge()()
					l.stays(time.Hour)
				}
				known.Store(false)
				wake.Up(l.lifetime.changed) // as [keptBy.Remove] does
				l.ends(firstSessionTime)
			})
		})
	}
}
