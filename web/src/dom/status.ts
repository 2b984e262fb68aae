// The state of the connection: a small notice for the person, and attributes of the document
// element for styles, scripts and tests.

import { adopt, make } from "../elements";

type State = "connecting" | "live" | "offline";

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
  #why: string | undefined = "Connecting…"; // there is no connection; undefined: it has broken
  #waits: ReturnType<typeof setTimeout>[] = []; // set while there is no connection
  #waited = 0; // how many of these have passed
  #message = ""; // that is displayed for some seconds
  #messageEnds: ReturnType<typeof setTimeout> | undefined;
  #notices = ""; // what the server says until it says something else

  constructor() {
    adopt(document, STYLE);
    document.body.append(this.#notice);
    this.pending(0);
    this.#wait("connecting");
  }

  /** dispose removes the notice. The attributes of the document element stay. */
  dispose(): void {
    for (const timer of [...this.#waits, this.#messageEnds]) clearTimeout(timer);
    this.#notice.remove();
  }

  /** live hides the notice: a snapshot is displayed. */
  live(): void {
    for (const timer of this.#waits.splice(0)) clearTimeout(timer);
    this.#waited = 0;
    this.#notices = ""; // the server says it again
    this.#html.dataset["uiState"] = "live" satisfies State;
    this.#draw();
  }

  /** offline reports that there is no connection. text is for the person. */
  offline(text?: string): void {
    this.#why = text;
    this.#wait("offline");
    this.#draw();
  }

  /** now shows the notice at once, because the person has just tried to use the page. */
  now(): void {
    if (!this.#isLive) this.#passed(1);
  }

  /** refused says that an action had no effect because there is no connection. */
  refused(): void {
    this.say("Not connected: what you just did had no effect. Please try again when the page is connected.");
  }

  /** say displays a message for the person for some seconds. */
  say(text: string): void {
    clearTimeout(this.#messageEnds);
    this.#message = text;
    this.#messageEnds = setTimeout(() => {
      this.#message = "";
      this.#draw();
    }, MESSAGE_TIME);
    this.#draw();
  }

  /** notice displays a text while there is a connection, until another one replaces it. */
  notice(text: string): void {
    this.#notices = text;
    this.#draw();
  }

  /** seq publishes the number of the last message applied. */
  seq(n: number): void {
    this.#html.dataset["uiSeq"] = String(n);
  }

  /** pending publishes the number of unacknowledged messages. */
  pending(n: number): void {
    this.#html.dataset["uiPending"] = String(n);
  }

  get #isLive(): boolean {
    return this.#html.dataset["uiState"] === "live";
  }

  #wait(state: State): void {
    this.#html.dataset["uiState"] = state;
    if (this.#waits.length > 0) return;
    this.#waits = [NOTICE_DELAY, HELP_DELAY].map((delay, i) => setTimeout(() => this.#passed(i + 1), delay));
  }

  #passed(waits: number): void {
    this.#waited = Math.max(this.#waited, waits);
    this.#draw();
  }

  #draw(): void {
    const down = this.#waited === 0 ? "" : (this.#why ?? (this.#waited === 1 ? RECONNECTING : HELP));
    const text = this.#message || (this.#isLive ? this.#notices : down);
    this.#notice.hidden = text === "";
    this.#notice.textContent = text;
  }
}
