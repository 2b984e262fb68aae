// Entering: the page asks the person for a token when the server wants one.

import { complain, type Refusal } from "./api";
import type { Credentials } from "./credentials";
import { takeToken } from "./data/route";
import { h, on } from "./html";
import { Login } from "./login";

/** EntryEvents are reported to the page. */
export interface EntryEvents {
  /** enter asks the server again what the person may do. */
  enter(): void;
  /** expelled is called before the person is asked for a token. */
  expelled(): void;
  /** barred is called when the server admits nobody. */
  barred(): void;
  /** toast displays a message for a moment. */
  toast(text: string): void;
}

/** Entry lets the page in. */
export class Entry {
  readonly #credentials: Credentials;
  readonly #events: EntryEvents;
  readonly #login = new Login((token) => {
    this.#credentials.remember(token);
    this.#events.enter();
  });

  constructor(credentials: Credentials, events: EntryEvents) {
    this.#credentials = credentials;
    this.#events = events;
  }

  /** element is the form that asks for a token. */
  get element(): HTMLElement {
    return this.#login.element;
  }

  /** takeLinkToken takes the token of a link out of the page's address. */
  takeLinkToken(): void {
    const { token, rest } = takeToken(location.hash);
    if (token === undefined) return;
    this.#credentials.borrow(token);
    history.replaceState(history.state, "", location.pathname + location.search + rest); // the token leaves the address at once
  }

  /** entered is called when the server has admitted the page. */
  entered(): void {
    this.#login.hide();
  }

  /** refused asks for a token, or says why the server admits nobody. */
  refused(error: Refusal): void {
    if (!error.needsToken) {
      this.#events.barred();
      this.#login.refuse(complain(error));
      return;
    }
    const had = this.hasToken;
    const borrowed = this.#credentials.fromLink();
    this.#credentials.forget();
    if (borrowed && this.hasToken) {
      this.#events.toast("The link has ended. This browser's own token is in use.");
      this.#events.enter();
      return;
    }
    this.#events.expelled();
    this.#login.ask(!had ? "" : borrowed ? "The link is wrong, or has ended. Ask for a new one, or enter a token." : "The token is wrong, has expired or was withdrawn.");
  }

  /** hasToken is whether the page uses a token. */
  get hasToken(): boolean {
    return this.#credentials.token() !== undefined;
  }

  /** setting returns the settings' line about the token, with a button that forgets it. */
  setting(forget: () => void): HTMLElement[] {
    if (!this.hasToken) return [];
    const where = this.#credentials.fromLink() ? "This tab uses the token of a link." : "This browser keeps the server's token.";
    return [h("div", { class: "field" }, h("p", {}, where), on(h("button", { type: "button" }, "Forget the token"), "click", forget))];
  }

  /** forget forgets the token, and loads the page without it. */
  forget(): void {
    this.#credentials.forget();
    location.reload();
  }
}
