package variable

// Objects is the number of objects that have an identity.
func (t *Tree) Objects() int { return len(t.objects) }
