// The host of a view: the program that shows the conversation (MCP Apps, revision 2026-01-26).
// Messages are JSON-RPC objects to and from the parent window.

import { Forbidden } from "./forbidden";

const PROTOCOL = "2026-01-26";
const CONTEXT_CHANGED = "ui/notifications/host-context-changed";
const NOT_FOUND = -32601; // the code of JSON-RPC for a method that the host does not have
const TEARDOWN = 2000; // milliseconds that a host waits for the view to end

/** DisplayMode is how a host shows a view. */
export type DisplayMode = "inline" | "fullscreen" | "pip";

/** HostContext is what a host reports about itself. Every member may be missing. */
export type HostContext = Partial<ReturnType<typeof contextOf>>;

export interface HostEvents {
  changed(context: HostContext): void;
  input(args: Record<string, unknown>): void;
  result(result: Record<string, unknown>): void;
  /** cancelled is called when the call has ended without a result. reason may be "". */
  cancelled(reason: string): void;
  /** teardown is called before the host removes the view. The host waits for it for a moment. */
  teardown(): Promise<void>;
}

interface Waiting extends Pick<PromiseWithResolvers<Record<string, unknown>>, "resolve" | "reject"> {
  readonly method: string;
}

export class Host {
  readonly #events: HostEvents;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0; // the id of the last request
  #ready = false; // the host has answered the handshake
  readonly #early = new Map<string, Record<string, unknown>>(); // by method: notifications of hosts that do not wait
  #context: Record<string, unknown> = {};
  capabilities = { downloadFile: false, message: false, modelContext: false }; // what it offers

  constructor(events: HostEvents) {
    this.#events = events;
    window.addEventListener("message", (event) => {
      // Any frame can send messages here. Nothing else keeps those of others out.
      if (event.source === window.parent) this.#received(event.data);
    });
  }

  /** connect shakes hands. It rejects when the host does not know the protocol. */
  async connect(version: string): Promise<void> {
    const result = await this.request("ui/initialize", {
      protocolVersion: PROTOCOL,
      appInfo: { name: "ui-mcp", version },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    const can = fields(result["hostCapabilities"]);
    this.capabilities = { downloadFile: can["downloadFile"] != null, message: can["message"] != null, modelContext: can["updateModelContext"] != null };
    this.#context = fields(result["hostContext"]);
    this.#ready = true;
    this.notify("ui/notifications/initialized", {});
    this.#events.changed(contextOf(this.#context));
    for (const [method, params] of this.#early) this.#notified(method, params);
    this.#early.clear();
  }

  /** request makes a request. It rejects with the host's error. */
  request(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#post({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#post({ method, params });
  }

  /** callTool calls a tool of the view's server and returns the texts of the result. */
  async callTool(name: string, args: object): Promise<string> {
    return textOf(await this.request("tools/call", { name, arguments: args }));
  }

  /** readResource returns the text of a resource of the view's server. */
  async readResource(uri: string): Promise<string> {
    const { contents } = await this.request("resources/read", { uri });
    const text = Array.isArray(contents) ? fields(contents[0])["text"] : undefined;
    return typeof text === "string" ? text : "";
  }

  /** open opens a link outside of the conversation. It reports whether the host did. */
  open(url: string): Promise<boolean> {
    return this.#does("ui/open-link", () => ({ url }));
  }

  /** download saves what a link leads to, under a name, or "" for any. It reports whether the host did. */
  async download(address: string, name: string): Promise<boolean> {
    return this.capabilities.downloadFile && this.#does("ui/download-file", () => ({ contents: [contentAt(address, name)] }));
  }

  async #does(method: string, params: () => object): Promise<boolean> {
    try {
      return (await this.request(method, params()))["isError"] !== true;
    } catch {
      return false;
    }
  }

  /** message sends a message to the conversation, in the person's name. It rejects if the host does not. */
  async message(text: string): Promise<void> {
    await this.#agreed("ui/message", { role: "user", content: [{ type: "text", text }] });
  }

  /** context replaces what the model knows of the view. It rejects if the host does not. */
  async context(value: unknown): Promise<void> {
    const structured = typeof value === "object" && value !== null && !Array.isArray(value) ? { structuredContent: value } : {};
    await this.#agreed("ui/update-model-context", { content: [{ type: "text", text: JSON.stringify(value) }], ...structured });
  }

  async #agreed(method: string, params: object): Promise<void> {
    const result = await this.request(method, params);
    if (result["isError"] === true) throw new Error(textOf(result) || "The chat declined.");
  }

  #received(data: unknown): void {
    if (typeof data !== "object" || data === null) return;
    const { jsonrpc, id, method, params, result, error } = data as Record<string, unknown>;
    if (jsonrpc !== "2.0") return;
    if (typeof method !== "string") {
      const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
      if (waiting === undefined || typeof id !== "number") return;
      this.#waiting.delete(id);
      if (error == null) return waiting.resolve(fields(result));
      const { code, message } = fields(error);
      if (code === NOT_FOUND && waiting.method === "tools/call") return waiting.reject(new Forbidden());
      return waiting.reject(new Error(typeof message === "string" ? message : "the host refuses"));
    }
    if (typeof id === "number" || typeof id === "string") return void this.#answer(id, method);
    if (this.#ready) this.#notified(method, fields(params));
    else if (method !== CONTEXT_CHANGED) this.#early.set(method, fields(params)); // the answer has the context
  }

  async #answer(id: number | string, method: string): Promise<void> {
    if (method === "ui/resource-teardown") {
      // Hosts that have the answer give up the view's calls.
      await Promise.race([this.#events.teardown(), new Promise((resolve) => setTimeout(resolve, TEARDOWN))]);
    } else if (method !== "ping") return this.#post({ id, error: { code: -32601, message: `method not found: ${method}` } });
    this.#post({ id, result: {} });
  }

  #notified(method: string, params: Record<string, unknown>): void {
    switch (method) {
      case CONTEXT_CHANGED:
        this.#context = { ...this.#context, ...params };
        return this.#events.changed(contextOf(this.#context));
      case "ui/notifications/tool-input":
        return this.#events.input(fields(params["arguments"]));
      case "ui/notifications/tool-result":
        return this.#events.result(params);
      case "ui/notifications/tool-cancelled":
        return this.#events.cancelled(typeof params["reason"] === "string" ? params["reason"] : "");
    }
  }

  #post(message: object): void {
    // The host's origin is not known, and the messages have no secrets of others.
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}

/** contentAt returns what a host is to save: the content of a data: address, else what is at the address. */
function contentAt(address: string, name: string): object {
  const file = name === "" ? "download" : name;
  const data = /^data:([^,]*?)(;base64)?,(.*)$/is.exec(address);
  if (data === null) return { type: "resource_link", uri: address, name: file };
  const [, type = "", base64, content = ""] = data;
  const resource = { uri: `file:///${encodeURIComponent(file)}`, mimeType: type === "" ? "text/plain" : type };
  return { type: "resource", resource: base64 === undefined ? { ...resource, text: decodeURIComponent(content) } : { ...resource, blob: decodeURIComponent(content) } };
}

/** textOf returns the texts of a tool's result. */
export function textOf(result: Record<string, unknown>): string {
  const { content } = result;
  if (!Array.isArray(content)) return "";
  return content.map((item) => fields(item)["text"]).filter((text) => typeof text === "string").join("\n");
}

/** contextOf reads a context, and leaves out malformed members. */
function contextOf(raw: Record<string, unknown>) {
  const { theme, styles, displayMode, availableDisplayModes, containerDimensions, locale, safeAreaInsets, toolInfo } = raw;
  const size = fields(containerDimensions);
  const insets = fields(safeAreaInsets);
  const inset = (side: string): number => number(insets[side]) ?? 0;
  return {
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    variables: fields(fields(styles)["variables"]), // of CSS
    fonts: string(fields(fields(styles)["css"])["fonts"]), // CSS that declares them
    displayMode: isMode(displayMode) ? displayMode : undefined,
    availableDisplayModes: Array.isArray(availableDisplayModes) ? availableDisplayModes.filter(isMode) : undefined,
    // How large the view is, or may be, in CSS pixels; undefined: as large as it wants.
    width: number(size["width"]) ?? number(size["maxWidth"]),
    height: number(size["height"]) ?? number(size["maxHeight"]),
    locale: string(locale),
    safeArea: safeAreaInsets == null ? undefined : { top: inset("top"), right: inset("right"), bottom: inset("bottom"), left: inset("left") },
    tool: string(fields(fields(toolInfo)["tool"])["name"]), // whose call the view belongs to
  };
}

function string(raw: unknown): string | undefined {
  return typeof raw === "string" ? raw : undefined;
}

function number(raw: unknown): number | undefined {
  return typeof raw === "number" && Number.isFinite(raw) && raw >= 0 ? raw : undefined;
}

function isMode(raw: unknown): raw is DisplayMode {
  return raw === "inline" || raw === "fullscreen" || raw === "pip";
}

/** fields returns the fields of an object; other values have none. */
function fields(raw: unknown): Record<string, unknown> {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {};
}
