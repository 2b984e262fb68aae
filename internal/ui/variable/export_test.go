package variable

// Objects is the number of objects that have an identity.
func (t *Tree) Objects() int { return len(t.objects) }

// Len is the number of live variables.
func (t *Tree) Len() int {
	n := 1
	for _, in := range t.instances {
		n += len(in.vars)
	}
	return n
}

// Unchecked is the number of templates with names that are yet to be checked.
func (t *Tree) Unchecked() int { return len(t.unnamed) }

// FileOf is fileOf, and Squeezed squeezed, for tests.
var (
	FileOf   = fileOf
	Squeezed = squeezed
)
