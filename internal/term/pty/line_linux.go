package pty

// MaxLine is the longest line that a terminal in canonical mode hands over whole, in bytes with its
// end; the rest is dropped. See N_TTY_BUF_SIZE in the kernel's drivers/tty/n_tty.c.
const MaxLine = 4095
