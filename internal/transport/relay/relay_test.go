package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A recorder is the handler of a view in tests.
type recorder struct {
	view   *View
	fail   error
	before func() // called by Receive

	mu     sync.Mutex // guards the fields below
	got    []string
	closed int
}

func (r *recorder) Receive(_ context.Context, channel string, msg []byte) error {
	if r.before != nil {
		r.before()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, channel+" "+string(msg))
	return r.fail
}

func (r *recorder) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed++
}

func (r *recorder) messages() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

const id = "0123456789abcdef"

var hello = json.RawMessage(`{}`)

// start returns a hub and the handlers of its views, by their IDs.
func start(t *testing.T, opts Options) (*Hub, map[string]*recorder) {
	t.Helper()
	views := map[string]*recorder{}
	opts.Open = func(_ context.Context, v *View, _ json.RawMessage) (Handler, error) {
		r := &recorder{view: v}
		views[v.id] = r
		return r, nil
	}
	h := NewHub(opts)
	t.Cleanup(h.Close)
	return h, views
}

func message(s string) []Frame { return []Frame{{Channel: "c", Message: json.RawMessage(s)}} }

// poll is a call that only fetches messages.
func poll(ack int64, wait time.Duration) Call {
	return Call{Version: Version, View: id, Ack: ack, WaitMS: wait.Milliseconds()}
}

// open says hello and fails the test if that fails.
func open(t *testing.T, h *Hub, c Call) {
	t.Helper()
	c.Version, c.Hello = Version, hello
	if r := h.Call(t.Context(), c); r.Error != "" {
		t.Fatalf("hello = %+v", r)
	}
}

func TestMessagesOfAView(t *testing.T) {
	h, views := start(t, Options{})
	open(t, h, Call{View: id, First: 1, Out: message(`1`)})
	for _, c := range []Call{
		{First: 2, Out: append(message(`2`), message(`3`)...)},
		{First: 2, Out: append(message(`2`), message(`3`)...)}, // repeated
		{First: 3, Out: append(message(`3`), message(`4`)...)}, // partly
		{Hello: hello, First: 1, Out: message(`1`)},            // a hello whose reply was lost
	} {
		c.Version, c.View = Version, id
		if r := h.Call(t.Context(), c); r.Error != "" {
			t.Fatalf("Call(%+v) = %+v", c, r)
		}
	}
	want := []string{"c 1", "c 2", "c 3", "c 4"}
	if diff := cmp.Diff(want, views[id].messages()); diff != "" {
		t.Errorf("handled messages (-want +got):\n%s", diff)
	}
}

func TestRefusedCalls(t *testing.T) {
	for name, tt := range map[string]struct {
		call Call
		want Code
	}{
		"another version":        {Call{Version: 2, View: id, Hello: hello, Token: NewToken("key")}, BadVersion},
		"a short id":             {Call{Version: Version, View: "a", Hello: hello, Token: NewToken("key")}, Refused},
		"no hello":               {Call{Version: Version, View: id, Token: NewToken("key")}, UnknownView},
		"no token":               {Call{Version: Version, View: id, Hello: hello}, BadToken},
		"a token of another key": {Call{Version: Version, View: id, Hello: hello, Token: NewToken("other")}, BadToken},
		"a token with more":      {Call{Version: Version, View: id, Hello: hello, Token: NewToken("key") + "A"}, BadToken},
		"valid":                  {Call{Version: Version, View: id, Hello: hello, Token: NewToken("key")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := start(t, Options{Key: "key"})
			if r := h.Call(t.Context(), tt.call); r.Error != tt.want {
				t.Errorf("reply = %+v, want error %q", r, tt.want)
			}
		})
	}
}

// A token admits one view at a time; a view that does not call any more gives way.
func TestTokenOfTwoViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{Key: "key"})
		token := NewToken(h.opts.Key)
		open(t, h, Call{View: id, Token: token})
		ctx, cancel := context.WithCancel(t.Context())
		polled := make(chan Reply)
		go func() { polled <- h.Call(ctx, poll(0, MaxWait)) }()
		synctest.Wait()
		second := Call{Version: Version, View: id + "2", Token: token, Hello: hello}
		if r := h.Call(t.Context(), second); r.Error != BadToken {
			t.Errorf("while the first view polls: %+v", r)
		}
		cancel()
		<-polled
		if r := h.Call(t.Context(), second); r.Error != "" {
			t.Errorf("when the first view is silent: %+v", r)
		}
		if views[id].closed != 1 || h.Views() != 1 {
			t.Errorf("the first view was closed %d times; there are %d views", views[id].closed, h.Views())
		}
	})
}

func TestPollIsAnsweredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		start := time.Now()
		time.AfterFunc(3*time.Second, func() { views[id].view.Send("c", []byte(`1`)) })
		got := h.Call(t.Context(), poll(0, time.Hour))
		if diff := cmp.Diff(Reply{Version: Version, First: 1, In: message(`1`)}, got); diff != "" {
			t.Errorf("reply (-want +got):\n%s", diff)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("the poll took %v", took)
		}
		// Nothing more comes.
		start = time.Now()
		if r := h.Call(t.Context(), poll(1, time.Hour)); r.In != nil || time.Since(start) != MaxWait {
			t.Errorf("an idle poll = %+v after %v", r, time.Since(start))
		}
	})
}

// The reply of a poll may get lost: its messages are repeated until they are acknowledged.
func TestLostReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		v := views[id].view
		v.Send("c", []byte(`1`))
		lost := h.Call(t.Context(), poll(0, time.Second))
		v.Send("c", []byte(`2`))
		got := h.Call(t.Context(), poll(0, time.Second))
		if len(lost.In) != 1 || got.First != 1 || len(got.In) != 2 {
			t.Errorf("lost %+v, then %+v", lost, got)
		}
		if r := h.Call(t.Context(), poll(2, 0)); r.In != nil {
			t.Errorf("after the acknowledgement: %+v", r)
		}
	})
}

// A view that acknowledges what it has not been sent would lose messages without noticing.
func TestInvalidAcknowledgements(t *testing.T) {
	for name, tt := range map[string]struct {
		ack int64
		ok  bool
	}{
		"none":             {0, true},
		"what was sent":    {1, true},
		"what waits":       {2, false},
		"the future":       {99, false},
		"less than none":   {-1, false},
		"the least":        {math.MinInt64, false},
		"the most":         {math.MaxInt64, false},
		"for the 2nd time": {1, true},
	} {
		t.Run(name, func(t *testing.T) {
			h, views := start(t, Options{})
			open(t, h, Call{View: id})
			v := views[id].view
			v.Send("c", []byte(`1`))
			h.Call(t.Context(), poll(0, time.Millisecond))
			if name == "for the 2nd time" {
				h.Call(t.Context(), poll(1, 0))
			}
			v.Send("c", []byte(`2`))
			r := h.Call(t.Context(), poll(tt.ack, 0))
			if ok := r.Error == ""; ok != tt.ok || !ok && (r.Error != Refused || h.Views() != 0) {
				t.Fatalf("reply %+v, %d views", r, h.Views())
			}
			if !tt.ok {
				return
			}
			if r := h.Call(t.Context(), poll(tt.ack, time.Millisecond)); len(r.In) == 0 || string(r.In[len(r.In)-1].Message) != "2" {
				t.Errorf("the next reply = %+v", r)
			}
		})
	}
}

// A host may deliver a hello once more after the view has ended. It must not bring the view back:
// nobody would end it.
func TestHelloOfAFormerView(t *testing.T) {
	h, views := start(t, Options{})
	// As many are remembered as a server may have views at once, and more; not all.
	for i := range 2*maxFormer + 1 {
		other := fmt.Sprintf("%s%d", id, i)
		open(t, h, Call{View: other})
		views[other].view.End("the test is over")
	}
	if got := len(h.former); got != maxFormer {
		t.Errorf("%d IDs are remembered, want %d", got, maxFormer)
	}
	for i, known := range map[int]bool{2 * maxFormer: true, maxFormer + 1: true, maxFormer - 1: false} {
		r := h.Call(t.Context(), Call{Version: Version, View: fmt.Sprintf("%s%d", id, i), Hello: hello})
		if (r.Error == UnknownView) != known {
			t.Errorf("former view %d: %+v, want it remembered: %v", i, r, known)
		}
	}
}

// Only the newest poll gets messages, since the view may have given up the others.
func TestTwoPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		older, newer := make(chan Reply, 1), make(chan Reply, 1)
		go func() { older <- h.Call(t.Context(), poll(0, MaxWait)) }()
		synctest.Wait()
		go func() { newer <- h.Call(t.Context(), poll(0, MaxWait)) }()
		synctest.Wait()
		views[id].view.Send("c", []byte(`1`))
		if a, b := <-older, <-newer; a.In != nil || len(b.In) != 1 {
			t.Errorf("older %+v, newer %+v", a, b)
		}
	})
}

// A flood comes in few replies, but the person's own actions are answered at once.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		v := views[id].view
		v.Send("c", []byte(`1`))
		ack := int64(0)
		next := func() (n int, took time.Duration) {
			start := time.Now()
			r := h.Call(t.Context(), poll(ack, MaxWait))
			ack += int64(len(r.In))
			return len(r.In), time.Since(start)
		}
		if n, took := next(); n != 1 || took != 0 {
			t.Errorf("the first: %d messages after %v", n, took)
		}
		v.Send("c", []byte(`2`))
		time.AfterFunc(Pace/2, func() { v.Send("c", []byte(`3`)) })
		if n, took := next(); n != 2 || took != Pace {
			t.Errorf("of a flood: %d messages after %v", n, took)
		}
		h.Call(t.Context(), Call{Version: Version, View: id, First: 1, Out: message(`1`)})
		v.Send("c", []byte(`4`))
		if n, took := next(); n != 1 || took != 0 {
			t.Errorf("after an action: %d messages after %v", n, took)
		}
	})
}

func TestLongMessagesComeInPieces(t *testing.T) {
	h, views := start(t, Options{})
	open(t, h, Call{View: id})
	long := `"` + strings.Repeat("ä€😀", MaxPiece/3) + `"`
	views[id].view.Send("c", []byte(long))
	var got strings.Builder
	var ack int64
	for more := true; more; {
		r := h.Call(t.Context(), poll(ack, time.Minute))
		size := 0
		for _, f := range r.In {
			size += f.len()
			got.WriteString(f.Piece)
			more = f.More
		}
		if size == 0 || size > MaxReply {
			t.Fatalf("a reply has %d bytes of messages: %+v", size, r)
		}
		ack += int64(len(r.In))
	}
	if got.String() != long {
		t.Error("the pieces are not the message")
	}
	// And the other way round, with another channel in between.
	frames := Pieces("c", []byte(long))
	frames = slices.Insert(frames, 1, Frame{Channel: "d", Message: json.RawMessage(`1`)})
	h.Call(t.Context(), Call{Version: Version, View: id, First: 1, Out: frames})
	if diff := cmp.Diff([]string{"d 1", "c " + long}, views[id].messages()); diff != "" {
		t.Errorf("handled messages (-want +got):\n%.300s", diff)
	}
}

// begun returns the first pieces of n messages.
func begun(n int) (frames []Frame) {
	for i := range n {
		frames = append(frames, Frame{Channel: fmt.Sprint(i), Piece: "", More: true})
	}
	return frames
}

// What is wrong with one message ends the view.
func TestFailuresEndTheView(t *testing.T) {
	for name, tt := range map[string]struct {
		first  int64 // number of the first message, 1 unless given
		frames []Frame
		fail   error // of the handler
	}{
		"missing messages": {first: 2, frames: message(`2`)},
		"the handler":      {frames: message(`1`), fail: errors.New("no")},
		"not JSON":         {frames: []Frame{{Channel: "c", Piece: "{", More: true}, {Channel: "c", Piece: "{"}}},
		"an interruption":  {frames: []Frame{{Channel: "c", Piece: "{", More: true}, {Channel: "c", Message: json.RawMessage(`1`)}}},
		"many":             {frames: begun(maxParts + 1)},
		"a long name":      {frames: []Frame{{Channel: strings.Repeat("c", maxChannel+1), Message: json.RawMessage(`1`)}}},
		"too long":         {frames: slices.Repeat([]Frame{{Channel: "c", Piece: strings.Repeat("1", MaxPiece), More: true}}, MaxMessage/MaxPiece+1)},
	} {
		t.Run(name, func(t *testing.T) {
			h, views := start(t, Options{})
			open(t, h, Call{View: id})
			views[id].fail = tt.fail
			r := h.Call(t.Context(), Call{Version: Version, View: id, First: max(tt.first, 1), Out: tt.frames})
			if r.Error != Refused || views[id].closed != 1 || h.Views() != 0 {
				t.Errorf("reply %+v, closed %d times, %d views", r, views[id].closed, h.Views())
			}
			if tt.fail != nil && r.Message != "no" || tt.fail == nil && len(views[id].messages()) > 0 {
				t.Errorf("reply %+v, messages %v", r, views[id].messages())
			}
			if r := h.Call(t.Context(), poll(0, 0)); r.Error != UnknownView {
				t.Errorf("the next call = %+v", r)
			}
		})
	}
}

// A message is handled once although the call was given up and repeated while it was handled.
func TestCallIsRepeatedWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{})
		open(t, h, Call{View: id})
		views[id].before = func() { time.Sleep(10 * time.Second) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := Call{Version: Version, View: id, First: 1, Out: message(`1`)}
		first := make(chan Reply)
		go func() { first <- h.Call(ctx, c) }()
		<-ctx.Done()
		again := h.Call(t.Context(), c)
		<-first
		if diff := cmp.Diff([]string{"c 1"}, views[id].messages()); diff != "" || again.Got != 1 {
			t.Errorf("reply %+v, handled (-want +got):\n%s", again, diff)
		}
	})
}

func TestRefusedHello(t *testing.T) {
	h := NewHub(Options{Open: func(context.Context, *View, json.RawMessage) (Handler, error) { return nil, errors.New("no") }})
	defer h.Close()
	r := h.Call(t.Context(), Call{Version: Version, View: id, Hello: hello, Out: message(`1`), First: 1})
	if r.Error != Refused || h.Views() != 0 {
		t.Errorf("reply %+v, %d views", r, h.Views())
	}
}

// A document that has lost its connection replaces its own view, even while a call of that is in
// progress: the host may have given it up.
func TestReconnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, views := start(t, Options{Key: "key"})
		token := NewToken(h.opts.Key)
		open(t, h, Call{View: id, Token: token})
		polled := make(chan Reply)
		go func() { polled <- h.Call(t.Context(), poll(0, MaxWait)) }()
		synctest.Wait()
		open(t, h, Call{View: id + "2", Token: token, Was: id})
		if r := <-polled; r.Error != UnknownView {
			t.Errorf("the poll = %+v", r)
		}
		// The next one has a token of its own.
		open(t, h, Call{View: id + "3", Token: NewToken(h.opts.Key), Was: id + "2"})
		if views[id].closed != 1 || views[id+"2"].closed != 1 || h.Views() != 1 {
			t.Errorf("closed %d and %d times; there are %d views", views[id].closed, views[id+"2"].closed, h.Views())
		}
	})
}

func FuzzPieces(f *testing.F) {
	f.Add("a", "ä€😀")
	f.Add("", "\x80")
	f.Fuzz(func(t *testing.T, before, part string) {
		if part == "" {
			return
		}
		msg := before + strings.Repeat(part, MaxPiece/len(part)+2)
		var joined strings.Builder
		frames := Pieces("c", []byte(msg))
		for i, f := range frames {
			if last := i == len(frames)-1; f.Piece == "" || len(f.Piece) > MaxPiece || f.More == last {
				t.Fatalf("piece %d of %d: %d bytes, more = %v", i+1, len(frames), len(f.Piece), f.More)
			}
			if utf8.ValidString(msg) && !utf8.ValidString(f.Piece) {
				t.Fatalf("piece %d splits a character", i+1)
			}
			joined.WriteString(f.Piece)
		}
		if joined.String() != msg {
			t.Fatal("the pieces are not the message")
		}
	})
}

// Whatever calls come, in whatever order, messages are valid, views are bounded, and each reply has
// the oldest messages that are not acknowledged.
func FuzzCalls(f *testing.F) {
	f.Add(`{"View":"0123456789abcdef","Hello":{},"First":1,"Out":[{"c":"a","m":1}]}
{"View":"0123456789abcdef","Wait":1}
{"View":"0123456789abcdef","First":1,"Out":[{"c":"a","m":1},{"c":"a","p":"[","more":true},{"c":"b","p":"2"}],"Ack":1}
{"View":"0123456789abcdef","First":4,"Out":[{"c":"a","p":"]"}],"Wait":1}
{"View":"0123456789abcdefg","Hello":null,"Was":"0123456789abcdef"}
{"View":"0123456789abcdefg","Ack":-1,"Wait":-1,"Bye":true}`)
	f.Fuzz(func(t *testing.T, lines string) {
		h := NewHub(Options{Open: func(_ context.Context, v *View, _ json.RawMessage) (Handler, error) { return checker{t, v}, nil }})
		defer h.Close()
		acked := map[string]int64{}
		for line := range strings.Lines(lines) {
			var c Call
			if json.Unmarshal([]byte(line), &c) != nil {
				continue
			}
			c.Version, c.WaitMS = Version, min(c.WaitMS, 1)
			r := h.Call(t.Context(), c)
			if r.Version != Version || h.Views() > MaxViews || (r.Error == "") != (r.Message == "") {
				t.Fatalf("%s = %+v; %d views", line, r, h.Views())
			}
			if r.Error != "" {
				delete(acked, c.View)
				continue
			}
			acked[c.View] = max(acked[c.View], c.Ack)
			if len(r.In) > 0 && r.First > acked[c.View]+1 {
				t.Fatalf("%s: the reply begins with number %d, but %d is acknowledged", line, r.First, acked[c.View])
			}
		}
	})
}

// A checker answers each message with the same, and fails the test if it is no JSON.
type checker struct {
	t *testing.T
	v *View
}

func (c checker) Receive(_ context.Context, channel string, msg []byte) error {
	if !json.Valid(msg) {
		c.t.Errorf("received %q", msg)
	}
	c.v.Send(channel, msg)
	return nil
}

func (checker) Close() {}
