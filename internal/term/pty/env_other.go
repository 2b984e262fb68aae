//go:build !windows

package pty

// foldName returns the form in which names of variables are compared.
func foldName(name string) string { return name }
