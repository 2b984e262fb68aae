//go:build unix

package member_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/fleet/hub"
	"ui-mcp/internal/fleet/hubconn"
	"ui-mcp/internal/fleet/hubserver"
	"ui-mcp/internal/fleet/keys"
	"ui-mcp/internal/fleet/member"
	"ui-mcp/internal/fleet/presence"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/wake"
)

// BenchmarkFleet has many hosts at one hub, all in this process: for docs/performance.md.
//
//	go test -run '^$' -bench BenchmarkFleet -benchtime 1x ./internal/fleet/member
func BenchmarkFleet(b *testing.B) {
	for _, n := range []int{10, 100, 300, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				crowd(b, n, max(15*time.Second, 60*time.Millisecond*time.Duration(n))) // six cards of each
			}
		})
	}
}

// TestFleet is BenchmarkFleet with few hosts.
func TestFleet(t *testing.T) {
	t.Parallel()
	crowd(t, 30, time.Second)
}

// maxWhole is how many hosts of a crowd are whole members. The others send and receive the same
// cards, and keep nothing of them: thousands of whole members in one process would take gigabytes.
const maxWhole = 40

// crowd has hosts join a hub, and looks at them for a while in which nothing happens.
func crowd(t testing.TB, hosts int, quiet time.Duration) {
	dir := t.TempDir()
	members, err := keys.OpenList(filepath.Join(dir, "members.json"))
	if err != nil {
		t.Fatal(err)
	}
	own := make([]*keys.Own, hosts)
	for i := range own {
		if own[i], err = keys.Open(filepath.Join(dir, fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
		entry := mutual
		entry.Key, entry.Name = own[i].ID(), fmt.Sprint("host", i)
		if err := members.Accept(entry); err != nil {
			t.Fatal(err)
		}
	}
	h, err := hubserver.Start(hubserver.Options{Listen: "127.0.0.1:0", List: members, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()

	before, processor := heap(), used(t)
	var cards, size atomic.Int64
	begun := time.Now()
	stops := make([]func(), hosts)
	defer func() { atOnce(stops, func(_ int, stop func()) { stop() }) }()
	whole := make([]*member.Member, min(hosts, maxWhole))
	atOnce(own, func(i int, key *keys.Own) {
		if i >= len(whole) {
			stops[i] = light(t, h, key, fmt.Sprint("host", i), hosts, &cards, &size)
			return
		}
		m, err := member.Join(member.Options{
			Membership: hubconn.Membership{Address: "nats://" + h.Address(), Key: key, Name: fmt.Sprint("host", i)},
			Changed:    func(*member.Member, []string) {}, Server: remote.NewServer(remote.Hello{ID: key.ID(), Name: "host"}, noTerminals{}, slog.New(slog.DiscardHandler)), Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Error(err)
			return
		}
		whole[i], stops[i] = m, m.Close
	})
	if t.Failed() {
		t.FailNow()
	}
	joined := time.Since(begun)
	begun = time.Now()
	for _, m := range whole {
		wait.Until(t, "every host is known", func() bool { return len(m.IDs()) == hosts-1 })
	}
	known, taken := time.Since(begun), used(t)-processor
	after := heap()

	cardsBefore, sizeBefore := cards.Load(), size.Load()
	processor, begun = used(t), time.Now()
	wait.Pause(quiet)
	seconds := time.Since(begun).Seconds()
	busy := (used(t) - processor).Seconds() / seconds
	heard := float64(cards.Load()-cardsBefore) / seconds / float64(max(hosts-len(whole), 1))

	report := func(value float64, unit string) { t.Logf("%d hosts: %.3g %s", hosts, value, unit) }
	if b, ok := t.(*testing.B); ok {
		report = b.ReportMetric
		report(0, "ns/op")
	}
	report(joined.Seconds(), "s-to-join")
	report(known.Seconds(), "s-to-know-all")
	report(taken.Seconds(), "processor-s-to-know-all")
	report(busy, "processors")
	report(float64(after-before)/float64(hosts)/1024, "KiB/host")
	if hosts > len(whole) {
		report(heard, "cards/s/host")
		report(float64(size.Load()-sizeBefore)/float64(max(cards.Load()-cardsBefore, 1)), "B/card")
	}
}

// atOnce calls f with every element, some at a time, and returns when all calls have.
func atOnce[T any](list []T, f func(int, T)) {
	var busy sync.WaitGroup
	places := make(chan struct{}, 50)
	for i, e := range list {
		places <- struct{}{}
		busy.Go(func() {
			f(i, e)
			<-places
		})
	}
	busy.Wait()
}

// heap returns how many bytes are in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}

// used returns how much processor time this process has taken.
func used(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// light joins as a host that says what others say, and counts what it hears. stop ends it.
func light(t testing.TB, h *hubserver.Hub, key *keys.Own, name string, hosts int, cards, size *atomic.Int64) (stop func()) {
	t.Helper()
	up := make(chan struct{}, 1)
	conn, err := hubconn.Join(hubconn.Membership{Address: "nats://" + h.Address(), Key: key, Down: func(error) {}, Up: func() {
		select {
		case up <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		t.Error(err)
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var busy sync.WaitGroup
	busy.Go(func() {
		select {
		case <-up:
		case <-ctx.Done():
			return
		}
		asked := make(chan struct{}, 1)
		receive := func(_, _ string, _ hub.Class, card []byte) {
			cards.Add(1)
			size.Add(int64(len(card)))
		}
		isAsked := func() { wake.Up(asked) }
		end, err := conn.ReceiveCards(hub.Mutual, receive, isAsked)
		for err != nil && ctx.Err() == nil { // the server is busy
			wait.Pause(time.Second)
			end, err = conn.ReceiveCards(hub.Mutual, receive, isAsked)
		}
		if err != nil {
			return
		}
		defer end()
		var a presence.Announcer
		a.Connected()
		for n := uint64(1); ; n++ {
			if due, every := a.Due(time.Now(), hosts); due {
				card, err := json.Marshal(presence.Card{Run: "0123456789abcdef", Number: n, EveryMS: uint64(every.Milliseconds()), Protocol: 1})
				if err != nil {
					panic(err)
				}
				_ = conn.SendCard(hub.Mutual, name, card)
			}
			select {
			case <-ctx.Done():
				return
			case <-asked:
				a.Asked(time.Now(), presence.Spread(hosts)/2)
			case <-time.After(time.Until(a.Wake(hosts))):
			}
		}
	})
	return func() {
		cancel()
		busy.Wait()
		conn.Close()
	}
}

// noTerminals are not called.
type noTerminals struct{ terminals.Terminals }
