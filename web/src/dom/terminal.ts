// The element <ui-terminal> of apps: a frame with a terminal. The frame has an origin of its own,
// so the scripts of the page can neither read what is displayed and typed in it, nor type.

import { make } from "../elements";
import { observed } from "./observed";
import { mayBeSession, terminalAddress, type TerminalAttributes } from "../data/terminaladdress";

const STYLE = `
:host { display: block; position: relative; inline-size: 100%; block-size: 20rem; overflow: hidden; contain: strict; border-radius: 6px; box-shadow: 0 0 0 1px color-mix(in srgb, currentColor 18%, transparent); }
:host([hidden]) { display: none; }
:host(:focus-within) { outline: 2px solid Highlight; outline-offset: 1px; }
iframe { display: block; inline-size: 100%; block-size: 100%; border: 0; color-scheme: normal; }
:host([overview]) iframe { pointer-events: none; }
p { display: grid; place-items: center; box-sizing: border-box; block-size: 100%; margin: 0; padding: 1rem; text-align: center; opacity: 0.75; border: 1px dashed currentColor; border-radius: inherit; }
p[hidden] { display: none; }
`;

const ROW = 17; // CSS pixels of a row at the terminal's usual size of letters
const COLUMN = 8.5;
const MOST = 1000; // rows or columns of a terminal

const FOCUSABLE = "a[href], button, input, select, textarea, iframe, summary, [tabindex], ui-terminal, sl-button, sl-input, sl-textarea, sl-select";

/** available is whether the server has terminals; it is asked once. */
let available: Promise<boolean> | undefined;

async function ask(): Promise<boolean> {
  try {
    // With terminals, the server redirects to their origin, which this page may not read.
    const answer = await fetch("/terminals/", { redirect: "manual", cache: "no-store" });
    return answer.type === "opaqueredirect";
  } catch {
    available = undefined; // the server is away: the next element asks again
    return true;
  }
}

/** TerminalElement is a terminal in the page of an app. */
export class TerminalElement extends HTMLElement {
  static readonly observedAttributes = ["session", "readonly", "rows", "cols", "fit", "overview"];
  readonly #note = make("p", { role: "status", hidden: true });
  readonly #light = matchMedia("(prefers-color-scheme: light)");
  readonly #contrast = matchMedia("(prefers-contrast: more), (forced-colors: active)");
  #removed = new AbortController();
  #frame: HTMLIFrameElement | undefined;
  #address = ""; // of the frame, apart from its colours
  #ready = false; // the frame takes messages
  #planned = false;
  readonly #measured = new Set<string>(); // the properties of the style that attributes have set

  constructor() {
    super();
    this.attachShadow({ mode: "open", delegatesFocus: true }).append(make("style", {}, STYLE), this.#note);
    this.addEventListener("mousedown", (event) => { // which would give an overview the focus
      if (this.#attributes().overview) event.preventDefault();
    });
  }

  connectedCallback(): void {
    const { signal } = (this.#removed = new AbortController());
    window.addEventListener("message", (event) => this.#message(event), { signal });
    for (const query of [this.#light, this.#contrast]) query.addEventListener("change", () => this.#recolor(), { signal });
    this.#update();
  }

  disconnectedCallback(): void {
    this.#removed.abort();
    this.#frame?.remove();
    this.#frame = undefined;
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  /** update loads what the attributes ask for, once for all that change together. */
  #update(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.isConnected) void this.#show();
    });
  }

  async #show(): Promise<void> {
    const attributes = this.#attributes();
    this.#measure("block-size", attributes.rows, ROW);
    this.#measure("max-inline-size", attributes.cols, COLUMN);
    if (attributes.session === "") return this.#say("There is no terminal to display here.");
    if (!mayBeSession(attributes.session)) return this.#say(`“${attributes.session}” is not the name of a terminal.`);
    if (!(await (available ??= ask()))) {
      return this.#say("There are no terminals here. Start ui-mcp with --toolsets ui,popup,terminal to display one.");
    }
    if (!this.isConnected) return;
    const address = terminalAddress(location, attributes);
    this.#note.hidden = true;
    if (this.#frame !== undefined && this.#address === address) return;
    // A new frame, since a new address in the same one would be a step in the history of the tab.
    this.#frame?.remove();
    const frame = document.createElement("iframe");
    frame.loading = observed ? "eager" : "lazy";
    if (observed) frame.onload = () => frame.toggleAttribute("data-loaded", true);
    frame.title = attributes.session.startsWith("@") ? "Terminal" : `Terminal ${attributes.session}`;
    frame.allow = "clipboard-write";
    if (attributes.overview) frame.tabIndex = -1;
    frame.src = terminalAddress(location, attributes, this.#palette);
    this.#frame = frame;
    this.#address = address;
    this.#ready = false;
    this.shadowRoot?.append(frame);
  }

  /** measure sets a size in rows or columns, and removes it when its attribute is removed. */
  #measure(property: string, count: number | undefined, pixels: number): void {
    if (count !== undefined) this.style.setProperty(property, `${Math.min(count, MOST) * pixels}px`);
    else if (this.#measured.has(property)) this.style.removeProperty(property);
    else return;
    this.#measured.add(property);
  }

  #attributes(): TerminalAttributes {
    const number = (name: string): number | undefined => {
      const n = Number.parseInt(this.getAttribute(name) ?? "", 10);
      return n > 0 ? n : undefined;
    };
    const is = (name: string): boolean => this.hasAttribute(name) && this.getAttribute(name) !== "false";
    return {
      session: this.getAttribute("session") ?? "", rows: number("rows"), cols: number("cols"),
      readOnly: is("readonly"), fit: is("fit"), overview: is("overview"),
    };
  }

  get #palette(): string {
    return this.#contrast.matches ? "contrast" : this.#light.matches ? "light" : "dark";
  }

  /** recolor gives the terminal in the frame the colours that the person prefers now. */
  #recolor(): void {
    if (this.#ready) this.#frame?.contentWindow?.postMessage({ uiTerminal: "palette", palette: this.#palette }, new URL(this.#address).origin);
  }

  #say(text: string): void {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#note.textContent = text;
    this.#note.hidden = false;
  }

  #message({ source, data }: MessageEvent): void {
    if (this.#frame === undefined || source !== this.#frame.contentWindow) return;
    const message: unknown = data;
    if (typeof message !== "object" || message === null || !("uiTerminal" in message)) return;
    if (message.uiTerminal === "leave") this.#leave();
    if (message.uiTerminal === "ready") {
      this.#ready = true;
      this.#recolor(); // the colours may have changed while it was loading
    }
  }

  /** leave gives the focus to what follows this element, or to the page. */
  #leave(): void {
    this.#frame?.blur();
    for (const next of document.querySelectorAll<HTMLElement>(FOCUSABLE)) {
      const follows = (this.compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      if (follows && next.tabIndex >= 0 && !next.hasAttribute("disabled") && next.getClientRects().length > 0) return next.focus();
    }
    window.focus();
  }
}
