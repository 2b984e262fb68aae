package terminals

import "slices"

// All returns every operation, in the order of the reference.
func All() []*Operation {
	return slices.Concat(
		serverOps, knownServerOps, tokenOps, archiveOps, sessionOps, streams, inputOps,
		waitOps, screenOps, recordingOps, modeOps, questionOps,
		Overlays.all(), Panels.all(), []*Operation{&ApplyElements.Operation},
		keyboardOps,
	)
}
