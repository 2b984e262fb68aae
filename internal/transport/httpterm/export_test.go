package httpterm

// CodeOf is codeOf, for tests from outside.
var CodeOf = codeOf
