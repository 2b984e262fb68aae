package terminals

import "slices"

// All returns every operation, in the order of the reference, as the lists have it that each file
// ends with.
func All() []*Operation {
	return slices.Concat(
		serverOps, knownServerOps, tokenOps, archiveOps, sessionOps, streams, inputOps,
		waitOps, screenOps, recordingOps, modeOps, questionOps,
		Overlays.all(), Panels.all(), ops(ApplyElements), keyboardOps,
	)
}

func ops(rows ...interface{ operation() *Operation }) []*Operation {
	list := make([]*Operation, len(rows))
	for i, r := range rows {
		list[i] = r.operation()
	}
	return list
}

func (o *Operation) operation() *Operation { return o }
