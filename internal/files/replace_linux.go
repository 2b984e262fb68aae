package files

import "golang.org/x/sys/unix"

const exchangeFlag, newFlag = unix.RENAME_EXCHANGE, unix.RENAME_NOREPLACE

func renameWith(dir int, from, to string, flag uint) error {
	return unix.Renameat2(dir, from, dir, to, flag)
}
