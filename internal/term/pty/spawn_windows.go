package pty

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// spawn creates a suspended process on a pseudo-console. The caller must close both handles.
func spawn(path string, o Options, console windows.Handle) (process, thread windows.Handle, pid int, err error) {
	attributes, err := windows.NewProcThreadAttributeList(1)
	if err != nil {
		return 0, 0, 0, err
	}
	defer attributes.Delete()
	// The value is the handle itself, which is a pointer for the system.
	value := *(*unsafe.Pointer)(unsafe.Pointer(&console))
	if err := attributes.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, value, unsafe.Sizeof(console)); err != nil {
		return 0, 0, 0, err
	}
	var dir *uint16
	if o.Dir != "" {
		if dir, err = windows.UTF16PtrFromString(o.Dir); err != nil {
			return 0, 0, 0, err
		}
	}
	program, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, 0, 0, err
	}
	line, err := windows.UTF16PtrFromString(commandLine(path, o.Args))
	if err != nil {
		return 0, 0, 0, err
	}
	env := o.Env
	if env == nil {
		env = os.Environ()
	}
	block := environmentBlock(env)
	start := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	start.Cb = uint32(unsafe.Sizeof(start))
	// Without standard handles the program uses the handles of its console. Otherwise it would
	// inherit ours if they are not a console.
	start.Flags = windows.STARTF_USESTDHANDLES
	var info windows.ProcessInformation
	const flags = windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT | windows.CREATE_SUSPENDED
	if err := windows.CreateProcess(program, line, nil, nil, false, flags, &block[0], dir, &start.StartupInfo, &info); err != nil {
		return 0, 0, 0, err
	}
	return info.Process, info.Thread, int(info.ProcessId), nil
}

// commandLine joins arguments in the way that Windows programs split them. cmd.exe is different: it
// does not know backslashes, but with /s it takes everything between the first and the last
// quotation mark literally, so its command is written that way.
func commandLine(path string, args []string) string {
	if name := strings.ToLower(filepath.Base(path)); name == "cmd.exe" || name == "cmd" {
		if i := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(a, "/c") || strings.EqualFold(a, "/k") }); i >= 0 {
			head := append([]string{path}, args[:i]...)
			return windows.ComposeCommandLine(append(head, "/s")) + " " + args[i] + ` "` + strings.Join(args[i+1:], " ") + `"`
		}
	}
	return windows.ComposeCommandLine(append([]string{path}, args...))
}

// environmentBlock encodes an environment for the system: sorted by name without regard to case,
// each entry followed by a zero, with another zero at the end. It adds SystemRoot, without which
// few programs start.
func environmentBlock(env []string) []uint16 {
	const root = "SystemRoot"
	name := func(entry string) string {
		name, _, _ := strings.Cut(entry, "=")
		return foldName(name)
	}
	env = slices.Clone(env)
	if !slices.ContainsFunc(env, func(e string) bool { return name(e) == foldName(root) }) {
		env = append(env, root+"="+os.Getenv(root))
	}
	slices.SortStableFunc(env, func(a, b string) int { return cmp.Compare(name(a), name(b)) })
	var block []uint16
	for _, entry := range env {
		block = append(append(block, utf16.Encode([]rune(entry))...), 0)
	}
	return append(block, 0)
}

// foldName returns the form in which names of variables are compared.
func foldName(name string) string { return strings.ToUpper(name) }
