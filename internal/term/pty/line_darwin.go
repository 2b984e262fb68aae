package pty

// MaxLine is the longest line that a terminal in canonical mode hands over whole, in bytes with its
// end: MAX_CANON of limits.h is 1024, and a longer line is refused with a bell.
const MaxLine = 1023
