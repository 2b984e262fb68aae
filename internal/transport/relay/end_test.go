package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSilentViewEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		time.Sleep(Lapse - time.Second)
		h.Call(t.Context(), poll(0, 10*time.Second)) // a poll is a sign of life from begin to end
		time.Sleep(VisibleLapse - time.Second)
		h.Call(t.Context(), poll(0, time.Millisecond)) // by a view that has been hidden
		time.Sleep(Lapse - time.Second)
		if h.Views() != 1 {
			t.Fatal("the view has ended too early")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if h.Views() != 0 || views[id].closed != 1 || views[id].view.Send("c", []byte(`1`)) {
			t.Errorf("%d views; closed %d times", h.Views(), views[id].closed)
		}
	})
}

// A view that could be seen polls again at once. A host that has removed it without a word, and
// lets its last poll end, keeps it for a minute.
func TestVanishedViewEndsSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := start(t, Options{})
		open(t, h, Call{View: id})
		h.Call(t.Context(), poll(0, MaxWait))
		time.Sleep(VisibleLapse + time.Second)
		synctest.Wait()
		if h.Views() != 0 {
			t.Error("the view has not ended")
		}
	})
}

func TestViewThatFetchesNothingEnds(t *testing.T) {
	h, views := start(t, Options{})
	open(t, h, Call{View: id})
	big := []byte(`"` + strings.Repeat("x", 16<<20) + `"`)
	sent := 0
	for views[id].view.Send("c", big) {
		sent++
	}
	if sent != MaxQueued/len(big) || h.Views() != 0 || views[id].closed != 1 {
		t.Errorf("%d messages were queued; %d views, closed %d times", sent, h.Views(), views[id].closed)
	}
}

// What waits for all views together is bounded, too: the view with the longest queue is ended.
func TestManyViewsThatFetchNothing(t *testing.T) {
	h, views := start(t, Options{})
	name := func(i int) string { return fmt.Sprintf("%s%d", id, i) }
	msg := []byte(`"` + strings.Repeat("x", MaxPiece-2) + `"`) // which is not copied
	const each, n = 40 << 20, MaxQueuedInAll / (40 << 20)      // n queues of this size fit
	for i := range n + 1 {
		open(t, h, Call{View: name(i)})
		for range each / len(msg) {
			views[name(i)].view.Send("c", msg)
		}
	}
	if h.Views() != n {
		t.Fatalf("%d views are left, want %d", h.Views(), n)
	}
	for _, v := range views {
		v.view.End("the test is over")
	}
	if got := h.queued.Load(); got != 0 {
		t.Errorf("after the end of all views, %d bytes are queued", got)
	}

	// A view that fetches its messages goes on.
	open(t, h, Call{View: id})
	ack := int64(0)
	for range 2 * MaxQueuedInAll / len(msg) {
		if !views[id].view.Send("c", msg) {
			t.Fatal("the view has ended")
		}
		ack += int64(len(views[id].view.taken(true).In)) // without the pace of polls
		h.Call(t.Context(), poll(ack, 0))
	}
	if got := h.queued.Load(); got != 0 {
		t.Errorf("after all was fetched, %d bytes are queued", got)
	}
}

// Messages that views begin and do not finish are bounded together, too.
func TestManyViewsThatFinishNothing(t *testing.T) {
	h, views := start(t, Options{})
	name := func(i int) string { return fmt.Sprintf("%s%d", id, i) }
	const each = 16 << 20
	const n = MaxUnfinishedInAll / each // of this size fit
	pieces := slices.Repeat([]Frame{{Channel: "c", Piece: strings.Repeat("1", MaxPiece), More: true}}, each/MaxPiece)
	begin := func(view string, first int64) Reply {
		return h.Call(t.Context(), Call{Version: Version, View: view, First: first, Out: pieces})
	}
	for i := range n {
		open(t, h, Call{View: name(i)})
		if r := begin(name(i), 1); r.Error != "" {
			t.Fatalf("view %d: %+v", i, r)
		}
	}
	// The one with the most is ended.
	if r := begin(name(0), int64(len(pieces))+1); r.Error != UnknownView || h.Views() != n-1 {
		t.Fatalf("one more message = %+v; %d views are left", r, h.Views())
	}
	// The others go on.
	if got := h.unfinished.Load(); got != (n-1)*each {
		t.Errorf("%d bytes are unfinished, want %d", got, (n-1)*each)
	}
	r := h.Call(t.Context(), Call{Version: Version, View: name(1), First: int64(len(pieces)) + 1, Out: []Frame{{Channel: "c", Piece: "1"}}})
	if r.Error != "" || len(views[name(1)].messages()) != 1 {
		t.Errorf("the end of a message: %+v", r)
	}
	for i := 2; i < n; i++ {
		views[name(i)].view.End("the test is over")
	}
	if got := h.unfinished.Load(); got != 0 {
		t.Errorf("after the end of all messages, %d bytes are unfinished", got)
	}
}

// The end of a view, or of the hub, answers its poll. What the view has sent with it is handled.
func TestEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		end      func(h *Hub)
		messages int
		later    Code // of a hello afterwards
	}{
		"the view": {func(h *Hub) {
			h.Call(t.Context(), Call{Version: Version, View: id, First: 1, Out: message(`1`), Bye: true})
		}, 1, UnknownView},
		"the hub": {(*Hub).Close, 0, Refused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, views := start(t, Options{})
				open(t, h, Call{View: id})
				polled := make(chan Reply)
				go func() { polled <- h.Call(t.Context(), poll(0, MaxWait)) }()
				synctest.Wait()
				tt.end(h)
				if r := <-polled; r.Error != UnknownView {
					t.Errorf("the poll = %+v", r)
				}
				if got := views[id].messages(); len(got) != tt.messages || views[id].closed != 1 {
					t.Errorf("messages %v, closed %d times", got, views[id].closed)
				}
				r := h.Call(t.Context(), Call{Version: Version, View: id, Hello: hello})
				if r.Error != tt.later || h.Views() != 0 {
					t.Errorf("a hello afterwards = %+v; %d views", r, h.Views())
				}
			})
		})
	}
}

func TestTooManyViews(t *testing.T) {
	h, _ := start(t, Options{})
	for i := range MaxViews {
		open(t, h, Call{View: fmt.Sprintf("%016d", i)})
	}
	if r := h.Call(t.Context(), Call{Version: Version, View: id, Hello: hello}); r.Error != Refused {
		t.Errorf("one more = %+v", r)
	}
	open(t, h, Call{View: id, Was: fmt.Sprintf("%016d", 1)}) // it takes the place of its own
	if h.Views() != MaxViews {
		t.Errorf("there are %d views", h.Views())
	}
}

// What follows in a call after the message that has ended the view is not handled.
func TestNoMessagesAfterTheEnd(t *testing.T) {
	h, views := start(t, Options{})
	open(t, h, Call{View: id})
	views[id].before = func() { views[id].view.End("enough") }
	r := h.Call(t.Context(), Call{Version: Version, View: id, First: 1, Out: append(message(`1`), message(`2`)...)})
	if diff := cmp.Diff([]string{"c 1"}, views[id].messages()); diff != "" || r.Error != UnknownView {
		t.Errorf("reply %+v, handled (-want +got):\n%s", r, diff)
	}
}

// A view that is closed while it connects says goodbye, which may overtake its hello.
func TestGoodbyeBeforeHello(t *testing.T) {
	h, views := start(t, Options{})
	h.Call(t.Context(), Call{Version: Version, View: id, Bye: true})
	if r := h.Call(t.Context(), Call{Version: Version, View: id, Hello: hello}); r.Error != UnknownView || h.Views() != 0 || len(views) > 0 {
		t.Errorf("hello = %+v, %d views", r, h.Views())
	}
}
