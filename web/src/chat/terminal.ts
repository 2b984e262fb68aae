// A terminal in a view: the view of the page of terminals, connected through the relay. The person
// looks at it until they allow this frame to type.

import { make } from "../elements";
import { historyOver } from "../terminal/data/lines";
import { fontFor, type Box } from "../terminal/data/fit";
import type { Size } from "../terminal/data/frames";
import { cell } from "../terminal/cell";
import { confirm } from "../terminal/confirm";
import { DEFAULT_LOOK } from "../terminal/options";
import { setColors } from "../terminal/style";
import { TerminalView } from "../terminal/view";
import type { Xterm, XtermModule } from "../terminal/xterm";
import type { Bar } from "./bar";
import { run } from "./packed";
import { Channels } from "./terminallink";

declare global {
  interface Window {
    uiXterm?: XtermModule;
  }
}

/** TerminalEvents connect a terminal with the rest of the view. */
export interface TerminalEvents {
  /** attach asks the server to connect the terminal. It returns false while there is no connection. */
  attach(channel: string, typing: boolean): boolean;
  send(channel: string, text: string): void;
  /** read carries out an operation that reads, on the server. */
  read(operation: string, args: Record<string, unknown>): Promise<unknown>;
  open(address: string): void;
  /** most returns how high the whole view may become now, in CSS pixels. */
  most(): number;
}

/** The room for a terminal that is not the whole window, in CSS pixels. */
const FONT = 13;
const SMALL = 11; // a font size that is an effort to read
const SCROLLBAR = 12;
const LEAST_HEIGHT = 96;

const PACE = 50; // milliseconds between two pictures: a host should not have to pass on hundreds of calls a second

const cellOf = (font: number): Box => cell(DEFAULT_LOOK.fontFamily, font, false);

let loaded: Promise<XtermModule> | undefined;

/** packedXterm loads xterm.js from the document, without its WebGL renderer. */
const packedXterm: Xterm = {
  terminal: () => (loaded ??= run("ui-xterm").then(() => window.uiXterm!)),
  webgl: () => Promise.reject(new Error("there is no WebGL in a view")),
};

/** ChatTerminal displays one session. */
export class ChatTerminal {
  readonly element = make("div", "ui-chat-terminal");
  readonly session: string;
  readonly #parent: HTMLElement;
  readonly #readOnly: boolean;
  readonly #bar: Bar;
  readonly #events: TerminalEvents;
  readonly #resizes = new ResizeObserver(() => this.fit());
  readonly #resized = (): void => this.fit();
  readonly #channels: Channels;
  #view: TerminalView;
  #typing = false; // the person has allowed it
  #asking = false;
  #dark: boolean;
  #size: Size = { cols: 80, rows: 24 };

  /** readOnly says that typing cannot be allowed. */
  constructor(parent: HTMLElement, session: string, readOnly: boolean, dark: boolean, bar: Bar, events: TerminalEvents) {
    this.session = session;
    this.#readOnly = readOnly;
    this.#bar = bar;
    this.#events = events;
    this.#dark = dark;
    this.#parent = parent;
    setColors(parent, dark ? "dark" : "light");
    parent.append(this.element);
    // Keys and pasted text ask for the permission that they need.
    for (const name of ["keydown", "paste"] as const) {
      this.element.addEventListener(name, (event) => {
        if (event instanceof KeyboardEvent && (event.key.length !== 1 && event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey)) return;
        if (this.#typing || this.#asking || event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) return;
        event.preventDefault();
        void this.askToType();
      }, { capture: true });
    }
    this.#channels = new Channels({ attach: (channel) => events.attach(channel, this.#typing), send: events.send });
    this.#view = this.#begin();
    this.#resizes.observe(parent);
    window.addEventListener("resize", this.#resized);
    this.fit();
    bar.typing(!readOnly);
  }

  /** askToType asks the person whether this frame may type. */
  async askToType(): Promise<void> {
    if (this.#readOnly) return this.#bar.say("Nothing can be typed here. Open it in the browser to type.");
    if (this.#typing || this.#asking) return;
    this.#asking = true;
    const yes = await confirm(this.#view.element, {
      title: "Type in this terminal?",
      text: `What you type reaches the session ${this.session} by way of this chat, which can read it: type passwords in the browser instead.\n\nThis holds for this frame, until it is closed.`,
      yes: "Allow typing",
    });
    this.#asking = false;
    if (!yes) return;
    this.#typing = true;
    this.#bar.typing(false);
    this.#view.dispose();
    this.#view = this.#begin();
    this.#view.focus();
  }

  /** full is called when the view becomes as large as the window, or small again. */
  full(full: boolean): void {
    // The session takes the new size if the person types in it.
    if (full && this.#typing) requestAnimationFrame(() => this.#view.lead());
  }

  dark(dark: boolean): void {
    if (dark === this.#dark) return;
    this.#dark = dark;
    setColors(this.#parent, dark ? "dark" : "light");
    this.#view.look = { palette: dark ? "dark" : "light" };
  }

  /** received handles a message on a channel, and reports whether it was for a terminal. */
  received(channel: string, message: unknown): boolean {
    return this.#channels.received(channel, message);
  }

  /** closed is called when a channel has ended, or with undefined the connection to the server. */
  closed(channel?: string): void {
    this.#channels.closed(channel);
  }

  /** connected is called when there is a connection to the server again. */
  connected(): void {
    if (this.#view.state.is !== "ended") this.#view.reconnect();
  }

  dispose(): void {
    window.removeEventListener("resize", this.#resized);
    this.#resizes.disconnect();
    this.#view.dispose();
    this.element.remove();
  }

  #begin(): TerminalView {
    const { open, read } = this.#events;
    return new TerminalView(this.element, {
      label: `Terminal ${this.session}`, dial: this.#channels.dial, xterm: packedXterm, readOnly: !this.#typing, size: "ask", client: "chat", pace: PACE,
      history: (id) => historyOver((operation, args) => read(operation, { session: id, ...args })), open,
      look: { palette: this.#dark ? "dark" : "light", fontSize: FONT },
    }, {
      size: (size) => {
        this.#size = size;
        this.fit();
      },
    });
  }

  /**
   * fit makes the terminal as high as the session's screen is at this width, or as the frame can be:
   * then it scrolls. Where the whole screen would have small text, it has larger text and pans. It is
   * called when the host has said something about the view; the frame may get its size later.
   */
  fit(): void {
    const above = this.element.offsetTop;
    const width = this.element.clientWidth;
    const fitting = fontFor(this.#size, { width, height: this.#events.most() - above }, cellOf, FONT);
    const whole = fitting >= SMALL;
    if (this.#view.whole !== whole) this.#view.whole = whole;
    const font = whole ? fitting : FONT;
    const scrollbar = cellOf(font).width * this.#size.cols > width ? SCROLLBAR : 0;
    const height = Math.max(LEAST_HEIGHT, Math.ceil(this.#size.rows * cellOf(font).height) + scrollbar);
    // The frame has another height until the host has read which one is wanted.
    const shown = Math.max(LEAST_HEIGHT, Math.min(height, window.innerHeight - above));
    this.element.style.setProperty("--height", `${shown}px`);
    this.element.style.setProperty("--rest", `${height - shown}px`);
  }
}
