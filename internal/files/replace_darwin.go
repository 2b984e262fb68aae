package files

import "golang.org/x/sys/unix"

const exchangeFlag, newFlag = unix.RENAME_SWAP, unix.RENAME_EXCL

func renameWith(dir int, from, to string, flag uint) error {
	return unix.RenameatxNp(dir, from, dir, to, uint32(flag))
}
