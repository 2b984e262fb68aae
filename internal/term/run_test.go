package term_test

const (
	markA = "\x1b]133;A\a"
	markB = "\x1b]133;B\a"
	markC = "\x1b]133;C\a"
)

func markD(code string) string { return "\x1b]133;D;" + code + "\a" }
