package popup

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"ui-mcp/internal/files"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/wake"
)

// recordFormat is the newest format of records that this program reads, and the one that it writes.
// Raise it when an older program would take a record for something else.
const recordFormat = 1

// A record is an entry in the store.
type record struct {
	Format int `json:"format,omitempty"` // 0.1.0 wrote none
	Asked
	Abroad bool             `json:"abroad,omitempty"` // another program had its workspace
	Answer *question.Answer `json:"answer,omitempty"` // without a secret
}

// storeAgain is how long after a failure the store is tried again: by then, a full disk may have
// room.
const storeAgain = time.Second

// save writes the current state of a question to the store, or deletes one that is forgotten. If
// the store fails, answers are delivered all the same, and it is tried again and again, for the
// last time when the broker closes: what it has of an answered question would make the next broker
// ask the person again. Questions whose asker ends with this process or its own connection are not
// stored.
func (b *Broker) save(id string, again bool) {
	if b.opts.Store == nil {
		return
	}
	b.disk.Lock()
	defer b.disk.Unlock()
	b.mu.Lock()
	e := b.state.Entries[id]
	if e != nil && (e.Private || e.Question.IfPresent) {
		b.mu.Unlock()
		return
	}
	r := record{Format: recordFormat}
	if e != nil {
		r.Asked, r.Abroad = e.Asked, e.Abroad
		if e.Answer != nil {
			redacted := e.Answer.Redacted()
			r.Answer = &redacted
		}
	}
	b.mu.Unlock()

	var err error
	if e != nil {
		var content []byte
		if content, err = json.Marshal(r); err == nil {
			err = b.opts.Store.Put(id, content)
		}
	} else {
		err = b.opts.Store.Delete(id)
	}
	if err != nil && !again {
		b.opts.Log.Error("a question was not stored: it would not survive the end of this process; the store is tried again", "question", id, "error", err)
	}
	if err != nil && (!again || b.stopped.Err() == nil) {
		b.work.Go(func() {
			_ = wake.After(b.stopped, storeAgain) // or at once
			b.save(id, true)
		})
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
	var kept []record
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
		r.Asker = cmp.Or(r.Asker, question.ByProgram)
		kept = append(kept, r)
	}
	slices.SortFunc(kept, func(x, y record) int { return x.age().Compare(y.age()) })
	for _, r := range kept {
		k := newAsker(r.ID, AskOptions{})
		if r.Answer != nil {
			k.answer = *r.Answer
			k.settle()
		}
		if err := b.apply(core.Asked{Asked: r.Asked, Abroad: r.Abroad && b.isAbroad(r.Workspace), Stored: true, Answer: r.Answer}, k); err != nil {
			return err
		}
	}
	return nil
}

// age is the time by which questions of earlier runs are ordered: when they ended, or else when
// they were asked.
func (r record) age() time.Time {
	if r.Answer != nil {
		return r.Answer.At
	}
	return r.At
}
