package ui

// ViewsGeneration changes whenever the engine has read view definitions.
func ViewsGeneration(e *Engine) uint64 { return e.views.store.Snapshot().Generation() }
