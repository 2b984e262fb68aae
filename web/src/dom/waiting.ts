// The page of a tab whose session is open in another tab.

import { adopt, button, make } from "../elements";
import { allowNotifications, permission } from "../notify";
import type { Presence } from "../presence";

// :where has no weight, so that any rule of the page's own styles wins.
const STYLE = `
:where(.ui-waiting) {
  display: grid; align-content: center; justify-items: center; gap: 0.75rem;
  min-block-size: 70vh; padding: 2rem; text-align: center; font-family: system-ui, sans-serif; line-height: 1.5;
}
:where(.ui-waiting h1) { margin: 0; font-size: 1.5rem; }
:where(.ui-waiting p) { margin: 0; max-inline-size: 34rem; opacity: 0.8; }
:where(.ui-waiting nav) { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0.75rem; margin-block-start: 0.5rem; }
:where(.ui-waiting [hidden]) { display: none; }`;

/** Waiting fills an element with the page. */
export class Waiting {
  readonly #session: string;
  readonly #heading = make("h1");
  readonly #text = make("p", { role: "status" });
  readonly #front: HTMLButtonElement;
  readonly #notify: HTMLButtonElement;
  readonly #open: HTMLButtonElement;
  readonly #page = make("section", "ui-waiting");
  readonly #title = document.title; // to give back

  constructor(root: Element, session: string, others: Presence) {
    this.#session = session;
    adopt(document, STYLE);
    document.documentElement.dataset["uiState"] = "waiting";

    const close = make("a", { href: "#" }, "Close this page");
    close.addEventListener("click", (event) => {
      event.preventDefault();
      window.close();
      // Browsers may refuse to close a tab that the person opened.
      setTimeout(() => this.#say("The browser does not let a page close this tab. Please close it yourself."), 250);
    });
    this.#front = button("", "Show the other tab", () => others.front());
    this.#open = button("primary", "Open it here", () => others.join());
    this.#notify = button("", "Notify me next time", () => void this.#ask(others));

    this.#page.append(this.#heading, this.#text, make("nav", {}, this.#open, this.#front, this.#notify, close));
    root.replaceChildren(this.#page);
  }

  /** showing updates the number of tabs that show the session. When it is 0, the page offers to open it. */
  showing(tabs: number): void {
    const free = tabs === 0;
    this.#heading.textContent = free ? "Session was closed in the other tab" : "Session is already open";
    document.title = this.#heading.textContent;
    this.#say(
      free
        ? `Nothing shows session ${this.#session} now.`
        : `Session ${this.#session} is open in another tab of this browser.`,
    );
    this.#open.hidden = !free;
    this.#front.hidden = free;
    this.#notify.hidden = free || permission() !== "default";
  }

  /** end removes the page. */
  end(): void {
    this.#page.remove();
    document.title = this.#title;
  }

  #say(text: string): void {
    this.#text.textContent = text;
  }

  /** ask requests permission for notifications, and notifies at once if it is granted. */
  async #ask(others: Presence): Promise<void> {
    const allowed = await allowNotifications();
    this.#notify.hidden = permission() !== "default";
    if (allowed) others.front();
  }
}
