package fleet

import (
	"maps"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/wake"
)

// asking is what one host asks, in one of the ways to it. Only its goroutine touches the fields
// that have no guard.
type asking struct {
	*questions
	host      *host
	identity  string // of the host
	revision  string
	polled    time.Time     // when the host was asked last
	throttled bool          // it has asked more than it may
	name      string        // of the host when it was asked last
	again     chan struct{} // capacity 1; a token asks for the whole list

	// Guarded by questions.mu.
	open   map[instance]*posed
	link   Link   // over which the host has said what it asks; nil: that may be different now
	server string // the process that has said so
}

// A key is a question as it was displayed: the same ID with another text is another question.
type key struct{ id, digest string }

// An instance is a question as it was asked once.
type instance struct {
	key
	asked string
}

// What becomes of an instance that a host lists, which is in asking.open:
//
//   - Nobody has replied: the person sees it, or will when they come. It ends when the host does
//     not list it any more, when the host is called something else, and when it is followed in
//     another way. Then nobody can reply any more.
//   - The person has replied, the reply is on its way, or kept, or has arrived, or the question is
//     invalid: it is not displayed as long as it is listed.
//
// It leaves open when the host does not list it any more, and when a reply has failed or was
// refused. What is
// listed and not in open is displayed, unless there is a reply to it in the outbox.

// enter makes the asking known, and leave withdraws what it asks.
func (a *asking) enter() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asking[a.identity] = a
}

func (a *asking) leave() {
	a.mu.Lock()
	if a.asking[a.identity] == a {
		delete(a.asking, a.identity)
	}
	a.mu.Unlock()
	a.end()
}

// wake asks for the whole list.
func (q *questions) wake(a *asking) {
	if a == nil {
		return
	}
	wake.Up(a.again)
}

// lost says that it is not known what the host asks.
func (a *asking) lost() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.link = nil
}

// end withdraws what nobody has replied to.
func (a *asking) end() {
	a.drop(func(o *posed) bool { return !o.replied })
	a.revision = ""
}

// callIt applies the name of the host: what was displayed with another one is withdrawn, and comes
// again.
func (a *asking) callIt(s state) {
	if a.name != s.name {
		a.end()
	}
	a.name = s.name
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.link != s.link {
		a.link = nil
		a.revision = "" // another program may have the same one
	}
}

// drop withdraws questions.
func (a *asking) drop(is func(o *posed) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.open, func(_ instance, o *posed) bool {
		if is(o) {
			o.cancel()
			return true
		}
		return false
	})
}

// listed takes note of what the host asks.
func (a *asking) listed(link Link, server string, list map[instance]terminals.OpenQuestion) {
	a.drop(func(o *posed) bool {
		_, ok := list[o.instance]
		return !ok
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.link, a.server = link, server
}

// has reports whether nothing is to be done for an instance.
func (a *asking) has(i instance) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open[i] != nil
}

// ignore says that an instance is not to be displayed.
func (a *asking) ignore(i instance) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open[i] == nil {
		a.open[i] = &posed{asking: a, instance: i, replied: true, cancel: func() {}}
	}
}

// reopen says that an instance is to be displayed again, since the reply was refused.
func (a *asking) reopen(i instance) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if o := a.open[i]; o != nil && o.replied {
		delete(a.open, i)
	}
}

// take says that the person has replied to a question. ok is false if the question is not asked any
// more. link is over which the process of the host has said that it asks it, or nil if it may not
// any more.
func (o *posed) take() (link Link, server string, ok bool) {
	a := o.asking
	now := a.look(a.host).link
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open[o.instance] != o || o.replied {
		return nil, "", false
	}
	o.replied = true
	if a.link == now {
		link = now
	}
	return link, a.server, true
}

// fail says that a question has ended here without an outcome: if it is asked still, it is
// displayed again.
func (o *posed) fail() {
	a := o.asking
	a.mu.Lock()
	failed := a.open[o.instance] == o
	if failed {
		delete(a.open, o.instance)
	}
	a.mu.Unlock()
	if failed {
		a.wake(a)
	}
}
