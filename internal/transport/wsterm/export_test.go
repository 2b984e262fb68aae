package wsterm

// Methods returns all methods in the order of the reference.
func Methods() []*Method { return methods() }
