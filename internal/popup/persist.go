package popup

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/question"
)

// recordFormat is the newest format of records that this program reads, and the one that it writes.
// Raise it when an older program would take a record for something else.
const recordFormat = 1

// A record is an entry in the store.
type record struct {
	Format int `json:"format,omitempty"` // 0.1.0 wrote none
	Asked
	Answer *question.Answer `json:"answer,omitempty"` // without a secret
}

// storeAgain is how long after a failure the store is tried again: by then, a full disk may have
// room.
const storeAgain = time.Second

// save writes the current state of an entry to the store. If the store fails, answers are delivered
// all the same, and the store is tried again until it succeeds: what it has of an answered question
// would make the next broker ask the person again. Questions for another server are stored by that
// server, and those whose asker ends with this process are not stored.
func (b *Broker) save(e *entry) {
	if b.opts.Store == nil || e.peer != nil || e.private {
		return
	}
	b.disk.Lock()
	defer b.disk.Unlock()
	b.mu.Lock()
	now, known := b.entries[e.ID]
	if known && now != e { // it was asked again, which is what the store has
		if b.unsaved[e.ID] == e {
			delete(b.unsaved, e.ID)
		}
		b.mu.Unlock()
		return
	}
	r := record{Format: recordFormat, Asked: e.Asked}
	if e.over {
		redacted := e.answer.Redacted()
		r.Answer = &redacted
	}
	b.mu.Unlock()

	var err error
	if known {
		var content []byte
		if content, err = json.Marshal(r); err == nil {
			err = b.opts.Store.Put(e.ID, content)
		}
	} else {
		err = b.opts.Store.Delete(e.ID)
	}
	b.mu.Lock()
	_, again := b.unsaved[e.ID]
	if err == nil {
		delete(b.unsaved, e.ID)
	} else {
		b.unsaved[e.ID] = e
		if b.saving == nil && !b.closed {
			b.saving = time.AfterFunc(storeAgain, b.saveAgain)
		}
	}
	b.mu.Unlock()
	if err != nil && !again {
		b.opts.Log.Error("a question was not stored: it would not survive the end of this process; the store is tried again", "question", e.ID, "error", err)
	}
}

// saveAgain saves what the store has failed to save, unless the broker is closed.
func (b *Broker) saveAgain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saving = nil
	if !b.closed && len(b.unsaved) > 0 {
		b.work.Go(b.saveUnsaved)
	}
}

// saveUnsaved saves what the store has failed to save.
func (b *Broker) saveUnsaved() {
	b.mu.Lock()
	all := slices.Collect(maps.Values(b.unsaved))
	b.mu.Unlock()
	for _, e := range all {
		b.save(e)
	}
}

// restore resumes the questions in the store. It is called once, before others use the
// broker.
func (b *Broker) restore() error {
	if b.opts.Store == nil {
		return nil
	}
	all, err := b.opts.Store.All()
	if all == nil && err != nil {
		return err
	}
	if err != nil {
		b.opts.Log.Warn("not all questions of earlier runs could be read", "error", err)
	}
	var kept []*entry
	for name, content := range all {
		if err := files.CheckFormat(content, recordFormat); err != nil {
			b.opts.Log.Warn("a stored question is left alone", "name", name, "error", err)
			continue
		}
		var r record
		if err := json.Unmarshal(content, &r); err != nil || r.ID != name || r.Deadline.IsZero() {
			b.opts.Log.Warn("ignoring an invalid stored question", "name", name, "error", err)
			continue
		}
		r.Asker = cmp.Or(r.Asker, Program)
		e := newEntry(r.Asked)
		e.waits, e.claimed, e.over, e.answer = true, r.Answer != nil, r.Answer != nil, r.Answer
		kept = append(kept, e)
	}
	slices.SortFunc(kept, func(x, y *entry) int { return x.age().Compare(y.age()) })
	for _, e := range kept {
		if e.over {
			b.recall(e)
		} else if err := b.enqueue(e); err != nil {
			return err
		}
	}
	return nil
}

// age is the time by which entries of a queue are ordered: when they ended, or else when they were
// asked.
func (e *entry) age() time.Time {
	if e.over {
		return e.answer.At
	}
	return e.At
}

// recall puts a past entry into the history.
func (b *Broker) recall(e *entry) {
	e.settle()
	b.mu.Lock()
	b.entries[e.ID] = e
	forgotten := b.rememberLocked(e)
	b.mu.Unlock()
	if forgotten != nil {
		b.save(forgotten)
	}
}
