package files

// KeepInherited does nothing: programs inherit only the handles that they are given.
func KeepInherited() {}
