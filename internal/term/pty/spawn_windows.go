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

// spawn makes a process on a pseudo-console, whose first thread does not run yet. The
// caller must close both handles.
func spawn(path string, o Options, console windows.Handle) (process, thread windows.Handle, pid int, err error) {
	attributes, err := windows.NewProcThreadAttributeList(1)
	if err != nil {
		return 0, 0, 0, err
	}
	defer attributes.Delete()
	// The value is the handle itself, which is a pointer of the system's.
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
	// No standard handles are better than ours, which it would get when they are no
	// console: it takes those of its console then.
	start.Flags = windows.STARTF_USESTDHANDLES
	var info windows.ProcessInformation
	const flags = windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT | windows.CREATE_SUSPENDED
	if err := windows.CreateProcess(program, line, nil, nil, false, flags, &block[0], dir, &start.StartupInfo, &info); err != nil {
		return 0, 0, 0, err
	}
	return info.Process, info.Thread, int(info.ProcessId), nil
}

// commandLine writes arguments as programs of Windows take them apart again. Not so
// cmd.exe, which knows no backslashes: with /s it takes what stands between the first
// quotation mark and the last one as it is, and that is how its command is written.
func commandLine(path string, args []string) string {
	if name := strings.ToLower(filepath.Base(path)); name == "cmd.exe" || name == "cmd" {
		if i := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(a, "/c") || strings.EqualFold(a, "/k") }); i >= 0 {
			head := append([]string{path}, args[:i]...)
			return windows.ComposeCommandLine(append(head, "/s")) + " " + args[i] + ` "` + strings.Join(args[i+1:], " ") + `"`
		}
	}
	return windows.ComposeCommandLine(append([]string{path}, args...))
}

// environmentBlock writes an environment as the system wants it: in the order of the
// names, whose case means nothing, each with a zero after it and one more at the end. Few
// programs start without SystemRoot, so that is added.
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

// foldName is a name of the environment in the form in which it is compared.
func foldName(name string) string { return strings.ToUpper(name) }
