package chromium

import "os"

// Flags are what a browser is started with that works for a program: without windows, without a
// network of its own and without what people need, as "name" or "name=value".
func Flags() []string {
	flags := []string{
		"headless=new", "disable-gpu", "no-first-run", "no-default-browser-check",
		"disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps",
		"disable-extensions", "disable-breakpad", "disable-dev-shm-usage", "disable-quic",
		"password-store=basic", "use-mock-keychain",
		// Pages that nobody looks at must run as fast as others.
		"disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding",
	}
	// Chromium refuses to run as root with its sandbox. Without root, the sandbox stays.
	if os.Geteuid() == 0 {
		flags = append(flags, "no-sandbox")
	}
	return flags
}
