// The page of the test host: an MCP client whose chat shows views of MCP Apps. Its parts are those
// that hosts on the web use: the client of the official SDK, and AppBridge of the extension's own
// package. Go drives it through window.host; everything that it knows is in window.host.calls and
// window.host.views.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
	AppBridge,
	PostMessageTransport,
	RESOURCE_MIME_TYPE,
	getToolUiResourceUri,
	isToolVisibilityAppOnly,
	isToolVisibilityModelOnly,
} from "@modelcontextprotocol/ext-apps/app-bridge";

const extension = "io.modelcontextprotocol/ui";
const newest = "2026-07-28";

// A Bridge is the standard streams of a server's process, which the test carries over HTTP.
class Bridge {
	#events;
	#sending = Promise.resolve();

	start() {
		this.#events = new EventSource("/stdio");
		this.#events.onmessage = (event) => this.onmessage?.(JSON.parse(event.data));
		this.#events.addEventListener("end", () => this.close());
		return new Promise((resolve) => (this.#events.onopen = resolve));
	}

	// Messages arrive in the order in which they were sent.
	send(message) {
		const body = JSON.stringify(message);
		const sent = this.#sending.then(() => fetch("/stdio", { method: "POST", body }));
		this.#sending = sent.catch(() => {});
		return sent.then((answer) => {
			if (!answer.ok) throw new Error(`the server takes no messages: ${answer.status}`);
		});
	}

	async close() {
		this.#events.close();
		this.onclose?.();
	}
}

// A browser opens at most six connections to each host name, and 256 in all. Other hosts have no
// such limits, so requests take turns with some names.
const names = 30;
const beforeReading = 100; // milliseconds that a call is under way before its view is read
let requests = 0;
const overNames = (url, init) => fetch(String(url).replace("//mcp.", `//mcp${requests++ % names}.`), init);

class Host {
	calls = []; // of tools, as a model makes them
	views = [];
	#options;
	#client;
	#tools = new Map(); // by name
	#context;

	async connect(options) {
		this.#options = options;
		this.#context = {
			theme: "light",
			styles: { variables: {} },
			displayMode: "inline",
			availableDisplayModes: ["inline", "fullscreen"],
			containerDimensions: { width: options.width, maxHeight: options.maxHeight },
			locale: "en-GB",
			timeZone: "Europe/Berlin",
			userAgent: "apphost/1",
			platform: "web",
			deviceCapabilities: { touch: false, hover: true },
			safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
			...options.context,
		};
		this.#paint();
		const extensions = options.undeclared ? {} : { [extension]: { mimeTypes: [RESOURCE_MIME_TYPE] } };
		this.#client = new Client(
			{ name: options.name, version: "1" },
			{
				capabilities: { extensions },
				versionNegotiation: { mode: options.modern ? { pin: newest } : "legacy" },
			},
		);
		this.#client.onerror = (err) => console.warn("MCP:", err);
		const transport = options.url
			? new StreamableHTTPClientTransport(new URL(options.url), { fetch: overNames })
			: new Bridge();
		await this.#client.connect(transport);
		const { tools } = await this.#client.listTools();
		for (const tool of tools) this.#tools.set(tool.name, tool);
	}

	// version is the revision of the protocol that the client and the server have agreed on.
	version() {
		return this.#client.getNegotiatedProtocolVersion();
	}

	// modelTools names the tools that the model sees. A host that does not know the extension does
	// not know either that some are not for it.
	modelTools() {
		const all = Array.from(this.#tools.values());
		return all.filter((tool) => this.#options.undeclared || !isToolVisibilityAppOnly(tool)).map((tool) => tool.name);
	}

	tool(name) {
		return this.#tools.get(name);
	}

	// readResource reads a resource of the server.
	readResource(uri) {
		return this.#client.readResource({ uri });
	}

	// call calls a tool as the model does, without awaiting the result. It returns the call's index.
	call(name, args) {
		const call = { id: this.calls.length, name, args, view: null, result: null, error: "", begun: Date.now() };
		this.calls.push(call);
		const chat = document.getElementById("chat");
		const line = chat.appendChild(document.createElement("p"));
		line.className = "call";
		line.textContent = name;
		const uri = this.#options.noRender ? undefined : getToolUiResourceUri(this.#tools.get(name) ?? {});
		const pause = this.#options.readEarly ? 0 : beforeReading;
		if (uri) call.view = this.#mount(call, uri, pause).id;
		const text = chat.appendChild(document.createElement("p"));
		text.className = "result";
		this.#client.callTool({ name, arguments: args }, { timeout: 600_000 }).then(
			(result) => {
				call.result = result;
				text.textContent = (result.content ?? []).map((part) => part.text ?? "").join("\n");
				for (const view of this.#viewsOf(call)) view.deliver();
			},
			(err) => {
				call.error = String(err);
				for (const view of this.#viewsOf(call)) view.deliver();
			},
		);
		return call.id;
	}

	#viewsOf(call) {
		return this.views.filter((view) => view.call === call);
	}

	// remount displays the view of a call once more, as a host does after it has loaded a
	// conversation again. It returns the new view's index.
	remount(id) {
		const { call, uri } = this.views[id];
		return this.#mount(call, uri).id;
	}

	#mount(call, uri, pause = 0) {
		const view = new View(this.views.length, call, uri, this, this.#client, this.#options, this.#tools, this.#context);
		this.views.push(view);
		document.getElementById("chat").append(view.frame);
		view.start(pause).catch((err) => view.fail(err));
		return view;
	}

	// change changes parts of the context of all views.
	change(context) {
		this.#context = { ...this.#context, ...context };
		this.#paint();
		for (const view of this.views) view.change(context);
	}

	#paint() {
		document.documentElement.style.colorScheme = this.#context.theme;
	}
}

// A View is a frame in the chat.
class View {
	state = "loading"; // then "ready", "closed" or "failed"
	error = "";
	size = null; // as the view has last reported it
	messages = []; // ui/message
	contexts = []; // ui/update-model-context
	links = []; // ui/open-link
	files = []; // ui/download-file
	logs = []; // notifications/message
	requests = []; // tools/call of the view: the name, the arguments, how it ended
	waiting = []; // requests that wait for a person's approval: functions that answer them
	#bridge;
	#context;
	#delivered = false;
	#given = false; // the tool's input
	#host;
	#client;
	#options;
	#tools;

	constructor(id, call, uri, host, client, options, tools, context) {
		Object.assign(this, { id, call, uri });
		this.#host = host;
		this.#client = client;
		this.#options = options;
		this.#tools = tools;
		this.#context = { ...context, toolInfo: { tool: tools.get(call.name) } };
		this.frame = document.createElement("iframe");
		this.frame.id = `view-${id}`;
		this.frame.src = `${options.sandbox}?view=${id}.`;
		this.frame.sandbox = "allow-scripts allow-same-origin allow-forms";
		this.frame.style.width = `${context.containerDimensions.width}px`;
	}

	// start loads the view, whose document it reads after a pause in milliseconds.
	async start(pause) {
		const options = this.#options;
		const read = pause > 0
			? new Promise((resolve) => setTimeout(resolve, pause)).then(() => this.#host.readResource(this.uri))
			: this.#host.readResource(this.uri);
		const bridge = new AppBridge(
			this.#client,
			{ name: options.name, version: "1" },
			{
				...(options.refuseLinks ? {} : { openLinks: {}, downloadFile: {} }),
				...(options.noServerTools ? {} : { serverTools: {} }),
				serverResources: {},
				logging: {},
				message: { text: {} },
				updateModelContext: { text: {}, structuredContent: {} },
				sandbox: { csp: {} },
			},
			{ hostContext: this.#context },
		);
		this.#bridge = bridge;
		const proxy = new Promise((resolve) => bridge.addEventListener("sandboxready", resolve));
		bridge.addEventListener("initialized", () => {
			this.state = "ready";
			this.deliver();
		});
		bridge.addEventListener("sizechange", (size) => this.#resize(size));
		bridge.addEventListener("loggingmessage", (message) => this.logs.push(message));
		bridge.addEventListener("requestteardown", () => this.close());
		bridge.onmessage = async (message) => {
			this.messages.push(message);
			return {};
		};
		bridge.onupdatemodelcontext = async (context) => {
			this.contexts.push(context);
			return {};
		};
		bridge.onopenlink = async ({ url }) => {
			if (options.refuseLinks) return { isError: true };
			this.links.push(url);
			return {};
		};
		bridge.ondownloadfile = async ({ contents }) => {
			this.files.push(...contents);
			return {};
		};
		bridge.onrequestdisplaymode = async ({ mode }) => {
			const granted = this.#context.availableDisplayModes.includes(mode) ? mode : this.#context.displayMode;
			const resize = () => this.frame.classList.toggle("fullscreen", granted === "fullscreen");
			if (options.lateSize) setTimeout(resize, 300);
			else resize();
			this.change({ displayMode: granted });
			return { mode: granted };
		};
		await bridge.connect(this.#transport());
		bridge.removeRequestHandler("resources/read");
		bridge.onreadresource = ({ uri }) => this.#host.readResource(uri);
		const forward = bridge.oncalltool;
		bridge.removeRequestHandler("tools/call");
		bridge.oncalltool = (params, extra) => this.#request(options.noServerTools ? undefined : forward, params, extra);

		const { contents } = await read;
		const [content] = contents;
		if (contents.length !== 1 || content.uri !== this.uri || content.mimeType !== RESOURCE_MIME_TYPE) {
			throw new Error(`${this.uri} is no view: ${contents.length} contents, ${content?.uri}, ${content?.mimeType}`);
		}
		await proxy;
		await bridge.sendSandboxResourceReady({ html: content.text ?? atob(content.blob) });
	}

	#transport() {
		const transport = new PostMessageTransport(this.frame.contentWindow, this.frame.contentWindow);
		if (!this.#options.earlyInput) return transport;
		const send = transport.send.bind(transport);
		transport.send = async (message, ...rest) => {
			if (message.result?.hostContext) {
				this.#given = true;
				await send({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: this.call.args } });
			}
			return send(message, ...rest);
		};
		return transport;
	}

	// #request is a view's call of a tool. Without forward, the host has no such method.
	async #request(forward, params, extra) {
		const request = { name: params.name, arguments: params.arguments, state: "open" };
		this.requests.push(request);
		try {
			if (forward === undefined) throw Object.assign(new Error("Method not found"), { code: -32601 });
			const tool = this.#tools.get(params.name);
			if (!tool || isToolVisibilityModelOnly(tool)) throw new Error(`views may not call ${params.name}`);
			await this.#approval(extra.mcpReq.signal);
			const result = this.#strip(await forward(params, extra));
			request.state = result.isError ? "failed" : "answered";
			return result;
		} catch (err) {
			request.state = `refused: ${err}`;
			throw err;
		}
	}

	async #approval(signal) {
		switch (this.#options.approval) {
			case "refuse":
				throw new Error("the person does not allow it");
			case "ask":
				await new Promise((resolve, reject) => {
					this.waiting.push((allowed) => (allowed ? resolve() : reject(new Error("the person does not allow it"))));
					signal.addEventListener("abort", () => reject(new Error("cancelled")));
				});
		}
	}

	// decide answers the oldest request that waits for approval.
	decide(allowed) {
		this.waiting.shift()(allowed);
	}

	#strip(result) {
		const kept = { ...result };
		if (this.#options.stripStructured) delete kept.structuredContent;
		if (this.#options.stripMeta) delete kept._meta;
		return kept;
	}

	// deliver sends the view what is known of its call by now.
	deliver() {
		const { call } = this;
		if (this.state !== "ready" || this.#options.silent) return;
		const over = Boolean(call.result || call.error);
		if (!this.#given && (over || !this.#options.holdInput)) {
			this.#given = true;
			this.#bridge.sendToolInput({ arguments: call.args });
		}
		if (over && !this.#delivered) {
			this.#delivered = true;
			if (call.result) this.#bridge.sendToolResult(this.#strip(call.result));
			else this.#bridge.sendToolCancelled({ reason: call.error });
		}
	}

	change(context) {
		this.#context = { ...this.#context, ...context };
		if (this.state === "ready" && !this.#options.silent) this.#bridge.setHostContext(this.#context);
	}

	#resize(size) {
		this.size = size;
		const { maxHeight } = this.#context.containerDimensions;
		if (size.height !== undefined) this.frame.style.height = `${Math.min(size.height, maxHeight)}px`;
	}

	// close ends the view as the extension says: the view first saves what it wants to save.
	async close() {
		if (this.state === "closed") return;
		await this.#bridge.teardownResource({});
		this.state = "closed";
		this.frame.remove();
		await this.#bridge.close();
	}

	fail(err) {
		this.state = "failed";
		this.error = String(err);
	}
}

window.host = new Host();
