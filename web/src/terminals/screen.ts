// The terminal in a pane: the view of one session over a WebSocket, with the page's settings.

import { dialWebSocket, Denied } from "../terminal/websocket";
import { type HistoryLook, HistoryView } from "../terminal/history";
import type { Key } from "../terminal/keys";
import { DEFAULT_LOOK, type Look } from "../terminal/options";
import { contrastOf, type PaletteName, palettes } from "../terminal/palettes";
import type { Source } from "../popup/sources";
import { TerminalView } from "../terminal/view";
import { historyAt, type HistorySource } from "../terminal/data/lines";
import { xtermAt } from "../terminal/xterm";
import { type Action } from "./actions";
import { BASE, complain, Refusal, sessionPath } from "./api";
import type { Settings } from "./data/settings";
import type { Page } from "./page";

/** ScreenEvents are what a pane learns of its screen. */
export interface ScreenEvents {
  /** lost says what may not have arrived of what was typed, or is empty. */
  lost(text: string): void;
  /** fitted is called when the session fits at another font size. scaled: that is less than the chosen one. */
  fitted(fontSize: number, scaled: boolean): void;
  /** size is called when the session has another size. fits says whether the pane has it. */
  size(cols: number, rows: number, fits: boolean): void;
}

/** xterm is the xterm.js of this page. */
export const xterm = xtermAt(new URL("ui/xterm/", BASE).href);

/** Keys that a terminal gets as an escape sequence with a parameter for Ctrl. */
const WITH_CTRL: Readonly<Record<string, string>> = { ArrowUp: "A", ArrowDown: "B", ArrowRight: "C", ArrowLeft: "D" };

/** Screen is the terminal of a session. */
export class Screen {
  readonly #page: Page;
  /** view is the terminal itself. */
  readonly view: TerminalView;
  readonly #asked: Source;
  #session: string;
  #client: string | undefined;
  #attached = false; // it has been, so that the view has a picture
  #last: HistoryView | undefined; // the lines of a session that had ended before the page attached

  constructor(host: HTMLElement, session: string, page: Page, events: ScreenEvents) {
    this.#session = session;
    this.#page = page;
    this.#asked = page.questions.add((text) => this.view.aboutQuestion(text));
    this.view = new TerminalView(
      host,
      {
        label: `Terminal ${session}`, dial: dialWebSocket(() => this.#address()), xterm, readOnly: !page.rights.may("type"), questions: true, client: "page", look: look(page.settings),
        history: (id) => this.#history(id),
      },
      {
        pictured: () => page.pictured(),
        question: (text) => this.#asked.received(text),
        state: (state) => {
          if (state.is !== "attached") this.#asked.ended(state.is !== "ended");
          if (state.is === "ended" || state.is === "waiting") page.pictured();
          events.lost(state.is === "ended" ? this.view.losses : "");
          this.#client = state.is === "attached" ? state.session.client : undefined;
          if (state.is === "attached") {
            this.#attached = true;
            this.#last?.close();
            this.#last = undefined;
          }
        },
        size: (size, fits) => {
          events.size(size.cols, size.rows, fits === undefined || (size.cols === fits.cols && size.rows === fits.rows));
        },
        fitted: (fontSize, scaled) => events.fitted(fontSize, scaled),
        typed: () => page.typed(this.#session),
        leave: () => page.leave(),
      },
    );
    // The keyboards of phones say what they type in input events only.
    const take = (event: Event, text: string | null): void => {
      if (text?.length !== 1 || !page.takeCtrl()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.view.type(control(text));
    };
    host.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.altKey && !event.metaKey) take(event, event.key);
    }, { capture: true });
    host.addEventListener("beforeinput", (event) => take(event, event.data), { capture: true });
  }

  /** The name of this page among the session's clients, while it is attached. */
  get client(): string | undefined {
    return this.#client;
  }

  /** failed reports whether the page could not attach, and does not try again by itself. */
  get failed(): boolean {
    const { state } = this.view;
    return state.is === "ended" && state.failure !== undefined;
  }

  close(): void {
    this.#last?.close();
    this.view.dispose();
    this.#asked.ended(false);
  }

  /** rename makes later connections use the session's new name. */
  rename(name: string): void {
    this.#session = name;
    this.view.element.ariaLabel = `Terminal ${name}`;
  }

  /** ended displays the last lines of a session that had ended before the page attached. */
  ended(): void {
    if (this.#attached || this.#last !== undefined) return;
    this.#last = new HistoryView(this.view.element, this.#history(this.#session), this.#lines(), {
      left: () => undefined, // there is no screen to return to
      message: (text) => this.#page.toast(text),
    });
    const last = this.#last;
    last.open(0).then(() => last.toText(), (error: unknown) => this.#page.toast(complain(error)));
  }

  /** #history reads the history of the session with that name or ID. */
  #history(session: string): HistorySource {
    return historyAt(async (path) => (await this.#page.api.request("GET", sessionPath(session, `/${path}`))) ?? {});
  }

  #lines(): HistoryLook {
    const { palette, fontFamily, fontSize } = look(this.#page.settings);
    return { colors: palettes[palette], contrast: contrastOf(palette), fontFamily, fontSize, rowHeight: Math.ceil(fontSize * 1.2), rows: 0 };
  }

  /** configure applies the page's settings. */
  configure(): void {
    this.view.look = look(this.#page.settings);
    if (this.#last !== undefined) this.#last.look = this.#lines();
  }

  /** press presses a key that phones lack, by its DOM name, or a letter with Ctrl. */
  press(key: string, ctrl: boolean): void {
    const letter = WITH_CTRL[key];
    if (ctrl && letter !== undefined) this.view.type(`\x1b[1;5${letter}`);
    else if (key.length === 1) this.view.type(ctrl ? control(key) : key);
    else this.view.press(key as Key);
  }

  /** actions are those that the terminal itself offers. */
  actions(): Action[] {
    const may = (): boolean => this.#page.rights.may("type");
    return [
      { title: "Take the lead and fit the session to this pane", when: may, run: () => this.view.lead() },
      { title: "Find in the history", keys: ["Ctrl+Shift+F"], run: () => void this.view.find() },
      { title: "Look back", keys: ["Shift+PageUp"], run: () => void this.view.lookBack() },
      { title: "Previous command", keys: ["Ctrl+Shift+ArrowUp"], run: () => void this.view.jump(-1) },
      { title: "Next command", keys: ["Ctrl+Shift+ArrowDown"], run: () => void this.view.jump(1) },
      { title: "Previous failed command", keys: ["Ctrl+Shift+E"], run: () => void this.view.jump(-1, true) },
      { title: "Copy the output of the command", keys: ["Ctrl+Shift+O"], run: () => void this.view.copyOutput() },
      { title: "Copy the selection", keys: ["Ctrl+Shift+C"], when: () => this.view.selection !== "", run: () => void this.view.copy() },
      { title: "Paste", keys: ["Ctrl+Shift+V"], when: may, run: () => void this.view.pasteClipboard() },
      { title: "Attach again", when: () => this.view.state.is !== "attached", run: () => this.view.reconnect() },
    ];
  }

  async #address(): Promise<string> {
    try {
      return await this.#page.api.socket(sessionPath(this.#session, "/ws/attach"));
    } catch (error) {
      if (error instanceof Refusal && error.needsToken) throw new Denied(error.message);
      throw error;
    }
  }
}

/** control returns what a letter types with Ctrl. */
function control(letter: string): string {
  const code = letter.toUpperCase().charCodeAt(0);
  if (letter === " ") return "\x00";
  if (letter === "/" || letter === "-") return "\x1f";
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : letter === "?" ? "\x7f" : letter;
}

/** look returns how terminals look with the settings. */
export function look({ theme, fontSize, screenReader }: Settings): Look {
  return { ...DEFAULT_LOOK, palette: theme === "system" ? systemPalette() : theme, fontSize, screenReader };
}

/** wantsContrast reports whether the system asks for high contrast. */
export function wantsContrast(): boolean {
  return matchMedia("(prefers-contrast: more)").matches;
}

/** systemPalette returns the colours that the system asks for. */
function systemPalette(): PaletteName {
  if (matchMedia("(forced-colors: active)").matches || wantsContrast()) return "contrast";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
