// The state of the connection: a small notice for the person, and attributes of the document
// element for styles, scripts and tests.

import { adopt, make } from "../elements";

export type State = "connecting" | "live" | "offline";

const NOTICE_DELAY = 500; // milliseconds without a connection before the notice appears
const HELP_DELAY = 10_000; // milliseconds without a connection before the notice says what to do
const MESSAGE_TIME = 8000; // milliseconds for which a message stays

const RECONNECTING = "Reconnecting…";
const HELP =
  "Reconnecting… The server may have ended. Ask your agent to start it again; if it is at another " +
  "address now, open that one.";

// :where has no weight, so that any rule of the page's own styles wins.
const STYLE = `
:where(.ui-connection) {
  position: fixed; inset-block-end: calc(0.75rem + var(--ui-unsaved, 0px)); inset-inline-end: 0.75rem; z-index: 2147483647;
  max-inline-size: min(32rem, 100vw - 1.5rem); box-sizing: border-box;
  padding: 0.35rem 0.75rem; border-radius: 14px; pointer-events: none;
  font: 0.8125rem/1.4 system-ui, sans-serif;
  color: #3a2c00; background: #fff3cd; border: 1px solid #e0c36a;
}
@media (prefers-color-scheme: dark) {
  :where(.ui-connection) { color: #ffe8a3; background: #3d3200; border-color: #6b5900; }
}
:where(.ui-connection[hidden]) { display: none; }
@media print { .ui-connection { display: none !important; } }
:where(.ui-empty:not([hidden])) {
  display: grid; place-items: center; min-block-size: 60vh; padding: 2rem; text-align: center;
  font: 1rem/1.5 system-ui, sans-serif; opacity: 0.7;
}`;

/** Status displays the state of the connection. */
export class Status {
  readonly #html = document.documentElement;
  readonly #notice = make("div", { class: "ui-connection", role: "status", hidden: true });
  #timer: ReturnType<typeof setTimeout> | undefined; // set until the notice appears
  #help: ReturnType<typeof setTimeout> | undefined; // set until the notice says what to do
  #message: ReturnType<typeof setTimeout> | undefined; // set while a message is displayed
  #text = "Connecting…";
  #notices = ""; // what the server says until it says something else

  constructor() {
    adopt(document, STYLE);
    document.body.append(this.#notice);
    this.#state("connecting");
    this.pending(0);
    this.#soon();
  }

  /** dispose removes the notice. The attributes of the document element stay. */
  dispose(): void {
    for (const timer of [this.#timer, this.#help, this.#message]) clearTimeout(timer);
    this.#notice.remove();
  }

  /** live hides the notice: a snapshot is displayed. */
  live(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearTimeout(this.#help);
    this.#help = undefined;
    this.#notices = ""; // the server says it again
    this.#state("live");
    this.#rest();
  }

  /** offline reports that there is no connection. text is for the person. */
  offline(text?: string): void {
    this.#state("offline");
    this.#help ??= setTimeout(() => {
      if (this.#text !== RECONNECTING) return;
      this.#text = HELP;
      this.#show();
    }, HELP_DELAY);
    this.#text = text ?? (this.#text === HELP ? HELP : RECONNECTING);
    if (this.#notice.hidden) this.#soon();
    else this.#show();
  }

  /** now shows the notice at once, because the person has just tried to use the page. */
  now(): void {
    if (this.#html.dataset["uiState"] !== "live") this.#show();
  }

  /** refused says that an action had no effect because there is no connection. */
  refused(): void {
    this.say("Not connected: what you just did had no effect. Please try again when the page is connected.");
  }

  /** say displays a message for the person for some seconds. */
  say(text: string): void {
    clearTimeout(this.#message);
    this.#message = setTimeout(() => {
      this.#message = undefined;
      if (this.#html.dataset["uiState"] === "live") this.#rest();
      else this.#show();
    }, MESSAGE_TIME);
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  /** notice displays a text while there is a connection, until another one replaces it. */
  notice(text: string): void {
    this.#notices = text;
    if (this.#html.dataset["uiState"] === "live") this.#rest();
  }

  /** seq publishes the number of the last message applied. */
  seq(n: number): void {
    this.#html.dataset["uiSeq"] = String(n);
  }

  /** pending publishes the number of unacknowledged messages. */
  pending(n: number): void {
    this.#html.dataset["uiPending"] = String(n);
  }

  /** rest displays what is to be seen while there is a connection. */
  #rest(): void {
    if (this.#message !== undefined) return;
    this.#notice.hidden = this.#notices === "";
    this.#notice.textContent = this.#notices;
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => this.#show(), NOTICE_DELAY);
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#message !== undefined) return;
    this.#notice.hidden = false;
    this.#notice.textContent = this.#text;
  }

  #state(state: State): void {
    this.#html.dataset["uiState"] = state;
  }
}
