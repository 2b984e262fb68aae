package pty

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/fault"
)

// A job contains a program and all processes it starts. Closing its handle ends those that are
// left.
type job windows.Handle

func newJob() (job, error) {
	h, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fault.Wrap(fault.Internal, err, "make a job object")
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(h, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		windows.CloseHandle(h)
		return 0, fault.Wrap(fault.Internal, err, "make a job object")
	}
	return job(h), nil
}

func (j job) add(process windows.Handle) error {
	return windows.AssignProcessToJobObject(windows.Handle(j), process)
}

func (j job) close() error { return windows.CloseHandle(windows.Handle(j)) }

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	pageFaults, processes, active, terminated              uint32
}

// active returns the number of running processes.
func (j job) active() (int, error) {
	var a accounting
	err := windows.QueryInformationJobObject(windows.Handle(j), windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return int(a.active), err
}

// kill ends all processes of the job, and returns when none are left.
func (j job) kill() error {
	if err := windows.TerminateJobObject(windows.Handle(j), 1); err != nil {
		return fault.Wrap(fault.Internal, err, "end the program")
	}
	begin := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		n, err := j.active()
		switch {
		case err != nil:
			return fault.Wrap(fault.Internal, err, "count the program's processes")
		case n == 0:
			return nil
		case time.Since(begin) > killTime:
			return fault.New(fault.Internal, "%d processes have not ended %v after they were killed: they are blocked in the kernel, or the machine is very busy", n, killTime)
		}
		time.Sleep(pause)
	}
}
