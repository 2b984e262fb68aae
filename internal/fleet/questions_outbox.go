package fleet

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/regular"
)

const (
	// outboxFormat is the newest format of the file that this program reads, and the one that it
	// writes.
	outboxFormat = 1
	// maxReplies is how many replies are kept.
	maxReplies = 200
)

// A keptReply is what the person has replied to a question of a host, until the question would have
// ended. A host that is away gets it later, and so does one that was restarted and asks the same
// again.
type keptReply struct {
	Host     string         `json:"host"` // its identity
	Name     string         `json:"name"`
	Server   string         `json:"server"` // the process that it was for, or has it
	ID       string         `json:"id"`
	Digest   string         `json:"digest"`
	Title    string         `json:"title"`
	Delivery string         `json:"delivery"`
	Reply    question.Reply `json:"reply"`
	Until    time.Time      `json:"until"`

	private bool // it is not kept once it was sent

	// The fields below, and Server, are guarded by outbox.mu.
	sending   bool // by the goroutine that has added it
	delivered bool // the process has it
}

type outboxDocument struct {
	Format  int          `json:"format"`
	Replies []*keptReply `json:"replies"`
}

// An outbox keeps replies. Its methods may be called from anywhere.
type outbox struct {
	path    string
	log     *slog.Logger
	expired func(k *keptReply, why string)

	mu      sync.Mutex   // guards the fields below; held while the file is written, so that the newest list wins
	replies []*keptReply // the oldest first
	timer   *time.Timer  // unless nil, one of them ends then
	closed  bool
	unread  bool // the file must stay as it is
}

// openOutbox returns the replies in a file. expired is called for a reply that was not delivered
// before its question would have ended.
func openOutbox(path string, log *slog.Logger, expired func(k *keptReply, why string)) *outbox {
	o := &outbox{path: path, log: log, expired: expired}
	if path == "" {
		return o
	}
	content, err := regular.ReadFile(path, files.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return o
	}
	var d outboxDocument
	if err == nil {
		err = files.CheckFormat(content, outboxFormat)
	}
	if err == nil {
		err = json.Unmarshal(content, &d)
	}
	if err != nil {
		log.Error("replies to questions of other servers are not delivered, and none are kept", "file", path, "error", err)
		o.unread = true
		return o
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.replies = slices.DeleteFunc(d.Replies, func(k *keptReply) bool { return k == nil })
	o.scheduleLocked()
	return o
}

// close stops what the outbox does by itself.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	if o.timer != nil {
		o.timer.Stop()
	}
}

// add keeps a reply. What is in the way is forgotten, the oldest that was delivered first.
func (o *outbox) add(k *keptReply) {
	var lost *keptReply
	o.mu.Lock()
	if len(o.replies) >= maxReplies {
		i := max(0, slices.IndexFunc(o.replies, func(k *keptReply) bool { return k.delivered }))
		if !o.replies[i].delivered {
			lost = o.replies[i]
		}
		o.replies = slices.Delete(o.replies, i, i+1)
	}
	o.replies = append(o.replies, k)
	o.changedLocked()
	o.mu.Unlock()
	if lost != nil {
		o.expired(lost, "It was not kept: too many answers wait for servers that are away.")
	}
}

// keep says that a reply was not delivered yet.
func (o *outbox) keep(k *keptReply) {
	o.mu.Lock()
	defer o.mu.Unlock()
	k.sending = false
	o.scheduleLocked()
}

// arrived says that a process has a reply. Another one may ask the same.
func (o *outbox) arrived(k *keptReply, server string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	k.Server, k.delivered, k.sending = server, true, false
	if k.private || k.Reply.Action == question.Dismiss {
		o.removeLocked(k)
	}
	o.changedLocked()
}

// drop forgets a reply, and reports whether no process has it.
func (o *outbox) drop(k *keptReply) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.removeLocked(k)
	o.changedLocked()
	return !k.delivered
}

func (o *outbox) removeLocked(k *keptReply) {
	o.replies = slices.DeleteFunc(o.replies, func(x *keptReply) bool { return x == k })
}

// waiting returns the replies to send to a process of a host: those to what it asks, and those to
// what it has asked before, to learn what became of them.
func (o *outbox) waiting(host, server string, asks func(key) bool) (list []*keptReply) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.replies {
		if k.isMissing(host, server) && !k.sending && (k.Server == server || asks(k.key())) {
			list = append(list, k)
		}
	}
	return list
}

// replied reports whether there is a reply to what a process of a host asks, which it may not have.
func (o *outbox) replied(host, server string, to key) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.replies, func(k *keptReply) bool { return k.isMissing(host, server) && k.key() == to })
}

// isMissing reports whether a reply is for a host, and one of its processes may not have it. The
// caller holds outbox.mu.
func (k *keptReply) isMissing(host, server string) bool {
	return k.Host == host && !(k.delivered && k.Server == server)
}

func (k *keptReply) key() key { return key{k.ID, k.Digest} }

// changedLocked keeps the list, and sets the timer.
func (o *outbox) changedLocked() {
	o.scheduleLocked()
	if o.path == "" || o.unread {
		return
	}
	d := outboxDocument{outboxFormat, []*keptReply{}}
	for _, k := range o.replies {
		if !k.private && !k.delivered {
			d.Replies = append(d.Replies, k)
		}
	}
	if err := o.write(d); err != nil {
		o.log.Error("a reply to a question of another server is not kept: it would not survive the end of this process", "error", err)
	}
}

// write writes the file. Without replies, there is none.
func (o *outbox) write(d outboxDocument) error {
	if len(d.Replies) == 0 {
		if err := os.Remove(o.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	content, err := json.Marshal(d)
	if err != nil {
		return fault.Wrap(fault.Internal, err, "keep replies")
	}
	if err := os.MkdirAll(filepath.Dir(o.path), 0o700); err != nil {
		return err
	}
	_, err = files.WriteSynced(o.path, content, 0o600)
	return err
}

// scheduleLocked sets the timer for the reply that ends first.
func (o *outbox) scheduleLocked() {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
	if o.closed {
		return
	}
	var first *keptReply
	for _, k := range o.replies {
		if !k.sending && (first == nil || k.Until.Before(first.Until)) {
			first = k
		}
	}
	if first == nil {
		return
	}
	o.timer = time.AfterFunc(time.Until(first.Until), o.expire)
}

// expire forgets the replies to questions that would have ended by now.
func (o *outbox) expire() {
	o.mu.Lock()
	now := time.Now()
	var late []*keptReply
	o.replies = slices.DeleteFunc(o.replies, func(k *keptReply) bool {
		over := !o.closed && !k.sending && !k.Until.After(now)
		if over && !k.delivered {
			late = append(late, k)
		}
		return over
	})
	o.changedLocked()
	o.mu.Unlock()
	for _, k := range late {
		o.expired(k, "It is not known whether the answer arrived: "+k.Name+" has not taken it before the question ended.")
	}
}
