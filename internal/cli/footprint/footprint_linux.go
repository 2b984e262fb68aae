package footprint

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// drop gives back what is resident of the program's file, and has not been changed. What cannot be
// given back stays.
func drop() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range unchanged(string(smaps), program) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

type mapping struct{ start, end uintptr }

// unchanged returns the mappings of a program's file that nobody can write to, and of which every
// page is as it is in the file. A debugger changes pages, and so does a loader that moves a
// program, before it protects them: such pages would be lost. proc_pid_smaps(5) describes smaps.
func unchanged(smaps, program string) []mapping {
	var list []mapping
	var m mapping
	candidate := false
	for line := range strings.Lines(smaps) {
		line = strings.TrimSuffix(line, "\n")
		fields := strings.Fields(line)
		switch {
		case len(fields) < 2:
		case !strings.HasSuffix(fields[0], ":"): // START-END PERMISSIONS OFFSET DEVICE INODE FILE
			m, candidate = parseRange(fields[0])
			candidate = candidate && strings.HasPrefix(fields[1], "r-") && strings.HasSuffix(line, " "+program)
		case candidate && fields[0] == "Anonymous:" && fields[1] == "0":
			list = append(list, m)
		}
	}
	return list
}

func parseRange(s string) (m mapping, ok bool) {
	start, end, _ := strings.Cut(s, "-")
	from, err := strconv.ParseUint(start, 16, strconv.IntSize)
	if err != nil {
		return m, false
	}
	to, err := strconv.ParseUint(end, 16, strconv.IntSize)
	return mapping{uintptr(from), uintptr(to)}, err == nil && from < to
}
