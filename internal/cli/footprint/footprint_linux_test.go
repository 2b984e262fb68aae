package footprint

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Only what is in the file as it is in memory is given back.
func TestUnchanged(t *testing.T) {
	const smaps = `00400000-00eff000 r-xp 00000000 fe:00 1234                               /opt/my programs/wsh
Size:              11260 kB
Rss:                9328 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00eff000-01d8b000 r--p 00aff000 fe:00 1234                               /opt/my programs/wsh
Rss:                9008 kB
Anonymous:             0 kB
VmFlags: rd mr mw me
01d8b000-01e35000 rw-p 0198b000 fe:00 1234                               /opt/my programs/wsh
Anonymous:             0 kB
01e35000-01e36000 r--p 01a35000 fe:00 1234                               /opt/my programs/wsh
Anonymous:             4 kB
01e36000-03e84000 r--p 00000000 00:00 0 
Anonymous:             0 kB
7f9188700000-7f9188a00000 r--p 00000000 fe:00 99                         /opt/my programs/wsh.old
Anonymous:             0 kB
7ffd1c5e2000-7ffd1c603000 r-xp 00000000 00:00 0                          [vdso]
Anonymous:             0 kB
`
	want := []mapping{{0x400000, 0xeff000}, {0xeff000, 0x1d8b000}}
	if got := unchanged(smaps, "/opt/my programs/wsh"); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// Less of the program's file is resident afterwards, and the program goes on.
func TestDrop(t *testing.T) {
	before := resident(t)
	drop()
	if after := resident(t); after >= before {
		t.Errorf("%d KiB of files are resident, and were %d", after, before)
	}
}

// resident returns how much of files is resident, in KiB.
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(status), "RssFile:")
	if !ok {
		t.Skip("this system does not say how much of files is resident")
	}
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
