package doctor

// makeable cannot tell: who may make a folder there is a matter of lists.
func makeable(string) error { return nil }
