// A pane with one session: its header, its terminal, and notes about it.

import { historyAt } from "../terminal/data/lines";
import type { Key } from "../terminal/keys";
import { TerminalView } from "../terminal/view";
import { Denied, dialWebSocket } from "../terminal/websocket";
import type { Action } from "./actions";
import { Refusal, sessionPath } from "./api";
import type { App } from "./app";
import { leadDecides } from "./clients";
import { type Host, hostOf } from "./data/hosts";
import { endText, failed, kindText, lastKnown, type Progress, type Session, stateText } from "./data/session";
import type { Call } from "./data/sessions";
import { h, on, setText, tool } from "./html";
import { drawProgress, progressBar } from "./progress";
import { look, xterm } from "./look";

/** The smallest font size, in CSS pixels, at which a whole screen is displayed unasked. */
const READABLE = 9;

/** Keys that a terminal gets as an escape sequence with a parameter for Ctrl. */
const WITH_CTRL: Readonly<Record<string, string>> = { ArrowUp: "A", ArrowDown: "B", ArrowRight: "C", ArrowLeft: "D" };

/** SessionPane displays a session. */
export class SessionPane {
  readonly element: HTMLElement;
  readonly #page: App;
  /** view is the pane's terminal. */
  readonly view: TerminalView;
  readonly #name = h("span", { class: "name" });
  readonly #title = h("span", { class: "title", dir: "auto" });
  readonly #state = h("span", { class: "state" });
  readonly #mode = h("span", { class: "mode", hidden: true }, "looks only");
  readonly #recording = h("span", { class: "recording", hidden: true }, "recording");
  readonly #leader = on(h("button", { type: "button", class: "mode leader", hidden: true }), "click", () => this.#page.attached(this.#session));
  readonly #lead = on(h("button", { type: "button", class: "mode lead", hidden: true }), "click", () => {
    this.view.lead();
    this.view.focus();
  });
  readonly #zoom = tool("fit", "Text at its readable size, to pan", () => this.#toggleZoom());
  readonly #head: HTMLElement;
  readonly #progress = progressBar();
  readonly #noteText = h("p");
  readonly #remove = on(h("button", { type: "button" }, "Remove"), "click", () => this.#page.kill(this.#session));
  readonly #note = h("div", { class: "note", role: "status", hidden: true }, this.#noteText, this.#remove, on(h("button", { type: "button" }, "Close pane"), "click", () => this.#page.closePane(this.#session)));
  #session: string;
  #known: Session | undefined;
  #size = { cols: 0, rows: 0, fits: true };
  #chosen = false; // the person has chosen whether the whole screen is displayed
  #over = ""; // why there is no terminal
  #away = false; // the session could not be reached when it was last described or attached

  constructor(session: string, page: App) {
    this.#session = session;
    this.#page = page;
    const split = [tool("right", "Split right", () => page.split(this.#session, "h")), tool("down", "Split down", () => page.split(this.#session, "v"))];
    for (const button of split) button.classList.add("split");
    this.#zoom.hidden = true;
    this.#zoom.setAttribute("aria-pressed", "false");
    const drawer = tool("menu", "Sessions", () => page.drawer(true));
    drawer.classList.add("drawer-button");
    this.#head = h(
      "header", { class: "head" }, drawer, h("span", { class: "dot" }), this.#name, this.#title, this.#recording, this.#mode, this.#leader, this.#lead, this.#state,
      h("span", { class: "tools" }, this.#zoom, ...split, tool("more", "Actions for this session", () => page.menu(this.#session)), tool("close", "Close pane", () => page.closePane(this.#session))),
    );
    const host = h("div", { class: "screen" });
    this.element = h("section", { class: "pane" }, this.#head, this.#progress, host, this.#note);
    this.view = new TerminalView(host, {
      label: "", dial: dialWebSocket(() => this.#address()), xterm, readOnly: !page.rights.may("type"), questions: page.questions, client: "page", look: look(page.settings),
      history: (id) => historyAt(async (path) => (await page.api.request("GET", sessionPath(id, `/${path}`))) ?? {}),
    }, {
      pictured: () => page.pictured(),
      state: ({ is }) => {
        if (is === "ended" || is === "waiting") page.pictured();
        this.#drawNote();
      },
      size: ({ cols, rows }, fits) => {
        this.#size = { cols, rows, fits: fits === undefined || (cols === fits.cols && rows === fits.rows) };
        this.#drawLead();
      },
      fitted: (fontSize, scaled) => {
        if (!this.#chosen) this.view.whole = !scaled || fontSize >= READABLE;
        this.#zoom.setAttribute("aria-pressed", String(!this.view.whole));
        this.#zoom.hidden = !scaled && this.view.whole;
      },
      message: (text) => page.toast(text),
      typed: () => page.typed(this.#session),
      leave: () => page.leave(),
    });
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
    this.#mode.hidden = page.rights.may("type");
    this.rename(session);
  }

  /** client is the name of this page among the session's clients, while it is attached. */
  get client(): string | undefined {
    const { state } = this.view;
    return state.is === "attached" ? state.session.client : undefined;
  }

  /** select marks the pane as the one that actions apply to. */
  select(selected: boolean, alone: boolean): void {
    this.element.classList.toggle("selected", selected);
    this.element.classList.toggle("alone", alone);
  }

  /** rename makes later connections use the session's new name. */
  rename(name: string): void {
    this.#session = name;
    setText(this.#name, name);
    this.element.ariaLabel = this.view.element.ariaLabel = `Terminal ${name}`;
  }

  /** #toggleZoom switches between the whole screen and text of the chosen size. */
  #toggleZoom(): void {
    this.#chosen = true;
    this.view.whole = !this.view.whole;
    this.#zoom.setAttribute("aria-pressed", String(!this.view.whole));
    this.view.focus();
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

  /** #drawLead says whose terminal decides the size, and offers to take that over. */
  #drawLead(): void {
    const { cols, rows, fits } = this.#size;
    const leader = this.#known?.attached.find(({ name }) => name === this.#known?.leader);
    const mine = this.client;
    const other = mine !== undefined && leader !== undefined && leader.name !== mine;
    this.#leader.hidden = !other;
    if (other) {
      setText(this.#leader, `${leader.name} leads`);
      this.#leader.title = `${leader.name}, ${kindText(leader)}, has typed last or taken the lead. Click for who is attached.`;
    }
    this.#lead.hidden = mine === undefined || fits || !this.#page.rights.may("type") || !leadDecides(this.#known);
    setText(this.#lead, other ? "Take the lead" : "Fit to pane");
    this.#lead.title = this.#lead.ariaLabel = `${other ? "Take the lead" : "Fit to pane"}: the session of ${cols} columns and ${rows} rows gets the size of this pane`;
  }

  /**
   * describe displays what is known of the session; undefined: it does not exist, if all are listed.
   * host is the other server that has it, if that is known.
   */
  describe(session: Session | undefined, host: Host | undefined, call: Call | undefined, progress: Progress | undefined, listed: boolean, now: number): void {
    this.#known = session;
    this.#drawLead();
    drawProgress(this.#progress, progress);
    this.#recording.hidden = session?.recording?.active !== true;
    this.#head.dataset["state"] = session?.state ?? "";
    setText(this.#title, session === undefined ? "" : session.title === "" ? session.command : session.title);
    this.#head.classList.toggle("away", session?.knownAt !== undefined);
    const present = session === undefined ? [] : [call?.text ?? stateText(session), lastKnown(session, now)];
    setText(this.#state, present.filter((part) => part !== "").join(", "));
    const missing = listed && session === undefined;
    const ended = session?.state === "ended";
    this.#note.hidden = !missing && !ended;
    this.element.classList.toggle("missing", missing);
    this.element.classList.toggle("over", missing || ended); // the note says so, and the view need not
    if (ended) void this.view.ended(session.id);
    this.#remove.hidden = missing || !this.#page.rights.may("manage");
    if (missing) this.#over = missingText(this.#session, host);
    else if (ended) this.#over = `The program has ${session?.exit !== undefined && failed(session) ? endText(session.exit) : "ended successfully"}. Its screen and history can be read until the session is removed.`;
    this.#drawNote();
    if (missing || session?.knownAt !== undefined) this.#away = true;
    else if (session !== undefined && this.#away && this.view.state.is === "ended" && this.view.state.failure !== undefined) {
      this.#away = false; // it is back: that is worth one attempt
      this.view.reconnect();
    }
  }

  #drawNote(): void {
    const lost = this.view.state.is === "ended" ? this.view.losses : "";
    setText(this.#noteText, `${this.#over} ${lost}`.trim());
  }
}

/** missingText says why there is no session of that name. */
function missingText(session: string, host: Host | undefined): string {
  const server = hostOf(session);
  if (server === "" || host?.health === "healthy") return `There is no session “${session}”. It was removed or renamed, or your rights do not cover it.`;
  if (host === undefined) return `There is no server “${server}” here. It was removed or renamed, or your rights do not cover it; its sessions go on.`;
  return `Server “${server}” cannot be used now, and nothing is known of its sessions${host.reason === "" ? "." : `: ${host.reason}`}`;
}

/** control returns what a letter types with Ctrl. */
function control(letter: string): string {
  const code = letter.toUpperCase().charCodeAt(0);
  if (letter === " ") return "\x00";
  if (letter === "/" || letter === "-") return "\x1f";
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code - 0x40) : letter === "?" ? "\x7f" : letter;
}
