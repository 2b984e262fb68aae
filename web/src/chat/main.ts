// The entry point of the view in a conversation: it shakes hands with the host, connects to the
// server through the relay, and displays what the server tells it to.

import { reach } from "../dom/reach";
import { adopt, make } from "../elements";
import { App } from "./app";
import { Bar } from "./bar";
import { failure } from "./failure";
import { Forbidden } from "./forbidden";
import { Host, textOf, type HostContext } from "./host";
import { stay } from "./leaving";
import { InlineLibrary } from "./library";
import { Look, watchSize } from "./look";
import { Questions } from "./questions";
import { Relay } from "./relay";
import { STYLE } from "./style";
import { ChatTerminal } from "./terminal";
import { decode, type FromView, type Request, type Show, type ToView } from "./wire";

const SKIPPED = "Parts of this app are JavaScript, which does not run in the chat. Open it in the browser.";
const REFUSED = "The chat did not open this. Copy the address:";
const NO_ADDRESS = "The chat opens only web pages and mail. Copy the address:";
const IN_BROWSER = "This works only in the page: open that in your browser.";
const ATTEMPTS = 5;
const DISPLAY_TOOL = "ui_display"; // whose calls are about the default session unless they name another
const DEFAULT_SESSION = "1";
const QUESTION_TOOL = "popup"; // whose views display one question each
const RUN_TOOL = "wsh_run_command"; // whose views display the terminal that the call names
const NO_HOST = "This program does not offer what a view in the chat needs.";

/** Config is what the server has put into the document. */
interface Config {
  readonly token: string;
  readonly tool: string; // of the relay
  readonly resource: string; // the URI of this document
  readonly version: string;
  readonly url: string; // of the page in the browser, when the document was read
}

class Shell {
  readonly #config: Config;
  readonly #host: Host;
  readonly #relay: Relay;
  readonly #look = new Look((dark) => this.#terminal?.dark(dark));
  readonly #bar: Bar;
  readonly #library: InlineLibrary;
  readonly #frame = make("div", "ui-chat");
  readonly #icons = new Map<string, PromiseWithResolvers<string>>(); // requested, by name
  readonly #questions: Questions;
  #context: HostContext = {};
  #full = false;
  #forbidden = false; // the host has no calls of tools
  #input: Record<string, unknown> | undefined; // of the tool call that the view belongs to
  #app: App | undefined;
  #terminal: ChatTerminal | undefined;
  #terminalID = ""; // of its session; it outlasts the name
  #created: string | undefined; // the terminal session that the tool call has created
  #reported = true; // the server knows what matters of the call, as far as the view does
  #shown: string | undefined; // the session of apps that the server has displayed; "": none; undefined: not yet
  #reason = ""; // why the view is not live, once it has given up
  #text = ""; // of the tool's result
  #failure: HTMLElement | undefined; // says that the call has failed
  readonly #reads = new Map<number, PromiseWithResolvers<unknown>>();
  #lastRead = 0;

  constructor(config: Config) {
    this.#config = config;
    this.#host = new Host({
      changed: (context) => this.#changed(context),
      input: (input) => {
        this.#input = input;
        this.#report();
      },
      result: (result) => this.#result(result),
      cancelled: (reason) => {
        this.#asked("");
        this.#fail(reason);
      },
      teardown: () => this.#relay.close(),
    });
    this.#bar = new Bar({
      open: (url) => void this.#leave(url),
      fullscreen: () => void this.#toggle(),
      type: () => void this.#terminal?.askToType(),
      retry: () => this.#relay.start(),
    });
    this.#bar.address(config.url);
    this.#library = new InlineLibrary((name) => this.#icon(name));
    this.#relay = new Relay(config.token, () => (this.#forbidden ? 1 : ATTEMPTS), {
      call: (args) => this.#host.callTool(config.tool, args).catch((error: unknown) => {
        if (error instanceof Forbidden) this.#forbidden = true;
        throw error;
      }),
      hello: () => {
        this.#reported = true;
        this.#shown = undefined;
        const { tool } = this.#context;
        return { tool, input: this.#arguments(), created: this.#created, terminal: this.#terminalID || undefined, host: this.#hostState() };
      },
      fresh: () => this.#fresh(),
      opened: () => {
        this.#bar.say("");
        this.#state("live");
        if (!this.#reported) this.#report();
        this.#questions.connected();
        this.#terminal?.connected();
      },
      received: (channel, message) => this.#received(channel, message),
      lost: (reason, failed) => this.#lost(reason, failed),
    });
    adopt(document, STYLE);
    this.#questions = new Questions(this.#frame, this.#bar, (text) => this.#relay.send("question", text), (text) => {
      if (!this.#displays) this.#bar.say(text);
    });
    this.#frame.append(this.#bar.element);
    document.body.append(this.#frame);
    document.addEventListener("visibilitychange", () => this.#relay.hidden(document.visibilityState === "hidden"));
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
      if (effectiveDirective.startsWith("script-src")) this.#bar.say(SKIPPED);
    });
    window.addEventListener("pagehide", () => void this.#relay.close());
    stay(window, {
      page: () => this.#bar.page,
      follow: (address, file) => void this.#leave(address, file),
      sent: () => this.#bar.say(IN_BROWSER),
    });
  }

  async start(): Promise<void> {
    this.#state("connecting");
    try {
      await this.#host.connect(this.#config.version);
    } catch {
      return this.#lost(NO_HOST, true);
    }
    this.#relay.hidden(document.visibilityState === "hidden");
    this.#relay.start();
    watchSize(this.#frame, (width, height) => {
      if (this.#context.displayMode !== "fullscreen") this.#host.notify("ui/notifications/size-changed", { width, height });
    });
  }

  #changed(context: HostContext): void {
    this.#context = context;
    this.#look.apply(context);
    const modes = context.availableDisplayModes ?? [];
    const full = context.displayMode === "fullscreen";
    this.#bar.modes(modes.includes(full ? "inline" : "fullscreen"), full);
    if (full !== this.#full) this.#terminal?.full(full);
    this.#terminal?.fit();
    this.#questions.full(full);
    this.#send({ type: "host", host: this.#hostState() });
    this.#full = full;
  }

  async #toggle(): Promise<void> {
    try {
      await this.#fill(this.#context.displayMode !== "fullscreen");
    } catch {
      this.#bar.say("The chat does not change the size.");
    }
  }

  /** fill makes the view as large as the window, or small again. It rejects if the host refuses. */
  async #fill(window: boolean): Promise<void> {
    const mode = window ? "fullscreen" : "inline";
    const { mode: now } = await this.#host.request("ui/request-display-mode", { mode });
    if (now === "inline" || now === "fullscreen") this.#changed({ ...this.#context, displayMode: now });
    if (now !== mode) throw new Error("The chat does not change the size.");
  }

  /** leave lets the host open an address, or save the file there, or displays it where the host does not. */
  async #leave(address: string, file?: string): Promise<void> {
    if (file !== undefined && /^(https?|data):/i.test(address) && await this.#host.download(address, file)) return this.#bar.opened();
    if (/^(javascript|data|blob):/i.test(address)) return this.#bar.say(IN_BROWSER);
    const known = /^(https?|mailto):/i.test(address);
    if (known && await this.#host.open(address)) this.#bar.opened();
    else this.#bar.offer(address, known ? REFUSED : NO_ADDRESS);
  }

  /** request asks the host for what an app wants, and reports the outcome to the server. */
  async #request({ id, name, text, value }: Request): Promise<void> {
    let problem = "";
    try {
      if (name === "message") await this.#host.message(text);
      else if (name === "context") await this.#host.context(value);
      else if (name === "fullscreen") await this.#fill(value === true);
      else problem = "This view is of another version of ui-mcp.";
    } catch (error) {
      problem = error instanceof Error && error.message !== "" ? error.message : "The chat declined.";
    }
    this.#send({ type: "answered", id, text: problem });
  }

  /** hostState returns what the server learns about the host. */
  #hostState(): Record<string, unknown> {
    const { theme, locale, displayMode, availableDisplayModes, width, height } = this.#context;
    const { message, modelContext } = this.#host.capabilities;
    return {
      theme, locale, width, height, displayMode: displayMode ?? "inline",
      message, context: modelContext, fullscreen: availableDisplayModes?.includes("fullscreen") ?? false,
    };
  }

  /** displays reports whether there is more than a question in the view. */
  get #displays(): boolean {
    return this.#app !== undefined || this.#terminal !== undefined;
  }

  /** most is the height that the view can have, in CSS pixels. */
  get #most(): number {
    const { displayMode, height } = this.#context;
    return displayMode === "fullscreen" ? window.innerHeight : (height ?? Infinity);
  }

  #send(message: FromView): boolean {
    return this.#relay.send("view", JSON.stringify(message));
  }

  #received(channel: string, message: unknown): void {
    let m: ToView;
    try {
      if (channel === "question") return this.#questions.received(message);
      if (this.#terminal?.received(channel, message)) return;
      if (channel !== "view") return this.#app?.received(channel, message);
      m = decode(message);
    } catch (error) {
      return console.error("message to the view:", error);
    }
    switch (m.type) {
      case "show":
        return this.#show(m);
      case "closed":
        this.#terminal?.closed(m.channel);
        return this.#app?.closed(m.channel, m.code);
      case "answer": {
        const waiting = this.#reads.get(m.id);
        this.#reads.delete(m.id);
        if (m.text === "") waiting?.resolve(m.value);
        else waiting?.reject(new Error(m.text));
        return;
      }
      case "request":
        return void this.#request(m);
      case "icon":
        this.#icons.get(m.name)?.resolve(m.svg);
        this.#icons.delete(m.name);
    }
  }

  #show(show: Show): void {
    this.#bar.address(show.url);
    if (show.what !== "question") this.#bar.say(show.text); // what it says may have come first
    this.#shown = show.what === "app" || show.what === "nothing" ? show.session : "";
    if (!this.#reported) this.#report();
    if (show.what === "terminal") return this.#showTerminal(show);
    if (show.what !== "app") return;
    this.#dropTerminal();
    this.#terminalID = "";
    this.#bar.title("");
    if (this.#app?.session !== show.session) {
      this.#app?.dispose();
      this.#app = new App(this.#frame, show.session, this.#library, {
        send: (channel, text) => this.#relay.send(channel, text),
        open: () => this.#send({ type: "open" }),
        skipped: () => this.#bar.say(SKIPPED),
      });
    }
    this.#app.attach(show.channel);
  }

  #showTerminal({ session, terminal, readOnly }: Show): void {
    this.#app?.dispose();
    this.#app = undefined;
    const same = terminal === "" ? this.#terminal?.session === session : this.#terminalID === terminal;
    this.#terminalID = terminal;
    this.#bar.title(session);
    if (same && this.#terminal !== undefined) return this.#terminal.connected();
    this.#dropTerminal();
    this.#terminal = new ChatTerminal(this.#frame, session, readOnly, this.#look.dark, this.#bar, {
      attach: (channel, typing) => this.#send({ type: "attach", channel, typing }),
      send: (channel, text) => this.#relay.send(channel, text),
      read: (operation, args) => {
        const [id, answer] = [++this.#lastRead, Promise.withResolvers<unknown>()];
        if (this.#send({ type: "read", id, operation, arguments: args })) this.#reads.set(id, answer);
        else answer.reject(new Error("There is no connection."));
        return answer.promise;
      },
      open: (address) => void this.#leave(address),
      most: () => this.#most,
    });
  }

  #dropTerminal(): void {
    this.#terminal?.dispose();
    this.#terminal = undefined;
    this.#bar.typing(false);
  }

  #lost(reason: string, failed: boolean): void {
    this.#state(failed ? "failed" : "offline");
    this.#app?.closed(undefined, 0);
    this.#terminal?.closed();
    for (const { reject } of this.#reads.values()) reject(new Error("The connection was lost."));
    this.#reads.clear();
    this.#questions.lost();
    for (const { resolve } of this.#icons.values()) resolve("");
    this.#icons.clear();
    if (!failed) return;
    this.#reason = reason;
    this.#explain();
    this.#bar.reveal();
  }

  /** explain says why the view is not live, and what the tool has returned where nothing is displayed. */
  #explain(): void {
    this.#bar.say(this.#displays || this.#text === "" ? this.#reason : `${this.#reason}\n${this.#text}`, this.#reason !== NO_HOST);
  }

  /** result learns from the tool's result, and displays its text too where the view cannot be live. */
  #result(result: Record<string, unknown>): void {
    const text = this.#text = textOf(result);
    const fields = fieldsOf(result, text);
    this.#created = createdIn(fields) ?? this.#created;
    if (this.#created !== undefined) this.#report();
    const { popupId } = fields;
    this.#asked(typeof popupId === "string" ? popupId : "");
    if (result["isError"] === true) this.#fail(text);
    if (document.documentElement.dataset["uiView"] === "failed" && this.#failure === undefined) this.#explain();
  }

  /** fail displays why the call has failed, in the place of what an earlier call has displayed. */
  #fail(why: string): void {
    const { tool } = this.#context;
    if (tool === QUESTION_TOOL || this.#failure !== undefined) return;
    if (tool === RUN_TOOL) return this.#bar.say(why); // the command has failed, and its terminal may say more
    void this.#relay.close();
    this.#state("failed");
    this.#app?.dispose();
    this.#app = undefined;
    this.#dropTerminal();
    this.#questions.concerns(""); // of what is not displayed any more
    this.#bar.say("");
    this.#bar.address("");
    this.#failure = failure(tool === DISPLAY_TOOL ? "The app is not displayed." : "The call has failed.", why);
    this.#frame.append(this.#failure);
  }

  /** asked says which question the call has asked, or with "" that it is over without one. */
  #asked(question: string): void {
    if (question !== "" || this.#context.tool === QUESTION_TOOL) this.#questions.concerns(question);
  }

  /** arguments returns the tool call's input, with the session that a call without one is about. */
  #arguments(): Record<string, unknown> | undefined {
    if (this.#input === undefined || this.#context.tool !== DISPLAY_TOOL) return this.#input;
    return { sessionId: DEFAULT_SESSION, ...this.#input };
  }

  /** report tells the server what matters of the call, or lets that be done when there is a connection. */
  #report(): void {
    if (this.#context.tool === DISPLAY_TOOL) {
      this.#reported = this.#shown !== undefined;
      if (this.#shown === undefined || this.#shown === String(this.#arguments()?.["sessionId"])) return;
    }
    const input = this.#arguments() ?? {};
    const created = this.#created;
    // Where the person must approve each call of the view, one for nothing would be a nuisance.
    if (created === undefined && !("sessionId" in input) && !("session" in input)) return;
    this.#reported = this.#send({ type: "call", input, ...(created === undefined ? {} : { created }) });
  }

  /** fresh reads this document again, whose token may be in use by another view. */
  async #fresh(): Promise<string | undefined> {
    try {
      const html = await this.#host.readResource(this.#config.resource);
      return configIn(new DOMParser().parseFromString(html, "text/html")).token;
    } catch {
      return undefined;
    }
  }

  #icon(name: string): Promise<string> {
    const waiting = this.#icons.get(name) ?? Promise.withResolvers<string>();
    if (!this.#icons.has(name)) this.#send({ type: "icon", name });
    this.#icons.set(name, waiting);
    return waiting.promise;
  }

  #state(state: "connecting" | "live" | "offline" | "failed"): void {
    document.documentElement.dataset["uiView"] = state;
  }
}

/** fieldsOf returns the fields of a tool's result. Some hosts drop its structured content. */
function fieldsOf(result: Record<string, unknown>, text: string): Record<string, unknown> {
  let fields = result["structuredContent"];
  try {
    fields ??= JSON.parse(text);
  } catch {
    return {};
  }
  return typeof fields === "object" && fields !== null ? { ...fields } : {};
}

/** createdIn returns the terminal session that a tool has created, according to its result. */
function createdIn(fields: Record<string, unknown>): string | undefined {
  const { session } = fields;
  return "pid" in fields && typeof session === "string" ? session : undefined;
}

function configIn(document: Document): Config {
  return JSON.parse(document.getElementById("ui-config")?.textContent ?? "") as Config;
}

reach();
void new Shell(configIn(document)).start();
