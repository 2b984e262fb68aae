export function GREETING_UI(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Greeting</title>
<style>
	/* Hosts may give us their fonts and colours; each has a default. */
	:root { color-scheme: light dark; }
	body {
		font: 1rem/1.5 var(--font-sans, system-ui, sans-serif);
		color: var(--color-text-primary, light-dark(#1a1a1a, #eee));
		margin: 0;
		padding: 1rem;
	}
	h1 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere; }
</style>
<body>
<h1 id="greeting">Loading…</h1>
<script>
	"use strict";
	const greeting = document.getElementById("greeting");
	const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

	// What the host sends once the handshake is done.
	const notifications = {
		"ui/notifications/tool-input": ({ arguments: input }) => {
			greeting.textContent = "Greeting " + (input?.name ?? "you") + "…";
		},
		// The tool's result. Some hosts drop structuredContent; the text remains.
		"ui/notifications/tool-result": ({ content, structuredContent }) => {
			greeting.textContent = structuredContent?.greeting ?? content?.[0]?.text ?? "Hello!";
		},
		"ui/notifications/tool-cancelled": ({ reason }) => {
			greeting.textContent = "There is no greeting: " + (reason ?? "cancelled");
		},
		"ui/notifications/host-context-changed": adapt,
	};
	// What the host asks for. Both are answered with an empty result.
	const requests = ["ping", "ui/resource-teardown"];

	function adapt({ theme, styles }) {
		if (theme) document.documentElement.style.colorScheme = theme;
		for (const [name, value] of Object.entries(styles?.variables ?? {})) {
			if (value) document.documentElement.style.setProperty(name, value);
		}
	}

	let connected = false;
	window.addEventListener("message", ({ source, data }) => {
		// Other frames can send messages, too.
		if (source !== window.parent || data?.jsonrpc !== "2.0") return;
		if (data.id === 1 && !data.method && !connected) {
			if (data.error) {
				greeting.textContent = data.error.message;
				return;
			}
			connected = true;
			adapt(data.result.hostContext ?? {});
			post({ method: "ui/notifications/initialized", params: {} });
			// From now on the host knows how much room the view takes.
			new ResizeObserver(() => {
				const { width, height } = document.documentElement.getBoundingClientRect();
				post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
			}).observe(document.documentElement);
		} else if (connected && requests.includes(data.method)) {
			post({ id: data.id, result: {} });
		} else if (connected) {
			notifications[data.method]?.(data.params ?? {});
		}
	});

	// The host answers nothing before it has all three.
	post({
		id: 1,
		method: "ui/initialize",
		params: {
			appInfo: { name: "greeting", version: "1.0.0" },
			appCapabilities: {},
			protocolVersion: "2026-01-26",
		},
	});
</script>
`;
}
