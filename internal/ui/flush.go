package ui

import (
	"time"

	"ui-mcp/internal/ui/wire"
)

// finish ends a transaction, also after a panic. It returns how long files were reloaded, which is
// not the transaction's own work.
func (st *state) finish() (reloaded time.Duration) {
	defer st.flush()
	start := time.Now()
	for st.reload(); st.behind; { // an app of the batch is displayed already
		st.reload()
	}
	return time.Since(start)
}

// flush finds what has changed and sends it to every page.
func (st *state) flush() {
	defer st.changed(st.id)
	defer st.keeps.touch()
	disarm := st.vm.Reading()
	defer disarm() // nothing below runs the app's code; if it did, it would be bounded
	st.tree.Batch(st.seq + 1)
	ops := st.tree.Scan()
	defs := st.tree.NewDefs()
	st.findProblems(len(defs) > 0)
	if ops.Len() > 0 || len(defs) > 0 {
		st.seq++
		st.broadcast(wire.AppendBatch(nil, st.seq, defs, ops))
	}
	st.sendProblems()
	st.greet()
	for _, a := range st.acks {
		if st.clients[a.to] != nil {
			st.deliver(a.to, wire.AppendAck(nil, a.Ack))
		}
	}
	clear(st.acks)
	st.acks = st.acks[:0]
}

// greet sends a snapshot to the clients that are waiting for one.
func (st *state) greet() {
	var snapshot []byte
	for c, known := range st.clients {
		if !known.isNew {
			continue
		}
		if snapshot == nil {
			snapshot = wire.AppendSnapshot(nil, wire.Snapshot{
				Session: st.id, Epoch: st.epoch, Seq: st.seq,
				Defs: st.tree.Defs(), Root: st.tree.Snapshot(), Problems: st.problems.list.Wire(),
			})
		}
		known.isNew = false
		st.deliver(c, snapshot)
		if text := st.counts.noticed(); text != "" {
			st.deliver(c, wire.AppendNotice(nil, text))
		}
	}
}

// broadcast delivers a message to every client that has received its snapshot.
func (st *state) broadcast(msg []byte) {
	for c, known := range st.clients {
		if !known.isNew {
			st.deliver(c, msg)
		}
	}
}

func (st *state) deliver(c Client, msg []byte) {
	if !c.Deliver(msg) {
		st.drop(c)
	}
}
