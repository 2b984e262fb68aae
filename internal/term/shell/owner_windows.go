package shell

// checkOwner does nothing: no shell that is known here runs on Windows.
func checkOwner(string) error { return nil }
