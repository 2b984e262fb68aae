package wsterm

// Methods returns all methods in the order of the reference.
func Methods() []*Method { return methods() }

// OfSession reports whether the sockets of sessions offer the method, too.
func (m *Method) OfSession() bool { return m.session }
